"""Whole game in the terminal: from a script without input, or with players in front of a camera."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.capture.camera_list import kept_step
from bunnymoose_cv.capture.live import lasting_name, shown_name
from bunnymoose_cv.cli.play.last_table import at_last_table
from bunnymoose_cv.cli.play.play_options import PlayOptions, learnt_bam
from bunnymoose_cv.cli.play.play_script import play_script
from bunnymoose_cv.cli.play.terminal_game import TerminalGame
from bunnymoose_cv.cli.tables import ranking_grid, show_round
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import echo, warn
from bunnymoose_cv.cli.terminal.keyboard import Keyboard
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.exhaustion import expect_room_for_an_evening
from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.output.game_json import played_round_json, ranking_json
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.player_names import player_called, tidied
from bunnymoose_cv.rules.provenance import PEOPLE
from bunnymoose_cv.session.game_setup import FIRST_SETUP, load_dealer_setup, random_seed
from bunnymoose_cv.session.services import open_game, opened_game
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.source_choice import watched_camera
from bunnymoose_cv.session.sources.video_source import LiveVideoSource
from bunnymoose_cv.vision.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bunnymoose_cv.cli.play.play_options import RoundOptions
    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.referee.script import Script
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.session.game_setup import GameSetup
    from bunnymoose_cv.session.services import Services


def play_in_terminal(games: GameStore, options: PlayOptions, first_round: RoundOptions, bam: Path | None) -> None:
    """Play until the script or the game ends.

    Args:
        first_round: the known facts of the first round; later rounds are entered at the table.
        bam: the file of the learnt sound of Bam; None takes the default one, if it exists.
    """
    expect_room_for_an_evening()
    if options.script_path is not None and options.script is not None:
        _play_script(games, options, options.script_path, options.script, as_json=first_round.as_json)
        return
    options = at_last_table(options)
    if options.camera is None:
        raise InputError("play needs one thing to see: a --camera with people, or a --script with clips")
    _play_live(games, options, options.camera, first_round, bam)


def _play_script(games: GameStore, options: PlayOptions, path: Path, script: Script, *, as_json: bool) -> None:
    """Play a script, dealing from the players' own deck if there is one, and report each round."""
    setup = FIRST_SETUP.merge(speaks=False).merge(**options.given)
    if setup.deck is not None and all(scripted.cards is not None for scripted in script.rounds):
        raise InputError(f"--deck is for rounds that are dealt, and {path} tells the cards of each: leave --deck out.")
    with _open(games, setup, str(path.resolve()), path.stem, resume=options.resume) as services:
        referee = services.referee(services.say, asks=False)
        for played, judged in play_script(script, services.file, referee, setup.deck):
            if as_json:
                echo(json_line(played_round_json(played, judged)))
            else:
                show_round(Terminal(), played, judged)
        standings = services.file.game.ranking
        if as_json:
            echo(json_line({"ranking": ranking_json(standings)}))
        else:
            Terminal().print(ranking_grid(standings))


def _play_live(
    games: GameStore, options: PlayOptions, camera: str, first_round: RoundOptions, bam: Path | None
) -> None:
    """Play with players; without a keyboard, no questions are asked and the likeliest reading counts."""
    setup = _setup(games, options, camera)
    cards = None if first_round.cards is None else parse_table(first_round.cards)
    learnt = learnt_bam(bam)
    if first_round.deal:
        setup = replace(setup, seed=random_seed() if setup.seed is None else setup.seed)
        warn(f"The cards are shuffled with --seed {setup.seed}.")
    dealing = load_dealer_setup(setup) if first_round.deal else None
    console = Terminal(stderr=True) if first_round.as_json else Terminal()
    lasting = lasting_name(camera)
    keyboard = Keyboard()
    with _open(games, setup, shown_name(camera), resume=options.resume) as services, ExitStack() as stack:
        settings = kept_step().limit(load_settings().camera)
        session = Session(
            services,
            LiveVideoSource(watched_camera(camera, settings, options.microphone)),
            asks=keyboard.there,
            dealing=dealing,
            bam=learnt,
            bams_s=tuple(first_round.at or ()),
        )
        stack.enter_context(session)
        if lasting is not None:  # the camera has given an image by now
            default_profile_files().remember_table(lasting, services.file.game.players, warn)
        stack.enter_context(keyboard)
        begin_first_round(session, first_round.bet, cards)
        TerminalGame(session, keyboard, console, as_json=first_round.as_json).play()


def begin_first_round(session: Session, bet: str | None, cards: Table | None) -> None:
    """Enter bet and cards, unless a resumed game is past that point."""
    game = session.state.game
    if game.rounds or game.phase is not Phase.BETTING:
        if bet is not None or cards is not None:
            warn("The first round has begun already: --bet and --cards change nothing in this game.")
        return
    if bet is not None:
        session.bet(player_called(bet, game.seats) or tidied(bet), PEOPLE).result()
    if cards is not None:
        session.submit_cards(cards, PEOPLE).result()


@contextmanager
def _open(games: GameStore, setup: GameSetup, source: str, title: str = "", *, resume: bool) -> Iterator[Services]:
    """Open the services of a game, whose images come from a script or camera; on exit delete old evenings, too."""
    settings, started = load_settings(), GameStarted(setup.players, setup.rules)
    with Reader(settings) as reader:
        file = open_game(games, started, source=source, title=title, resume=resume)
        with opened_game(games, file, reader, setup, warn, record=settings.record) as services:
            yield services


def _setup(games: GameStore, options: PlayOptions, camera: str) -> GameSetup:
    """Return the set-up of a game with players, whose names may come from the unfinished game."""
    if options.given["players"] is not None:
        return FIRST_SETUP.merge(**options.given)
    if not options.resume:
        raise InputError("play needs the names of the players: --players Red,Blue,Green")
    unfinished = games.unfinished(shown_name(camera))
    if unfinished is None:
        raise InputError("There is no unfinished game from this camera: begin one with --players Red,Blue,Green")
    with GameFile.open(unfinished.folder) as file:
        return FIRST_SETUP.merge(players=file.game.players, rules=file.game.rules).merge(**options.given)
