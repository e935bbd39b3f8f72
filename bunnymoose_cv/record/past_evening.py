"""Summary of a past evening: standings, corrections, films."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.core.atomic_files import part_of
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.footage_spool import spools_of
from bunnymoose_cv.record.game_corrections import corrections
from bunnymoose_cv.record.game_file import Entry, GameFile
from bunnymoose_cv.record.game_folders import StoredGame, is_played
from bunnymoose_cv.record.round_folder import EvidenceError, RoundFolder, round_folder
from bunnymoose_cv.record.short_films import has_highlights, has_seat_film
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.trail import Standing, Trail

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bunnymoose_cv.rules.round import Round

Spaces: TypeAlias = tuple[int, ...]
"""Spaces of one figure: at the start, then after each round."""

MAKING_S: Final = 180.0
"""Age of a round's images, in seconds, after which a missing film counts as lost; making one takes some seconds."""


class FilmState(Enum):
    """State of a round's film."""

    THERE = "there"
    COMING = "coming"
    HELD = "held"  # its footage is held, so it can be made
    LOST = "lost"  # the round has evidence, but its footage is gone
    NONE = "none"
    DAMAGED = "damaged"


def standings(game: Game) -> dict[str, tuple[Spaces, Spaces]]:
    """Return the positions of each player's rear and front figure, at the start and after each finished round."""
    trails = [Trail.start(game.rules.spaces, game.players), *(played.trail for played in game.rounds)]
    both = {player: [_spaces(trail, player) for trail in trails] for player in game.players}
    return {player: (tuple(map(min, spaces)), tuple(map(max, spaces))) for player, spaces in both.items()}


def _spaces(trail: Trail, player: str) -> tuple[int, ...]:
    return tuple(space for figure, space in trail.places.items() if figure.player == player)


@dataclass(frozen=True, slots=True)
class PastRound:
    """Finished round after all corrections; `seat_films` are those that agree with the current verdict."""

    played: Round
    corrections: tuple[Entry, ...]
    film: FilmState
    seat_films: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PastEvening:
    """Summary of a past game; `has_highlights` is True if their film agrees with the current game."""

    kept: StoredGame
    title: str
    game: Game
    rounds: tuple[PastRound, ...]
    has_highlights: bool
    size_bytes: int


@dataclass(frozen=True, slots=True)
class ListedGame:
    """Entry of the list of stored games, with its finished rounds; `problem` is empty if it can be read."""

    kept: StoredGame
    title: str = ""
    players: tuple[str, ...] = ()
    rounds: int = 0
    over: bool = False
    ranking: tuple[Standing, ...] = ()
    problem: str = ""


def listed_game(kept: StoredGame) -> ListedGame:
    """Read a stored game's entry of the list."""
    try:
        with GameFile.open(kept.folder) as file:
            game = file.game
    except InputError as error:
        return ListedGame(kept, problem=error.sentence)
    over = game.phase is Phase.OVER
    return ListedGame(kept, file.title, game.players, len(game.rounds), over, game.ranking)


def past_evening_of(kept: StoredGame) -> PastEvening:
    """Read the summary of a stored game; raise a `GameFileError` if it cannot be read."""
    with GameFile.open(kept.folder) as file:
        game, entries, title = file.game, file.standing, file.title
        has_film = has_highlights(file, kept.highlights)
    rounds = tuple(_past_round(kept.folder, played, entries) for played in game.rounds)
    return PastEvening(kept, title, game, rounds, has_film, kept.size_bytes)


def _past_round(folder: Path, played: Round, entries: Sequence[Entry]) -> PastRound:
    number = played.facts.number
    kept = round_folder(folder, number)
    seats = tuple(verdict.seat for verdict in played.verdicts if has_seat_film(kept, verdict))
    return PastRound(played, corrections(entries, number), film_state(folder, number), seats)


def film_state(game_folder: Path, round_number: int) -> FilmState:
    """Return the state of a round's film."""
    kept = round_folder(game_folder, round_number)
    try:
        if kept.read_times() is not None:
            return FilmState.THERE
    except EvidenceError:
        return FilmState.DAMAGED
    if is_played(game_folder) and (part_of(kept.replay).is_file() or _age_s(kept) < MAKING_S):
        return FilmState.COMING
    if not kept.json.is_file():
        return FilmState.NONE
    return FilmState.HELD if spools_of(game_folder, round_number) else FilmState.LOST


def _age_s(kept: RoundFolder) -> float:
    """Return the age of the round's images in seconds; infinite without images."""
    with suppress(OSError):
        return time.time() - kept.json.stat().st_mtime
    return float("inf")
