"""Replay film of a round: real time up to the freeze, the judged still, the rest, and movers in slow motion."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final, Protocol, Self

import numpy as np

from bunnymoose_cv.capture.dimensions import fit_image
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.ring_buffer import SoundRing
from bunnymoose_cv.capture.sound import Sound, read_sound
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.drawing.caption import draw_caption
from bunnymoose_cv.record.audio_track import starts_s
from bunnymoose_cv.record.evidence_json import FilmShape, RepeatShape
from bunnymoose_cv.record.video_file import FilmError, with_still, write_film
from bunnymoose_cv.voice.player import seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.clips import Clip
    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.geometry import Box

BEFORE_FIRST_WORD_S, AFTER_LAST_WORD_S = 0.6, 1.2
"""Time of the still before the first announcement and after the last."""

SILENT_S = 4.0
"""Time of the still where nothing is heard."""

HOLD_S: Final = 3.0
"""Time of the still in the replay of a round."""

SLOWER: Final = 4
"""Slow-motion factor of a repeated move."""

REPEAT_BEFORE_S, REPEAT_AFTER_S = 0.8, 0.8
"""Time of a repeat before and after the moment when the move shows."""

CLOSE_UP_FACES: Final = 4.0
"""Height of a close-up of one player in heights of the face: antlers and ears stand in it whole."""

CLOSE_UP_ABOVE: Final = 0.4
"""Height of a close-up's middle above that of the face, in heights of the face."""


class FilmFootage(Protocol):
    """Images and sound of which a film is made."""

    def frames(self, start_s: float, end_s: float) -> Iterable[Frame]:
        """The frames of a stretch of time; may be asked for again."""

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """Return the sound of that time; None where nobody listened."""


class Footage(FilmFootage, Protocol):
    """Source of a round's images and sound: a camera's last seconds, or a clip."""

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        """Wait until the frames up to a time have come; False where they will not."""

    def held(self, start_s: float, end_s: float) -> Footage:
        """Stretch of the footage that can still be asked for when a camera's last seconds are others."""


@dataclass(frozen=True, slots=True)
class ClipFootage:
    """A clip as the footage of a round; its own time is the clock."""

    clip: Clip

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        """Tell without waiting if the clip is that long: all of it is there."""
        del time_s, patience_s
        return True

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        """The frames of a stretch of time."""
        return self.clip.frames(start_s, end_s)

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        """The clip's own sound of a stretch of time; None where it is silent."""
        heard = SoundRing(before_s=inf, after_s=0.0)
        for piece in self.clip.sounds():
            heard.add(piece)
        return heard.sound(start_s, end_s)

    def held(self, start_s: float, end_s: float) -> Self:
        """Return the clip unchanged: nothing of it is forgotten."""
        del start_s, end_s
        return self


@dataclass(frozen=True, slots=True)
class Mover:
    """A player who changed after the freeze.

    Attributes:
        seat: counted from 1 at the image's left.
        caption: tells that this player moved.
        face: where the face was, pixels.
        time_s: when the move shows, on the clock of the frames.
    """

    seat: int
    caption: str
    face: Box
    time_s: float


def write_replay(
    path: Path, frames: Iterable[Frame], still: Image, freeze_s: float, announcements: Sequence[Path]
) -> None:
    """Write a replay of a clip that holds the judged image while the announcements are heard.

    Args:
        still: the judged image, of the clip's size.
        freeze_s: when the clip stops for it, on the clock of the frames.
        announcements: WAV files, heard one after the other; none where there is no voice.

    Raises:
        FilmError: it cannot be written.
        UnreadableError: an announcement cannot be read.
    """
    starts = [BEFORE_FIRST_WORD_S + start for start in starts_s(announcements)]
    hold_s = starts[-1] + seconds(announcements[-1]) + AFTER_LAST_WORD_S if starts else SILENT_S
    heard = [read_sound(sound, freeze_s + start) for sound, start in zip(announcements, starts, strict=True)]
    write_film(path, with_still(frames, still, freeze_s, hold_s), heard)


@dataclass(frozen=True, slots=True)
class Stretch:
    """Stretch of footage that a replay shows: start, stop for the judged still, and end, on its clock."""

    start_s: float
    cue_s: float
    end_s: float


def write_round_film(
    path: Path, footage: FilmFootage, stretch: Stretch, still: Image, movers: Sequence[Mover] = ()
) -> FilmShape:
    """Write the replay of a round; it always has a sound track, so that all films of an evening are alike.

    Args:
        movers: whose move is repeated at the end, near and slowly.

    Returns:
        What happens when in the film.

    Raises:
        FilmError: there are no images of that time, or it cannot be written.
    """
    first = next(iter(footage.frames(stretch.start_s, stretch.end_s)), None)
    if first is None or first.time_s > stretch.cue_s:
        raise FilmError(Phrase("there are no pictures of that time for {film}", film=path.name))
    seen = Stretch(first.time_s, stretch.cue_s, stretch.end_s)
    once = with_still(footage.frames(seen.start_s, seen.end_s), fit_image(still, first.size), seen.cue_s, HOLD_S)
    repeats: list[RepeatShape] = []
    sounds = [_silence(seen), *_arrange_sound(footage, seen)]
    write_film(path, _with_repeats(once, movers, footage, first, repeats), sounds)
    return FilmShape(cue_s=seen.cue_s - seen.start_s, hold_s=HOLD_S, repeats=tuple(repeats))


def _with_repeats(
    film: Iterable[Frame], movers: Sequence[Mover], footage: FilmFootage, first: Frame, repeats: list[RepeatShape]
) -> Iterator[Frame]:
    """A film, and behind it each move once more: near, slowly, with a caption; where each stands is added to a list."""
    last_s = first.time_s
    for frame in film:
        last_s = frame.time_s
        yield frame
    for mover in movers:
        at_s, begin_s = last_s + _CUT_S, mover.time_s - REPEAT_BEFORE_S
        for frame in footage.frames(begin_s, mover.time_s + REPEAT_AFTER_S):
            near = draw_caption(close_up(frame.image, mover.face, first.size), mover.caption)
            last_s = at_s + SLOWER * (frame.time_s - begin_s)
            yield Frame(near, last_s)
        if last_s > at_s:
            seen = RepeatShape(seat=mover.seat, start_s=at_s - first.time_s, end_s=last_s - first.time_s)
            repeats.append(seen)


_CUT_S: Final = 0.04
"""Time of the last image before a repeat."""


def _arrange_sound(footage: FilmFootage, stretch: Stretch) -> list[Sound]:
    """The sound of the round before the still, and the rest after it."""
    before, after = footage.sound(stretch.start_s, stretch.cue_s), footage.sound(stretch.cue_s, stretch.end_s)
    heard = [before] if before is not None else []
    if after is not None:
        heard.append(Sound(after.samples, after.rate, after.start_s + HOLD_S))
    return heard


def _silence(stretch: Stretch) -> Sound:
    lasts_s = stretch.cue_s + HOLD_S - stretch.start_s
    return Sound(np.zeros(round(lasts_s * _SILENT_RATE), np.int16), _SILENT_RATE, stretch.start_s)


_SILENT_RATE: Final = 8000


def close_up(image: Image, face: Box, size: tuple[int, int]) -> Image:
    """One player of an image, head and hands, at the size of a film.

    Args:
        size: width and height of what is given back.
    """
    width, height = size
    rows, columns = image.shape[:2]
    tall = min(CLOSE_UP_FACES * face.height, rows, columns * height / width)
    wide = tall * width / height
    x, y = face.centre
    left = int(np.clip(x - wide / 2, 0, columns - wide))
    top = int(np.clip(y - CLOSE_UP_ABOVE * face.height - tall / 2, 0, rows - tall))
    return fit_image(image[top : top + round(tall), left : left + round(wide)], size)
