"""Short films cut out of the replays of rounds: the highlights of an evening, and one player in a round."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.announcements.announcing import verdict_line
from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.image_geometry import fit_image
from bunnymoose_cv.capture.sound import Sound, read_sound
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.drawing.letters import draw_caption
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.replay import CLOSE_UP_ABOVE, CLOSE_UP_FACES
from bunnymoose_cv.record.round_folder import EvidenceError, RoundFolder, round_folder
from bunnymoose_cv.record.video_file import FilmError, Progress, SizeLimit, stamp_of, with_progress, write_film
from bunnymoose_cv.rules.events import PoseCorrected
from bunnymoose_cv.rules.player_names import name_key
from bunnymoose_cv.vision.geometry import Box

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from bunnymoose_cv.record.evidence_json import FilmShape, RoundShape
    from bunnymoose_cv.record.game_folders import StoredGame
    from bunnymoose_cv.rules.round import Verdict

BIGGEST: Final = 3
"""Number of the biggest scores that are highlights."""

HIGHLIGHT_BEFORE_S, HIGHLIGHT_STILL_S = 2.0, 3.0
"""Time of a round in a highlight: before the cue, and of the judged still."""

LONGEST_S: Final = 30.0
"""Maximum duration of the highlights; the lowest ranks are left out."""

HIGHLIGHTS_LIMIT: Final = SizeLimit(most_bytes=8_000_000, longest_s=LONGEST_S + 0.2)

LARGEST: Final = (1280, 720)
"""Maximum size of the film, for phones."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """A few seconds of a round's replay.

    Attributes:
        caption: the reason; empty if the replay has its own caption.
        rank: 0 for the biggest scores, 1 for moves, 2 for corrections; the highest is left out first.
    """

    round_number: int
    caption: str
    start_s: float
    end_s: float
    rank: int = 0

    @property
    def length_s(self) -> float:
        """Duration in seconds."""
        return self.end_s - self.start_s


def highlights(
    game: GameFile, problems: list[InputError], language: Language = Language.ENGLISH
) -> tuple[Highlight, ...]:
    """Return the biggest scores, the moves and the corrections in order of the rounds, within the longest duration.

    Args:
        problems: a list to which an error is added for each round whose time table is damaged.
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
        captions = [verdict_line(verdict, language) for verdict in biggest.get(number, [])]
        captions += [
            f"{entry.event.player}: {entry.event.pose}, {texts(entry.why)}"
            for entry in game.standing
            if isinstance(entry.event, PoseCorrected) and entry.event.round_number == number
        ]
        start_s, end_s = times.cue_s - HIGHLIGHT_BEFORE_S, times.cue_s + min(times.hold_s, HIGHLIGHT_STILL_S)
        if captions:
            caption, rank = " · ".join([str(number), *captions]), 0 if number in biggest else 2
            found.append(Highlight(number, caption, max(0.0, start_s), end_s, rank))
        found += [Highlight(number, "", repeat.start_s, repeat.end_s, 1) for repeat in times.repeats]
    return _as_many_as_fit(found)


def _as_many_as_fit(found: Sequence[Highlight]) -> tuple[Highlight, ...]:
    """Choose highlights by rank up to the longest duration, and return them in the order of the rounds."""
    kept, left_s = set[Highlight](), LONGEST_S
    for highlight in sorted(found, key=lambda highlight: highlight.rank):
        if highlight.length_s <= left_s:
            kept.add(highlight)
            left_s -= highlight.length_s
    return tuple(highlight for highlight in found if highlight in kept)


def has_highlights(game: GameFile, path: Path) -> bool:
    """Return whether the film of the highlights exists and agrees with the current game."""
    return stamp_of(path) == _stamp(highlights(game, []))


def _stamp(found: Iterable[Highlight]) -> str:
    """Return the stamp of the film, which has its English captions. Another stamp means an outdated film."""
    return "\n".join(f"{part.caption} {part.start_s:.2f}-{part.end_s:.2f}" for part in found)


def _biggest(game: GameFile) -> dict[int, list[Verdict]]:
    """Return the verdicts with the biggest scores, ahead or back, by round."""
    scored = [(played.facts.number, verdict) for played in game.game.rounds for verdict in played.verdicts]
    scored.sort(key=lambda each: -abs(each[1].score.total or 0))
    found: dict[int, list[Verdict]] = {}
    for number, verdict in scored[:BIGGEST]:
        if verdict.score.total:
            found.setdefault(number, []).append(verdict)
    return found


def write_highlights(
    game: GameFile,
    path: Path,
    problems: list[InputError],
    language: Language = Language.ENGLISH,
    report: Progress = lambda _: None,
) -> tuple[Highlight, ...]:
    """Write the highlights of an evening as one film.

    Args:
        problems: a list to which an error is added for each round whose replay is damaged; the film leaves it out.

    Raises:
        FilmError: there is nothing to show, or the film cannot be written.
    """
    cuts = tuple(_cuts(game, highlights(game, problems, language), problems))
    if not cuts:
        raise FilmError(Phrase("The evening has no highlights: no replay shows a score, a move or a correction."))
    length_s = sum(cut.highlight.length_s for cut in cuts)
    frames = with_progress(_cut_together(cuts), 0.0, length_s, report)
    stamp = _stamp(highlights(game, []))
    write_film(path, frames, [cut.sound for cut in cuts], limit=HIGHLIGHTS_LIMIT, stamp=stamp)
    return tuple(cut.highlight for cut in cuts)


@dataclass(frozen=True, slots=True)
class _Cut:
    """Highlight in its replay, with its sound on the clock of the film."""

    highlight: Highlight
    replay: Clip
    sound: Sound


def _cuts(game: GameFile, found: Sequence[Highlight], problems: list[InputError]) -> Iterator[_Cut]:
    """Open the replay of each round; the error of a damaged or truncated one is added to `problems`."""
    start_s = 0.0
    for number, parts in groupby(found, lambda highlight: highlight.round_number):
        path = round_folder(game.folder, number).replay
        try:
            replay, sound = Clip(path, str(path)), read_sound(path)
            for part in parts:
                replay.check_time(part.end_s - _CUT_S)
                yield _Cut(part, replay, _cut_sound(sound, part.start_s, part.end_s, start_s))
                start_s += part.length_s
        except InputError as error:
            problems.append(error)


def _cut_together(cuts: Sequence[_Cut]) -> Iterator[Frame]:
    """Yield the frames of all highlights, at the size of the first one or the maximum size."""
    width, height = cuts[0].replay.size
    scale = min(1.0, LARGEST[0] / width, LARGEST[1] / height)
    size = round(width * scale), round(height * scale)
    for cut in cuts:
        part, start_s, shown = cut.highlight, cut.sound.start_s, None
        for frame in cut.replay.frames(part.start_s, part.end_s):
            image = fit_image(frame.image, size)
            shown = draw_caption(image, part.caption) if part.caption else image
            yield Frame(shown, start_s + frame.time_s - part.start_s)
        if shown is not None:
            yield Frame(shown, start_s + part.length_s - _CUT_S)


_CUT_S: Final = 0.04
"""Duration of the last image of a highlight, which is repeated before the next one begins."""


def _cut_sound(sound: Sound, start_s: float, end_s: float, at_s: float) -> Sound:
    """Cut a time span out of a sound, to be heard at another time."""
    samples = sound.samples[round(start_s * sound.rate) : round(end_s * sound.rate)]
    return Sound(samples, sound.rate, at_s)


AROUND_CUE_S: Final = 2.5
"""Time before and after the cue in the film of a seat; the judged image is left out."""

SEAT_FILM_LIMIT: Final = SizeLimit(most_bytes=1_000_000, longest_s=2 * AROUND_CUE_S + 0.2)

_WIDE_FACES: Final = 3.2
"""Largest width of the view, in heights of the face. Antlers and ears fit into it."""

_NARROWEST_FACES: Final = 1.2
"""Minimum width of the view even if a neighbour leans in, so that the player's own face remains whole."""

_ROWS: Final = (320, 640)
"""Minimum and maximum height of the film, pixels."""


def write_seat_film(kept: RoundFolder, seat: int, verdict: Verdict | None, report: Progress = lambda _: None) -> Path:
    """Cut one player out of a round's replay: the seconds around the cue, without the judged image and its drawings.

    The film of a round that is not over has no verdict and no caption.

    Raises:
        FilmError: the replay is missing, the player was not seen, or the film cannot be written.
        EvidenceError: the evidence cannot be read.
    """
    evidence, times = kept.read(), kept.read_times()
    if times is None:
        raise FilmError(
            Phrase(
                "There is no replay in {folder}: it was not kept, or is still being written.", folder=str(kept.folder)
            )
        )
    if evidence is None or evidence.reading_of(seat) is None:
        raise FilmError(
            Phrase(
                "Nobody was seen in seat {seat}: look at the whole replay, {replay}.",
                seat=seat,
                replay=str(kept.replay),
            )
        )
    caption = "" if verdict is None else verdict_line(verdict, evidence.language)
    frames = with_progress(_close_up(kept, seat_view(evidence, seat), times, caption), 0.0, 2 * AROUND_CUE_S, report)
    path = kept.seat_film(seat)
    stamp = "" if verdict is None else seat_film_stamp(verdict)
    write_film(path, frames, list(_sounds(kept.replay, times)), limit=SEAT_FILM_LIMIT, stamp=stamp)
    return path


def seat_film_stamp(verdict: Verdict) -> str:
    """Return the stamp of a seat's film, in any language. Another stamp means an outdated film."""
    return f"{verdict.player}: {verdict.score.pose}, {verdict.score.species.value} {verdict.score.total}"


def has_seat_film(kept: RoundFolder, verdict: Verdict) -> bool:
    """Return whether the film of a player exists and agrees with the current verdict."""
    return stamp_of(kept.seat_film(verdict.seat)) == seat_film_stamp(verdict)


def seat_view(evidence: RoundShape, seat: int) -> Box:
    """Return the part of the image that shows one player who was seen, and no face of a neighbour."""
    faces = {player.seat: Box(*player.face_px) for player in evidence.agreed.players}
    face = faces[seat]
    (x, y), (columns, rows) = face.centre, evidence.size
    narrowest = _NARROWEST_FACES * face.height / 2
    others = [neighbour for other, neighbour in faces.items() if other != seat]
    left = [x - (neighbour.x + neighbour.width) for neighbour in others if neighbour.centre[0] <= x]
    right = [neighbour.x - x for neighbour in others if neighbour.centre[0] > x]
    aside = max(narrowest, min([_WIDE_FACES * face.height / 2, *left, *right]))
    start, end = max(0.0, x - aside), min(float(columns), x + aside)
    height = min(CLOSE_UP_FACES * face.height, float(rows))
    top = min(max(0.0, y - CLOSE_UP_ABOVE * face.height - height / 2), rows - height)
    return Box(start, top, end - start, height)


def _close_up(kept: RoundFolder, view: Box, times: FilmShape, caption: str) -> Iterator[Frame]:
    """Yield the frames around the cue in real time, from 0 on; the caption begins at the cue."""
    clip, start_s = Clip(kept.replay, kept.replay.name), times.cue_s - AROUND_CUE_S
    for frame in clip.frames(start_s, times.cue_s + times.hold_s + AROUND_CUE_S):
        if times.repeats and frame.time_s >= times.repeats[0].start_s - _BEFORE_REPEAT_S:
            return
        if frame.time_s < times.cue_s - _SAME_TIME_S:
            yield Frame(_mirrored(frame.image, view), frame.time_s - start_s)
        elif frame.time_s >= times.cue_s + times.hold_s - _SAME_TIME_S:
            image = draw_caption(_mirrored(frame.image, view), caption)
            yield Frame(image, frame.time_s - times.hold_s - start_s)


_SAME_TIME_S: Final = 0.002
"""Tolerance for times in a film, which are rounded."""

_BEFORE_REPEAT_S: Final = 0.05
"""Largest distance of a round's last image from the first repeat."""


def _mirrored(image: Image, view: Box) -> Image:
    """Crop an image to a view, mirrored as on the pages, at the size of the film."""
    left, top = round(view.x), round(view.y)
    part = image[top : top + round(view.height), left : left + round(view.width)]
    rows = min(max(part.shape[0], _ROWS[0]), _ROWS[1])
    columns = max(2, round(rows * part.shape[1] / part.shape[0]) // 2 * 2)
    way = cv2.INTER_AREA if rows < part.shape[0] else cv2.INTER_CUBIC
    return np.asarray(cv2.flip(cv2.resize(part, (columns, rows // 2 * 2), interpolation=way), 1), np.uint8)


def _sounds(replay: Path, times: FilmShape) -> Iterator[Sound]:
    """Yield the sound before the judged image and after it, on the clock of the film."""
    sound, after_s = read_sound(replay), times.cue_s + times.hold_s
    start_s = max(0.0, times.cue_s - AROUND_CUE_S)
    yield _cut_sound(sound, start_s, times.cue_s, start_s - times.cue_s + AROUND_CUE_S)
    yield _cut_sound(sound, after_s, after_s + AROUND_CUE_S, AROUND_CUE_S)


def remove_seat_films(games: Iterable[StoredGame], player: str) -> None:
    """Delete all films of a player's seat; an unreadable game is left unchanged."""
    for kept in games:
        with suppress(InputError, OSError), GameFile.open(kept.folder) as file:
            for played in file.game.rounds:
                for verdict in played.verdicts:
                    if name_key(verdict.player) == name_key(player):
                        folder = round_folder(kept.folder, played.facts.number)
                        folder.seat_film(verdict.seat).unlink(missing_ok=True)
