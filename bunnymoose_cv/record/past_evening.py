"""Summary of a past evening: standings, corrections, films.

Everything follows from the game file and what lies beside it.
"""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.core.atomic_files import part_of
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import is_visible
from bunnymoose_cv.record.footage_spool import spools_of
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.process_lock import is_played
from bunnymoose_cv.record.round_folder import EvidenceError, round_folder
from bunnymoose_cv.rules.cards import HunterCard
from bunnymoose_cv.rules.events import CardLaid, Correction, TableCorrected, TableLaid
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.trail import Trail

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bunnymoose_cv.record.game_file import Entry
    from bunnymoose_cv.record.round_folder import RoundFolder
    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.rules.events import Event
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.rules.ranking import Standing
    from bunnymoose_cv.rules.round import Round

Spaces: TypeAlias = tuple[int, ...]
"""The spaces of one figure: at the start, then after each round."""

MAKING_S: Final = 180.0
"""A film that is not there so long after the round's images will not come: it takes some seconds."""


class FilmState(Enum):
    """State of a round's film."""

    THERE = "there"
    COMING = "coming"
    HELD = "held"  # its images are there, so that it can be made
    LOST = "lost"  # the round was seen, and its images are gone
    NONE = "none"
    DAMAGED = "damaged"


def standings(game: Game) -> dict[str, tuple[Spaces, Spaces]]:
    """Positions of everybody's rear and front figure, at the start and after each round that is over.

    Returns:
        Rear and front by player, in the order of the players.
    """
    trails = [Trail.start(game.rules.spaces, game.players), *(played.trail for played in game.rounds)]
    both = {player: [_spaces(trail, player) for trail in trails] for player in game.players}
    return {player: (tuple(map(min, spaces)), tuple(map(max, spaces))) for player, spaces in both.items()}


def _spaces(trail: Trail, player: str) -> tuple[int, ...]:
    return tuple(space for figure, space in trail.places.items() if figure.player == player)


@dataclass(frozen=True, slots=True)
class PastRound:
    """A round that is over.

    Attributes:
        played: what happened, as it stands today.
        seat_films: the seats whose films have been made.
    """

    played: Round
    corrections: tuple[Entry, ...]
    film: FilmState
    seat_films: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PastEvening:
    """A game as it is looked back on.

    Attributes:
        has_highlights: whether the film of its highlights has been made.
        size_bytes: what it takes on the disk.
    """

    kept: StoredGame
    title: str
    game: Game
    rounds: tuple[PastRound, ...]
    has_highlights: bool
    size_bytes: int


@dataclass(frozen=True, slots=True)
class ListedGame:
    """Entry of the list of kept games.

    Attributes:
        rounds: how many rounds are over.
        over: whether it was played to its end.
        problem: one sentence if it cannot be read; else empty.
    """

    kept: StoredGame
    title: str = ""
    players: tuple[str, ...] = ()
    rounds: int = 0
    over: bool = False
    ranking: tuple[Standing, ...] = ()
    problem: str = ""


def listed_game(kept: StoredGame) -> ListedGame:
    """Read what the list says of a kept game."""
    try:
        with GameFile.open(kept.folder) as file:
            game = file.game
    except InputError as error:
        return ListedGame(kept, problem=error.sentence)
    over = game.phase is Phase.OVER
    return ListedGame(kept, file.title, game.players, len(game.rounds), over, game.ranking)


def past_evening_of(kept: StoredGame) -> PastEvening:
    """Summary of a kept game.

    Raises:
        GameFileError: it cannot be read.
    """
    with GameFile.open(kept.folder) as file:
        game, entries, title = file.game, file.standing, file.title
    rounds = tuple(_retold(kept.folder, played, entries) for played in game.rounds)
    return PastEvening(kept, title, game, rounds, is_visible(kept.highlights), kept.size_bytes)


def _retold(folder: Path, played: Round, entries: Iterable[Entry]) -> PastRound:
    number = played.facts.number
    kept = round_folder(folder, number)
    seats = tuple(verdict.seat for verdict in played.verdicts if is_visible(kept.seat_film(verdict.seat)))
    return PastRound(played, corrections(entries, number), film_state(folder, number), seats)


def corrections(entries: Iterable[Entry], round_number: int) -> tuple[Entry, ...]:
    """Corrections of a round that count, in order: not one of cards that others were laid upon afterwards."""
    standing = tuple(entries)
    events = [entry.event for entry in standing]
    return tuple(
        entry
        for place, (entry, event) in enumerate(zip(standing, events, strict=True))
        if isinstance(event, Correction)
        and event.round_number == round_number
        and not (isinstance(event, TableCorrected) and _is_covered(event, events[: place + 1], events[place + 1 :]))
    )


def _is_covered(correction: TableCorrected, before: Sequence[Event], after: Sequence[Event]) -> bool:
    """Tell if other cards were laid on all that were put right while the round was still open, as after no Bam."""
    laid = 0
    for place, event in enumerate(after):
        laid_now = _laid_by(event)
        if laid_now and fold([*before, *after[:place]]).round_number != correction.round_number:
            return False
        laid += laid_now
        if laid >= len(correction.cards):
            return True
    return False


def _laid_by(event: Event) -> int:
    """Number of cards that an event lays on full piles; a hunter then only ends the deal."""
    match event:
        case TableLaid(cards):
            return len(cards)
        case CardLaid(card):
            return not isinstance(card, HunterCard)
    return 0


def film_state(game_folder: Path, round_number: int) -> FilmState:
    """State of a round's film: shown, still being made, to be made, or lost."""
    kept = round_folder(game_folder, round_number)
    try:
        if kept.read_times() is not None:
            return FilmState.THERE
    except EvidenceError:
        return FilmState.DAMAGED
    coming = is_played(game_folder) and (part_of(kept.replay).is_file() or _age_s(kept) < MAKING_S)
    if coming:
        return FilmState.COMING
    if not kept.json.is_file():
        return FilmState.NONE
    return FilmState.HELD if spools_of(game_folder, round_number) else FilmState.LOST


def _age_s(kept: RoundFolder) -> float:
    """Age of the round's images, seconds; endless where there are none."""
    with suppress(OSError):
        return time.time() - kept.json.stat().st_mtime
    return float("inf")
