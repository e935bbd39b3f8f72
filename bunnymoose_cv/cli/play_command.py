"""`bunnymoose play`: a whole game, from a camera with people or from a script without."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - a dataclass reads the annotations
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.cli.score_commands import AdvancedOption, EditionOption  # noqa: TC001 - typer reads the annotations
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.referee.dealer import FASTEST_TEMPO_S, SLOWEST_TEMPO_S, USUAL_TEMPO_S
from bunnymoose_cv.rules.cards import Table, parse_table
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, Deck, Rules, Variant, read_deck, rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.game import Phase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.record.game_store import Games
    from bunnymoose_cv.referee.script import Script
    from bunnymoose_cv.session.dealer_setup import DealerSetup
    from bunnymoose_cv.session.services import Services, Spoken
    from bunnymoose_cv.session.session import Session


def play(
    *,
    script: Annotated[
        Path | None,
        typer.Option("--script", metavar="EVENING.toml", help="Play what this file tells, from clips, without a key."),
    ] = None,
    camera: Annotated[
        str | None,
        typer.Option("--camera", metavar="N|NAME|FILE|URL", help="What sees the players; “bunnymoose cameras” lists."),
    ] = None,
    players: Annotated[
        str | None,
        typer.Option("--players", help="Names round the table, from the first narrator to the left: Red,Blue,Green."),
    ] = None,
    edition: EditionOption = DEFAULT_EDITION,
    advanced: AdvancedOption = True,
    variant: Annotated[
        list[Variant] | None, typer.Option("--variant", help="What else you agreed on; more than once if you like.")
    ] = None,
    deck: Annotated[
        Path | None, typer.Option("--deck", metavar="FILE", help="The cards of your own box; see “bunnymoose deck”.")
    ] = None,
    deal: Annotated[bool, typer.Option("--deal", help="The referee deals, recites the poem and says Bam.")] = False,
    seed: Annotated[int | None, typer.Option("--seed", help="Shuffle as in another game with this number.")] = None,
    tempo: Annotated[
        float | None,
        typer.Option(
            "--tempo",
            metavar="SECONDS",
            min=FASTEST_TEMPO_S,
            max=SLOWEST_TEMPO_S,
            help=f"From one line of the poem to the next; usually {USUAL_TEMPO_S:g}.",
        ),
    ] = None,
    bet: Annotated[str | None, typer.Option("--bet", metavar="PLAYER", help="The bet of the first round.")] = None,
    cards: Annotated[str | None, typer.Option("--cards", help="What lies on the piles in the first round.")] = None,
    at: Annotated[
        list[float] | None,
        typer.Option("--at", metavar="SECONDS", help="Say Bam so long after the first picture, without a key."),
    ] = None,
    microphone: Annotated[
        str | None, typer.Option("--microphone", metavar="NAME", help="What hears the round; empty for the usual one.")
    ] = None,
    bam: Annotated[
        Path | None,
        typer.Option(
            "--bam", metavar="FILE", help="The learnt sound of Bam; usually what “bunnymoose cue learn” kept."
        ),
    ] = None,
    language: Annotated[
        Language | None, typer.Option("--language", help="Of screen and voice; English, or what was chosen last.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the unfinished game of this script or camera, if there is one.")
    ] = False,
    games_folder: Annotated[
        Path | None, typer.Option("--games", metavar="DIR", help="Where games are kept; usually in your data folder.")
    ] = None,
    no_screen: Annotated[bool, typer.Option("--no-screen", help="Play in the terminal alone.")] = False,
    lan: Annotated[
        bool, typer.Option("--lan", help="Phones in the same network may join, with the code on the screen.")
    ] = False,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", min=0, max=65535, help="Where the screen is found.")
    ] = None,
    ask_everything: Annotated[
        bool | None,
        typer.Option(
            "--ask-everything/--ask-what-matters",
            help="Ask about every unsure field, or only where it changes a move; usually the latter.",
            show_default=False,
        ),
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per round, last the ranking, and nothing else.")
    ] = False,
    speak: Annotated[
        bool | None, typer.Option("--speak/--silent", help="Whether a voice announces; a script is usually silent.")
    ] = None,
) -> None:
    """Play a game, with a screen for the table that opens in the browser, or in the terminal alone.

    The screen asks for whatever is not told here. In the terminal a line at the bottom tells the keys. The game is kept
    as it goes, with pictures and a replay of each round; an evening that was interrupted goes on with --resume.

    For example:

        bunnymoose play

        bunnymoose play --lan --camera 0 --players Red,Blue,Green,Yellow

        bunnymoose play --camera 0 --players Red,Blue,Green --deal --tempo 2.5 --language de --no-screen

        bunnymoose play --script evening.toml --no-screen --json

        bunnymoose play --camera round.mp4 --players Red,Blue,Green --cards "…" --at 4.2 --no-screen --json
    """
    if script is not None and camera is not None:
        raise InputError("play needs one thing to see: a --camera with people, or a --script with clips")
    from bunnymoose_cv.record.game_store import Games, default_games_folder
    from bunnymoose_cv.referee.script import read_script

    games = Games(games_folder or default_games_folder())
    names = None if players is None else tuple(name.strip() for name in players.split(","))
    rules = rules_for(edition, advanced=advanced, variants=variant or ())
    evening = None if script is None else read_script(script)
    own = None if deck is None else _own_deck(deck, rules if evening is None else evening.rules)
    if not no_screen:
        if as_json or deal or bet is not None or cards is not None or at:
            raise InputError("--json, --deal, --bet, --cards and --at are for the terminal: add --no-screen.")
        from bunnymoose_cv.cli.play_screen import PlayOptions, play_on_screen

        told = PlayOptions(
            players=names,
            rules=rules,
            camera=camera,
            script=None if script is None or evening is None else (script, evening),
            language=language,
            tempo_s=tempo,
            speaks=speak,
            microphone=microphone,
            bam=_learnt_bam(bam),
            seed=seed,
            resume=resume,
            deck=own,
            asks_everything=ask_everything,
        )
        play_on_screen(games, told, lan=lan, port=port)
        return
    from bunnymoose_cv.session.services import Spoken

    language = language or Language.ENGLISH
    if script is not None and evening is not None:
        started = GameStarted(evening.players, evening.rules)
        spoken = Spoken(language, aloud=bool(speak))
        terminal = _Terminal(games, started, str(script.resolve()), script.stem, resume, spoken, as_json=as_json)
        terminal.play_evening(evening, own)
        return
    if camera is None:
        raise InputError("play needs one thing to see: a --camera with people, or a --script with clips")
    if names is not None:
        started = GameStarted(names, rules)
    elif resume:
        started = _begun_with(games, camera)
    else:
        raise InputError("play needs the names of the players: --players Red,Blue,Green")
    spoken, everything = Spoken(language, aloud=speak is not False), bool(ask_everything)
    terminal = _Terminal(games, started, camera, "", resume, spoken, as_json=as_json, asks_everything=everything)
    first = _FirstRound(bet, None if cards is None else parse_table(cards), at or [])
    heard = _Hearing(microphone, _learnt_bam(bam))
    dealing = _dealing(started.rules, language, seed, tempo or USUAL_TEMPO_S, own) if deal else None
    terminal.play_live(heard, first, dealing)


@dataclass(frozen=True, slots=True)
class _FirstRound:
    """What is known of the first round before it begins; later ones are told at the table."""

    bet: str | None
    cards: Table | None
    bams_s: Sequence[float]


@dataclass(frozen=True, slots=True)
class _Hearing:
    """What hears the round, and the sound that means Bam, if one was learnt."""

    microphone: str | None
    bam: BamProfile | None


@dataclass(frozen=True, slots=True)
class _Terminal:
    """A game that is played in the terminal alone.

    Attributes:
        games: where it is kept.
        started: who plays by what rules.
        source: where its pictures come from: a script, a camera.
        title: what people call it.
        resume: whether an unfinished game from that source goes on.
        spoken: how announcements are heard.
        as_json: whether other programs read it.
        asks_everything: whether every unclear field waits for a person.
    """

    games: Games
    started: GameStarted
    source: str
    title: str
    resume: bool
    spoken: Spoken
    as_json: bool
    asks_everything: bool = False

    def play_evening(self, evening: Script, own: Deck | None) -> None:
        """Play a script, dealt from people's own box where they have one, and report each round."""
        from rich.console import Console

        from bunnymoose_cv.cli.play_script import play_script
        from bunnymoose_cv.cli.round_tables import ranking_grid, show_round
        from bunnymoose_cv.referee.json_output import PlayedRoundShape, RankingShape

        with self._rooms() as rooms:
            referee = rooms.referee(rooms.say, asks=False)
            for played, judged in play_script(evening, rooms.file, referee, own):
                if self.as_json:
                    typer.echo(PlayedRoundShape.of(played, judged).line())
                else:
                    show_round(Console(), played, judged)
            standings = rooms.file.game.ranking
            if self.as_json:
                typer.echo(RankingShape.of(standings).line())
            else:
                Console().print(ranking_grid(standings))

    def play_live(self, hearing: _Hearing, first: _FirstRound, dealing: DealerSetup | None) -> None:
        """Play with people; where nobody sits at a keyboard nobody is asked, and the likeliest reading stands."""
        from rich.console import Console

        from bunnymoose_cv.capture.orientation import View
        from bunnymoose_cv.capture.watcher import Watcher
        from bunnymoose_cv.cli.keyboard import Keyboard
        from bunnymoose_cv.cli.terminal_game import TerminalGame
        from bunnymoose_cv.core.profile import load_profile
        from bunnymoose_cv.session.session import Session
        from bunnymoose_cv.session.video_source import LiveVideoSource

        console = Console(stderr=True) if self.as_json else Console()
        with self._rooms() as rooms, ExitStack() as stack:
            camera = load_profile().camera
            sight = LiveVideoSource(Watcher(self.source, View.of(camera), camera, hearing.microphone))
            keyboard = Keyboard()
            session = Session(
                rooms,
                sight,
                asks=keyboard.there,
                asks_everything=self.asks_everything,
                dealing=dealing,
                bam=hearing.bam,
                bams_s=first.bams_s,
            )
            stack.enter_context(session)
            stack.enter_context(keyboard)
            if not rooms.file.game.rounds and rooms.file.game.phase is Phase.BETTING:
                self._begin_first_round(session, first)
            TerminalGame(session, keyboard, console, as_json=self.as_json).play()

    def _begin_first_round(self, session: Session, first: _FirstRound) -> None:
        from bunnymoose_cv.referee.referee import PEOPLE

        if first.bet is not None:
            session.bet(first.bet, PEOPLE).result()
        if first.cards is not None:
            session.lay(first.cards, PEOPLE).result()

    @contextmanager
    def _rooms(self) -> Iterator[Services]:
        """Open all that the game needs, and let go of it afterwards; old evenings are cleared out then.

        Raises:
            InputError: there is an unfinished game of other players or rules, or games cannot be kept here.
        """
        from bunnymoose_cv.calibration.profiles.profile_store import usual_profile_store
        from bunnymoose_cv.core.profile import load_profile
        from bunnymoose_cv.session.services import open_game, open_services
        from bunnymoose_cv.vision.reader import Reader

        profile = load_profile()
        with Reader(profile) as reader:
            file = open_game(self.games, self.started, source=self.source, title=self.title, resume=self.resume)
            try:
                with file, open_services(file, reader, self.spoken, _tell, usual_profile_store()) as rooms:
                    yield rooms
            finally:
                self.games.leave(file)
        self.games.clear_out(profile.record, _tell, file.folder)


def _own_deck(path: Path, rules: Rules) -> Deck:
    """The cards of people's own box.

    Raises:
        InputError: the file cannot be read, or holds the cards of another edition than is played.
    """
    own = read_deck(path)
    if own.edition != rules.edition.name:
        raise InputError(
            f"{path} holds cards of the {own.edition} edition, and you play the {rules.edition.name}: "
            f"add --edition {own.edition}, or take another deck."
        )
    return own


def _dealing(rules: Rules, language: Language, seed: int | None, tempo_s: float, own: Deck | None) -> DealerSetup:
    """What the built-in dealer deals with; its seed is told, so that a deal can be had again.

    Raises:
        InputError: there is no poem in the language.
    """
    from random import SystemRandom

    from bunnymoose_cv.session.dealer_setup import load_dealer_setup

    seed = SystemRandom().randrange(1_000_000) if seed is None else seed
    typer.echo(f"The cards are shuffled with --seed {seed}.", err=True)
    return load_dealer_setup(rules, language, seed, tempo_s, own)


def _begun_with(games: Games, source: str) -> GameStarted:
    """Who plays the unfinished game from a source, by what rules.

    Raises:
        InputError: there is none.
    """
    from bunnymoose_cv.record.game_file import GameFile

    unfinished = games.unfinished(source)
    if unfinished is None:
        raise InputError("No game from this camera waits to be gone on with: begin one with --players Red,Blue,Green")
    with GameFile.open(unfinished.folder) as file:
        return GameStarted(file.game.players, file.game.rules)


def _learnt_bam(named: Path | None) -> BamProfile | None:
    """The learnt sound of Bam; None where none was learnt, and none is named.

    Raises:
        InputError: the file is missing, or holds something else.
    """
    from bunnymoose_cv.cues.bam_file import default_bam_path, load_bam

    path = named or default_bam_path()
    return load_bam(path) if named is not None or path.is_file() else None


def _tell(sentence: str) -> None:
    """Tell a person something that stops nothing."""
    typer.echo(sentence, err=True)
