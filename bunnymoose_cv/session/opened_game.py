"""Games of a store, opened to be played: begun or gone on with, and left with old evenings cleared out."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.profiles.player_profiles import default_player_profiles
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.player_names import name_key
from bunnymoose_cv.session.services import open_services

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from bunnymoose_cv.core.user_settings import RecordSettings
    from bunnymoose_cv.record.game_file import GameFile
    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.record.stored_game import StoredGame
    from bunnymoose_cv.rules.events import GameStarted
    from bunnymoose_cv.session.services import Services, Spoken
    from bunnymoose_cv.vision.reader import Reader


@contextmanager
def opened_game(  # noqa: PLR0913 - what a game is played with
    games: GameStore,
    file: GameFile,
    reader: Reader | None,
    spoken: Spoken,
    tell: Callable[[str], None],
    *,
    record: RecordSettings,
    tell_of_clearing: Callable[[str], None] | None = None,
) -> Iterator[Services]:
    """Open the services of a game with the players' profiles, and leave the game afterwards; then clear old ones out.

    Args:
        file: the game; closed with its services.
        reader: the models; None where nothing looks at the players.
        record: how many evenings are kept.
        tell_of_clearing: called with a sentence about each deleted game; None takes `tell`.
    """
    try:
        with file, open_services(file, reader, spoken, tell, default_player_profiles()) as services:
            yield services
    finally:
        games.leave(file)
    games.clear_out(record, tell_of_clearing or tell, file.folder)


def open_game(
    games: GameStore, started: GameStarted, *, source: str, title: str = "", resume: bool = False
) -> GameFile:
    """Begin a new game, or go on with the unfinished one of the same source.

    Args:
        source: where its images come from: a script, a camera.
        resume: whether an unfinished game from that source goes on.

    Raises:
        InputError: the unfinished game is one of other players or rules, or games cannot be kept here.
    """
    unfinished = games.unfinished(source) if resume else None
    if unfinished is None:
        return games.begin(started, title=title, source=source, who="people")
    return resume_game(games, unfinished, started)


def resume_game(games: GameStore, unfinished: StoredGame, started: GameStarted) -> GameFile:
    """Go on with an unfinished game, whose players keep the names as it spells them.

    Args:
        started: its players and rules; another spelling of a name, in Unicode or in capitals, is the same player.

    Raises:
        InputError: it is one of other players or rules, or is played already.
    """
    file = games.resume(unfinished)
    same_players = list(map(name_key, file.game.players)) == list(map(name_key, started.players))
    if not same_players or file.game.rules != started.rules:
        file.close()
        raise InputError(
            f"The game {unfinished.name} was begun by other players or rules: play without --resume to begin a new one."
        )
    return file
