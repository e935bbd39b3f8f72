"""Films cut out of the replays of an evening: close-ups of a seat in slow motion, and the highlights of all rounds."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import groupby
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.dimensions import fit_image
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.sound import Sound, read_sound
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.drawing.caption import draw_caption
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.replay import SLOWER, close_up
from bunnymoose_cv.record.round_folder import EvidenceError, round_folder
from bunnymoose_cv.record.video_file import FilmError, write_film
from bunnymoose_cv.rules.events import PoseCorrected
from bunnymoose_cv.vision.geometry import Box
from bunnymoose_cv.voice.phrases import announce

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from pathlib import Path

    from bunnymoose_cv.record.evidence_json import FilmShape
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.rules.round import Verdict

SEAT_BEFORE_S, SEAT_AFTER_S = 1.0, 2.0
"""Time before and after the cue in the film of a seat."""

BIGGEST: Final = 3
"""Number of the biggest scores that are highlights."""

HIGHLIGHT_BEFORE_S, HIGHLIGHT_STILL_S = 2.0, 3.0
"""Time of a round in a highlight: before the cue, and of the judged still."""


Progress: TypeAlias = "Callable[[float], object]"
"""Takes how much of a film is written, 0 to 1, again and again; it may take its time, and the film waits."""


def write_seat_film(kept: RoundFolder, seat: int, tell: Progress = lambda _: None) -> Path:
    """Cut one seat out of a round's replay: near, slowly, and the judged image as long as in the replay.

    Args:
        seat: counted from 1.

    Returns:
        The film's file, in the round's folder.

    Raises:
        FilmError: there is no replay, the player was not seen, or the film cannot be written.
        EvidenceError: the evidence cannot be read.
    """
    evidence, times = kept.read(), kept.read_times()
    reading = evidence.reading_of(seat) if evidence else None
    if times is None:
        raise FilmError(
            Phrase(
                "There is no replay in {folder}: it was not kept, or is still being written.", folder=str(kept.folder)
            )
        )
    if reading is None:
        raise FilmError(
            Phrase(
                "Nobody was seen in seat {seat}: look at the whole replay, {replay}.",
                seat=seat,
                replay=str(kept.replay),
            )
        )
    clip = Clip(kept.replay, kept.replay.name)
    end_s = times.cue_s + times.hold_s + SEAT_AFTER_S
    if times.repeats:
        end_s = min(end_s, times.repeats[0].start_s - _CUT_S)
    frames = (
        Frame(close_up(frame.image, Box(*reading.face_px), clip.size), _map_time(frame.time_s, times))
        for frame in clip.frames(times.cue_s - SEAT_BEFORE_S, end_s)
    )
    path = kept.seat_film(seat)
    begin_s, end_s = _map_time(times.cue_s - SEAT_BEFORE_S, times), _map_time(end_s, times)
    write_film(path, _telling(frames, begin_s, end_s, tell))
    return path


def _telling(frames: Iterable[Frame], begin_s: float, end_s: float, tell: Progress) -> Iterator[Frame]:
    """Yield the frames, each after the share of the film that has gone by is told."""
    for frame in frames:
        tell(min(1.0, max(0.0, (frame.time_s - begin_s) / (end_s - begin_s))))
        yield frame


def _map_time(time_s: float, times: FilmShape) -> float:
    """Map a time of the replay to the film of a seat; the judged image is held no longer than there."""
    held_s = min(max(0.0, time_s - times.cue_s), times.hold_s)
    return SLOWER * (time_s - held_s) + held_s


@dataclass(frozen=True, slots=True)
class Highlight:
    """A few seconds of an evening.

    Attributes:
        caption: why it is one; nothing where the replay says so itself.
        start_s: where it begins in the round's replay.
        end_s: where it ends there.
    """

    round_number: int
    caption: str
    start_s: float
    end_s: float

    @property
    def length_s(self) -> float:
        """Time from its beginning to its end."""
        return self.end_s - self.start_s


def highlights(
    game: GameFile, problems: list[InputError], language: Language = Language.ENGLISH
) -> tuple[Highlight, ...]:
    """The biggest scores, who moved, and what was put right, round by round, as far as there are replays.

    Args:
        problems: an error for each round whose time table is damaged is added, and the others go on.
    """
    texts = Texts(language)
    found = []
    biggest = _biggest(game)
    for number in range(1, len(game.game.rounds) + 1):
        try:
            times = round_folder(game.folder, number).read_times()
        except EvidenceError as error:
            problems.append(error)
            continue
        if times is None:
            continue
        captions = [
            announce(each.score.species, each.score.total, [each.player], language) for each in biggest.get(number, [])
        ]
        captions += [
            f"{entry.event.player}: {entry.event.pose}, {texts(entry.why)}"
            for entry in game.standing
            if isinstance(entry.event, PoseCorrected) and entry.event.round_number == number
        ]
        start_s, end_s = times.cue_s - HIGHLIGHT_BEFORE_S, times.cue_s + min(times.hold_s, HIGHLIGHT_STILL_S)
        if captions:
            found.append(Highlight(number, " · ".join([str(number), *captions]), max(0.0, start_s), end_s))
        found += [Highlight(number, "", repeat.start_s, repeat.end_s) for repeat in times.repeats]
    return tuple(found)


def _biggest(game: GameFile) -> dict[int, list[Verdict]]:
    """The verdicts with the biggest scores, ahead or back, by round."""
    scored = [
        (abs(verdict.score.total), played.facts.number, verdict)
        for played in game.game.rounds
        for verdict in played.verdicts
        if verdict.score.total
    ]
    scored.sort(key=lambda each: (-each[0], each[1], each[2].seat))
    found: dict[int, list[Verdict]] = {}
    for _, number, verdict in scored[:BIGGEST]:
        found.setdefault(number, []).append(verdict)
    return found


def write_highlights(
    game: GameFile,
    path: Path,
    problems: list[InputError],
    language: Language = Language.ENGLISH,
    tell: Progress = lambda _: None,
) -> tuple[Highlight, ...]:
    """Write the highlights of an evening as one film.

    Args:
        problems: an error for each round whose replay is damaged is added, and the film goes on without it.

    Returns:
        What is in it.

    Raises:
        FilmError: there is nothing to show, or the film cannot be written.
    """
    cuts = tuple(_cuts(game, highlights(game, problems, language), problems))
    if not cuts:
        raise FilmError(Phrase("The evening has no highlights: no replay shows a score, a move or a correction."))
    length_s = sum(each.highlight.length_s for each in cuts)
    write_film(path, _telling(_cut_together(cuts), 0.0, length_s, tell), list(_arrange_sound(cuts)))
    return tuple(each.highlight for each in cuts)


@dataclass(frozen=True, slots=True)
class _Cut:
    """A highlight with the replay that shows it, and what is heard in it."""

    highlight: Highlight
    replay: Clip
    sound: Sound


def _cuts(game: GameFile, found: Sequence[Highlight], problems: list[InputError]) -> Iterator[_Cut]:
    """Open the replay of each round; one that is damaged or cut off is a problem."""
    for number, of_round in groupby(found, lambda each: each.round_number):
        path = round_folder(game.folder, number).replay
        try:
            replay, sound = Clip(path, str(path)), read_sound(path)
            for each in of_round:
                replay.check_time(each.end_s - _CUT_S)
                heard = sound.samples[round(each.start_s * sound.rate) : round(each.end_s * sound.rate)]
                yield _Cut(each, replay, Sound(heard, sound.rate))
        except InputError as error:
            problems.append(error)


def _cut_together(cuts: Sequence[_Cut]) -> Iterator[Frame]:
    """One highlight after the other, all of the size of the first."""
    start_s, size = 0.0, cuts[0].replay.size
    for cut in cuts:
        each, shown = cut.highlight, None
        for frame in cut.replay.frames(each.start_s, each.end_s):
            image = fit_image(frame.image, size)
            shown = draw_caption(image, each.caption) if each.caption else image
            yield Frame(shown, start_s + frame.time_s - each.start_s)
        start_s += each.length_s
        if shown is not None:
            yield Frame(shown, start_s - _CUT_S)


_CUT_S: Final = 0.04
"""The last image of a highlight is shown to its end, which is so much earlier than the next one's beginning."""


def _arrange_sound(cuts: Sequence[_Cut]) -> Iterator[Sound]:
    start_s = 0.0
    for cut in cuts:
        yield replace(cut.sound, start_s=start_s)
        start_s += cut.highlight.length_s
