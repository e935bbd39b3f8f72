"""What is told of an evening when it is looked back on: who stood where, what was put right, which films there are.

Everything follows from the game file and what lies beside it. Owns no film, no words and no page.
"""

from __future__ import annotations

import time
from contextlib import suppress
from enum import Enum
from typing import TYPE_CHECKING, Final, TypeAlias

from bunnymoose_cv.record.claim import is_played
from bunnymoose_cv.record.kept_rounds import EvidenceError, kept_round
from bunnymoose_cv.record.whole_files import part_of
from bunnymoose_cv.rules.events import BetCorrected, PoseCorrected, TableCorrected
from bunnymoose_cv.rules.trail import Trail

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.record.game_file import Entry, GameFile
    from bunnymoose_cv.record.kept_rounds import KeptRound
    from bunnymoose_cv.rules.game import Game

Spaces: TypeAlias = tuple[int, ...]
"""The spaces of one figure: at the start, then after each round."""

MAKING_S: Final = 180.0
"""A film that is not there so long after the round's pictures will not come: it takes some seconds."""


class FilmState(Enum):
    """What there is of a round's film."""

    THERE = "there"
    COMING = "coming"
    NONE = "none"
    DAMAGED = "damaged"


def standings(game: Game) -> dict[str, tuple[Spaces, Spaces]]:
    """Where everybody's rear and front figure stood, at the start and after each round that is over.

    Returns:
        Rear and front by player, in the order of the players.
    """
    trails = [Trail.start(game.rules.spaces, game.players), *(played.trail for played in game.rounds)]
    both = {player: [_spaces(trail, player) for trail in trails] for player in game.players}
    return {player: (tuple(map(min, spaces)), tuple(map(max, spaces))) for player, spaces in both.items()}


def _spaces(trail: Trail, player: str) -> tuple[int, ...]:
    return tuple(space for figure, space in trail.places.items() if figure.player == player)


def corrections(file: GameFile, round_number: int) -> tuple[Entry, ...]:
    """What people put right in a round and still stands, in order."""
    return tuple(
        entry
        for entry in file.standing
        if isinstance(entry.event, PoseCorrected | TableCorrected | BetCorrected)
        and entry.event.round_number == round_number
    )


def film_state(game_folder: Path, round_number: int) -> FilmState:
    """Whether a round's film can be shown, is still being made, or will not come."""
    kept = kept_round(game_folder, round_number)
    try:
        if kept.read_times() is not None:
            return FilmState.THERE
    except EvidenceError:
        return FilmState.DAMAGED
    coming = is_played(game_folder) and (part_of(kept.replay).is_file() or _age_s(kept) < MAKING_S)
    return FilmState.COMING if coming else FilmState.NONE


def _age_s(kept: KeptRound) -> float:
    """How long the round's pictures have been there, seconds; endless where there are none."""
    with suppress(OSError):
        return time.time() - kept.json.stat().st_mtime
    return float("inf")
