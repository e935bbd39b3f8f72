"""Replay of a round as a film, with its spoken announcements and their captions (WebVTT).

Captions are made when they are requested, so that evenings of older versions have them too.
"""

from __future__ import annotations

import wave
from dataclasses import dataclass, replace
from html import escape
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.image_geometry import fit_image
from bunnymoose_cv.capture.sound import Sound, read_sound
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.unicode_text import isolated
from bunnymoose_cv.drawing.letters import draw_caption
from bunnymoose_cv.record.evidence_json import FilmShape, RepeatShape
from bunnymoose_cv.record.footage_spool import FILM_AFTER_CUE_S, FILM_BEFORE_CUE_S
from bunnymoose_cv.record.video_file import FilmError, with_still, write_film
from bunnymoose_cv.voice.player import seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.footage import FilmFootage
    from bunnymoose_cv.vision.geometry import Box


BEFORE_FIRST_WORD_S, AFTER_LAST_WORD_S = 0.6, 1.2
"""Duration of the still before the first announcement and after the last."""

SILENT_S = 4.0
"""Duration of the still without announcements."""

HOLD_S: Final = 3.0
"""Duration of the still in the replay of a round."""

SLOWER: Final = 4
"""Slow-motion factor of a repeated move."""

REPEAT_BEFORE_S, REPEAT_AFTER_S = 0.8, 0.8
"""Duration of a repeat before and after the moment when the move shows."""

CLOSE_UP_FACES: Final = 4.0
"""Height of a close-up of one player, in heights of the face; antlers and ears are completely visible."""

CLOSE_UP_ABOVE: Final = 0.4
"""Height of a close-up's centre above that of the face, in heights of the face."""


@dataclass(frozen=True, slots=True)
class Mover:
    """Player who changed the pose after the freeze; it shows at `time_s`, on the clock of the frames."""

    seat: int
    caption: str
    face: Box
    time_s: float


def write_replay(
    path: Path, frames: Iterable[Frame], still: Image, freeze_s: float, announcements: Sequence[Path]
) -> None:
    """Write a replay of a clip that stops at `freeze_s` for the judged image, of the same size, and announcements.

    Args:
        announcements: the WAV files to play one after the other; empty without a voice.

    Raises:
        FilmError: the film cannot be written.
        UnreadableError: an announcement cannot be read.
    """
    starts = [BEFORE_FIRST_WORD_S + start for start in starts_s(announcements)]
    hold_s = starts[-1] + seconds(announcements[-1]) + AFTER_LAST_WORD_S if starts else SILENT_S
    heard = [read_sound(sound, freeze_s + start) for sound, start in zip(announcements, starts, strict=True)]
    write_film(path, with_still(frames, still, freeze_s, hold_s), heard)


def write_round_film(
    path: Path, footage: FilmFootage, cue_s: float, still: Image, movers: Sequence[Mover] = ()
) -> FilmShape:
    """Write the replay of a round, with the moves repeated at the end in close-up and slow motion.

    It always has a sound track, so that all films of an evening have the same streams.

    Raises:
        FilmError: images of that time are missing, or the film cannot be written.
    """
    end_s = cue_s + FILM_AFTER_CUE_S
    first = next(iter(footage.frames(cue_s - FILM_BEFORE_CUE_S, end_s)), None)
    if first is None or first.time_s > cue_s:
        raise FilmError(Phrase("there are no pictures of that time for {film}", film=path.name))
    start_s = first.time_s
    once = with_still(footage.frames(start_s, end_s), fit_image(still, first.size), cue_s, HOLD_S)
    sounds = [Sound(np.zeros(round((cue_s + HOLD_S - start_s) * _SILENT_RATE), np.int16), _SILENT_RATE, start_s)]
    if (before := footage.sound(start_s, cue_s)) is not None:
        sounds.append(before)
    if (after := footage.sound(cue_s, end_s)) is not None:
        sounds.append(replace(after, start_s=after.start_s + HOLD_S))
    repeats: list[RepeatShape] = []
    write_film(path, _with_repeats(once, movers, footage, first, repeats), sounds)
    return FilmShape(cue_s=cue_s - start_s, hold_s=HOLD_S, repeats=tuple(repeats))


_SILENT_RATE: Final = 8000


def _with_repeats(
    film: Iterable[Frame], movers: Sequence[Mover], footage: FilmFootage, first: Frame, repeats: list[RepeatShape]
) -> Iterator[Frame]:
    """Yield a film, then each move in close-up and slow motion with a caption; its times are added to `repeats`."""
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
"""Duration of the last image before a repeat."""


def close_up(image: Image, face: Box, size: tuple[int, int]) -> Image:
    """Crop an image to the head and hands of one player, scaled to a film's width and height in pixels."""
    width, height = size
    rows, columns = image.shape[:2]
    tall = min(CLOSE_UP_FACES * face.height, rows, columns * height / width)
    wide = tall * width / height
    x, y = face.centre
    left = int(np.clip(x - wide / 2, 0, columns - wide))
    top = int(np.clip(y - CLOSE_UP_ABOVE * face.height - tall / 2, 0, rows - tall))
    return fit_image(image[top : top + round(tall), left : left + round(wide)], size)


PAUSE_S = 0.5
"""Pause between two announcements, in which players move the figure."""


def starts_s(sounds: Sequence[Path]) -> tuple[float, ...]:
    """Return the start times of several WAV files, in seconds after the start of the first."""
    return tuple(accumulate((seconds(sound) + PAUSE_S for sound in sounds), initial=0.0))[: len(sounds)]


def join_sounds(sounds: Sequence[Path], path: Path) -> None:
    """Join WAV files of one voice into one, with pauses between; raise a `InputError` if it cannot be written."""
    try:
        with whole_file(path) as part, part.open("wb") as file, wave.open(file) as joined:
            for number, sound in enumerate(sounds):
                with wave.open(str(sound)) as content:
                    if number == 0:
                        joined.setparams(content.getparams())
                    else:
                        silent = round(PAUSE_S * content.getframerate())
                        joined.writeframes(bytes(silent * content.getnchannels() * content.getsampwidth()))
                    joined.writeframes(content.readframes(content.getnframes()))
    except OSError as error:
        raise InputError(f"The sound {path} cannot be written ({error.strerror}): name another folder") from error


LINES_AT_ONCE: Final = 2
"""Number of announcements in one caption; more would hide the image."""

LINGERS_S: Final = 2.0
"""Duration of the last captions after the judged image, unless the film continues with a move."""


def captions(said: Sequence[str], times: FilmShape) -> str:
    """Return the captions of a round's replay as a `.vtt` file, from the judged image on; long ones remain longer."""
    blocks = ["WEBVTT"]
    for start_s, end_s, lines in _time_captions(said, times):
        words = "\n".join(escape(isolated(" ".join(line.split())), quote=False) for line in lines)
        blocks.append(f"{_time(start_s)} --> {_time(end_s)}\n{words}")
    return "\n\n".join(blocks) + "\n"


def _time_captions(said: Sequence[str], times: FilmShape) -> Iterator[tuple[float, float, tuple[str, ...]]]:
    """Yield captions with their start and end, seconds of the film."""
    end_s = times.repeats[0].start_s if times.repeats else times.cue_s + times.hold_s + LINGERS_S
    letter_s = (end_s - times.cue_s) / max(1, sum(map(len, said)))
    read_s = times.cue_s
    for first in range(0, len(said), LINES_AT_ONCE):
        lines = tuple(said[first : first + LINES_AT_ONCE])
        start_s, read_s = read_s, read_s + letter_s * sum(map(len, lines))
        yield start_s, read_s, lines


def _time(time_s: float) -> str:
    """Format a time for WebVTT: `00:01:02.345`."""
    seconds, thousandths = divmod(round(max(0.0, time_s) * 1000), 1000)
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}.{thousandths:03d}"
