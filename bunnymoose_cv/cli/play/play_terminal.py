"""A whole game in the terminal alone: from a script without a key, or before a camera with people."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from random import SystemRandom
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.profiles.table_profiles import default_table_profiles
from bunnymoose_cv.capture.camera_step import kept_step
from bunnymoose_cv.capture.live import lasting_name, shown_name
from bunnymoose_cv.cli.framework.exhaustion import expect_room_for_an_evening
from bunnymoose_cv.cli.play.last_table import at_last_table
from bunnymoose_cv.cli.play.play_options import PlayOptions, learnt_bam
from bunnymoose_cv.cli.play.play_script import play_script
from bunnymoose_cv.cli.play.terminal_game import TerminalGame
from bunnymoose_cv.cli.tables.round_tables import ranking_grid, show_round
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import echo, warn
from bunnymoose_cv.cli.terminal.keyboard import Keyboard
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.json_line import json_line
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.referee.dealer import USUAL_TEMPO_S
from bunnymoose_cv.referee.json_output import played_round_json, ranking_json
from bunnymoose_cv.referee.referee import PEOPLE
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.player_names import player_called, tidied
from bunnymoose_cv.session.dealer_setup import load_dealer_setup
from bunnymoose_cv.session.live_video_source import LiveVideoSource
from bunnymoose_cv.session.opened_game import open_game, opened_game
from bunnymoose_cv.session.services import Spoken
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.session.source_choice import watched_camera
from bunnymoose_cv.vision.reader import Reader

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bunnymoose_cv.cli.play.play_options import RoundOptions
    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.referee.script import Script
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.session.dealer_setup import DealerSetup
    from bunnymoose_cv.session.services import Services


def play_in_terminal(games: GameStore, options: PlayOptions, first_round: RoundOptions, bam: Path | None) -> None:
    """Play until the script or the game ends.

    Args:
        first_round: known facts of the first round; later rounds are entered at the table.
        bam: the file of the learnt sound of Bam; None takes the usual one, if there is one.

    Raises:
        InputError: nothing to look at or nobody who plays was told, or a file cannot be read.
        MemoryError: the process has too little address space.
    """
    expect_room_for_an_evening()
    if options.script is not None and options.evening is not None:
        _play_script(games, options, options.script, options.evening, as_json=first_round.as_json)
        return
    options = at_last_table(options)
    if options.camera is None:
        raise InputError("play needs one thing to see: a --camera with people, or a --script with clips")
    _play_live(games, options, options.camera, first_round, bam)


def _play_script(games: GameStore, options: PlayOptions, path: Path, evening: Script, *, as_json: bool) -> None:
    """Play a script, dealt from people's own box where they have one, and report each round.

    Raises:
        InputError: nothing is dealt from the box, or the script cannot be played.
    """
    if options.own_deck is not None and all(each.cards is not None for each in evening.rounds):
        raise InputError(f"--deck is for rounds that are dealt, and {path} tells the cards of each: leave --deck out.")
    game = _Game(
        games,
        GameStarted(evening.players, evening.rules),
        source=str(path.resolve()),
        title=path.stem,
        resume=options.resume,
        spoken=Spoken(_language(options), aloud=bool(options.speak)),
    )
    with game.open() as services:
        referee = services.referee(services.say, asks=False)
        for played, judged in play_script(evening, services.file, referee, options.own_deck):
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
    """Play with people; where nobody sits at a keyboard nobody is asked, and the likeliest reading stands."""
    game = _Game(
        games,
        _started(games, options, camera),
        source=shown_name(camera),
        title="",
        resume=options.resume,
        spoken=Spoken(_language(options), aloud=options.speak is not False),
    )
    cards = None if first_round.cards is None else parse_table(first_round.cards)
    learnt = learnt_bam(bam)
    dealing = _dealing(game.started, options) if first_round.deal else None
    console = Terminal(stderr=True) if first_round.as_json else Terminal()
    lasting = lasting_name(camera)
    with game.open() as services, ExitStack() as stack:
        settings = kept_step().limit(load_settings().camera)
        keyboard = Keyboard()
        session = Session(
            services,
            LiveVideoSource(watched_camera(camera, settings, options.microphone)),
            asks=keyboard.there,
            asks_everything=bool(options.ask_everything),
            dealing=dealing,
            bam=learnt,
            bams_s=tuple(first_round.at or ()),
        )
        stack.enter_context(session)
        if lasting is not None:  # by now it has given an image
            default_table_profiles().remember(lasting, services.file.game.players, warn)
        stack.enter_context(keyboard)
        begin_first_round(session, first_round.bet, cards)
        TerminalGame(session, keyboard, console, as_json=first_round.as_json).play()


def begin_first_round(session: Session, bet: str | None, cards: Table | None) -> None:
    """Bet and lay cards, unless the game that goes on has come further."""
    game = session.state.game
    if game.rounds or game.phase is not Phase.BETTING:
        if bet is not None or cards is not None:
            warn("The first round has begun already: --bet and --cards change nothing in this game.")
        return
    if bet is not None:
        session.bet(player_called(bet, game.seats) or tidied(bet), PEOPLE).result()
    if cards is not None:
        session.lay(cards, PEOPLE).result()


@dataclass(frozen=True, slots=True)
class _Game:
    """A game that is played in the terminal alone.

    Attributes:
        source: where its images come from: a script, a camera.
        resume: whether an unfinished game from that source goes on.
    """

    games: GameStore
    started: GameStarted
    source: str
    title: str
    resume: bool
    spoken: Spoken

    @contextmanager
    def open(self) -> Iterator[Services]:
        """Open all that the game needs, and let go of it afterwards; old evenings are cleared out then.

        Raises:
            InputError: there is an unfinished game of other players or rules, or games cannot be kept here.
        """
        settings = load_settings()
        with Reader(settings) as reader:
            file = open_game(self.games, self.started, source=self.source, title=self.title, resume=self.resume)
            with opened_game(self.games, file, reader, self.spoken, warn, record=settings.record) as services:
                yield services


def _language(options: PlayOptions) -> Language:
    return options.language or Language.ENGLISH


def _started(games: GameStore, options: PlayOptions, camera: str) -> GameStarted:
    if options.names is not None:
        return GameStarted(options.names, options.rules)
    if options.resume:
        begun = _begun_with(games, shown_name(camera))
        return replace(begun, rules=options.rules) if options.rules_told else begun
    raise InputError("play needs the names of the players: --players Red,Blue,Green")


def _dealing(started: GameStarted, options: PlayOptions) -> DealerSetup:
    """Set the built-in dealer up; its seed is printed, so that a deal can be repeated.

    Raises:
        InputError: there is no poem in the language.
    """
    seed = SystemRandom().randrange(1_000_000) if options.seed is None else options.seed
    warn(f"The cards are shuffled with --seed {seed}.")
    tempo_s = options.tempo or USUAL_TEMPO_S
    return load_dealer_setup(started.rules, _language(options), seed, tempo_s, options.own_deck)


def _begun_with(games: GameStore, source: str) -> GameStarted:
    """Return the players and rules of the unfinished game of a source.

    Raises:
        InputError: there is none.
    """
    unfinished = games.unfinished(source)
    if unfinished is None:
        raise InputError("No game from this camera waits to be gone on with: begin one with --players Red,Blue,Green")
    with GameFile.open(unfinished.folder) as file:
        return GameStarted(file.game.players, file.game.rules)
