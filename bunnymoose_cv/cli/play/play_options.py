"""Options of a game on the screen and in the terminal: their command-line form, parsed values, and useless ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path  # noqa: TC003 - likewise
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from bunnymoose_cv.cli.shared_options import AdvancedOption, CameraOption, EditionOption, MicrophoneOption  # noqa: TC001 - typer reads the annotations
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language  # noqa: TC001 - likewise
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, Deck, Rules, Variant, read_deck, rules_for
from bunnymoose_cv.rules.player_names import player_names
from bunnymoose_cv.session.game_setup import FASTEST_TEMPO_S, SLOWEST_TEMPO_S, USUAL_TEMPO_S

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.referee.script import Script


IN_TERMINAL: Final = "In the terminal"


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Typed options that the screen and the terminal share."""

    script: Annotated[
        Path | None, typer.Option(metavar="EVENING.toml", help="Play the rounds of this file from clips, without keys.")
    ] = None
    camera: CameraOption = None
    players: Annotated[
        str | None, typer.Option(help="Names round the table, from the first narrator to the left: Red,Blue,Green.")
    ] = None
    edition: EditionOption = DEFAULT_EDITION
    advanced: AdvancedOption = True
    variant: Annotated[list[Variant] | None, typer.Option(help="An optional rule; may be repeated.")] = None
    deck: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The cards of your own box; see “bunnymoose deck”.")
    ] = None
    seed: Annotated[int | None, typer.Option(help="Shuffle as in another game with the same seed.")] = None
    tempo: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            min=FASTEST_TEMPO_S,
            max=SLOWEST_TEMPO_S,
            help=f"Time from one line of the poem to the next; usually {USUAL_TEMPO_S:g}.",
        ),
    ] = None
    microphone: MicrophoneOption = None
    bam: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="The learnt sound of Bam; usually the one kept by “bunnymoose cue learn”."),
    ] = None
    language: Annotated[
        Language | None, typer.Option(help="Language of screen and voice; usually the last one chosen, or English.")
    ] = None
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the unfinished game of this script or camera, if there is one.")
    ] = False
    games_folder: Annotated[
        Path | None,
        typer.Option("--games", metavar="DIR", help="The folder of the games; usually in your data folder."),
    ] = None
    ask_everything: Annotated[
        bool | None,
        typer.Option(
            "--ask-everything/--ask-what-matters",
            help="Ask about every unsure field, or only where it changes a move; usually the latter.",
            show_default=False,
        ),
    ] = None
    speak: Annotated[
        bool | None, typer.Option("--speak/--silent", help="Announce by voice; a script is usually silent.")
    ] = None

    def read(self, *, rules_given: bool = False) -> PlayOptions:
        """Parse the options and read their files; raise an `InputError` if they do not fit each other.

        Args:
            rules_given: whether one of the options about rules was typed.
        """
        if self.script is not None and self.camera is not None:
            raise InputError("play needs one thing to see: a --camera with people, or a --script with clips")
        from bunnymoose_cv.referee.script import read_script

        rules = rules_for(self.edition, advanced=self.advanced, variants=self.variant or ())
        script = None if self.script is None else read_script(self.script)
        players = None if self.players is None else player_names(self.players.split(","))
        if script is not None:
            players, rules = script.players, script.rules
        given = {
            "players": players,
            "rules": rules if rules_given or players is not None else None,
            "deck": None if self.deck is None else _own_deck(self.deck, rules),
            "seed": self.seed,
            "language": self.language,
            "tempo_s": self.tempo,
            "speaks": self.speak,
            "asks_everything": self.ask_everything,
        }
        return PlayOptions(self.camera, self.script, script, self.microphone, self.resume, given)


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """Source of a game and the given part of its set-up.

    Attributes:
        script: the script to play; None for players in front of a camera.
        microphone: the name of the microphone; None for the default one.
        given: values for `GameSetup.merge`; None marks a value that was not given.
    """

    camera: str | None = None
    script_path: Path | None = None
    script: Script | None = None
    microphone: str | None = None
    resume: bool = False
    given: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class RoundOptions:
    """Options of a game in the terminal: its first round, and the output format."""

    deal: Annotated[
        bool,
        typer.Option("--deal", help="The referee deals, recites the poem and says Bam.", rich_help_panel=IN_TERMINAL),
    ] = False
    bet: Annotated[
        str | None, typer.Option(metavar="PLAYER", help="The bet of the first round.", rich_help_panel=IN_TERMINAL)
    ] = None
    cards: Annotated[
        str | None, typer.Option(help="The cards on the piles in the first round.", rich_help_panel=IN_TERMINAL)
    ] = None
    at: Annotated[
        list[float] | None,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help="Say Bam this long after the first image, without a key.",
            rich_help_panel=IN_TERMINAL,
        ),
    ] = None
    as_json: Annotated[
        bool,
        typer.Option(
            "--json",
            help="Print one JSON object per round, the ranking last, and nothing else.",
            rich_help_panel=IN_TERMINAL,
        ),
    ] = False


def learnt_bam(named: Path | None) -> BamProfile | None:
    """Load the learnt sound of Bam, from the named file or the usual one; None if nothing has been learnt."""
    from bunnymoose_cv.cues.bam_file import default_bam_path, load_bam

    path = named or default_bam_path()
    return load_bam(path) if named is not None or path.is_file() else None


def _own_deck(path: Path, rules: Rules) -> Deck:
    """Read the players' own deck, which must be of the chosen edition."""
    own = read_deck(path)
    if own.edition != rules.edition.name:
        raise InputError(
            f"{path} holds cards of the {own.edition} edition, and you play the {rules.edition.name}: "
            f"add --edition {own.edition}, or take another deck."
        )
    return own


@dataclass(frozen=True, slots=True)
class _Useless:
    """Options without effect, by the names of their parameters.

    Attributes:
        why: the purpose of the options, and the remedy.
        beside: the options that must all be given for a refusal.
        without: the options that must all be missing for a refusal.
    """

    options: frozenset[str]
    why: str
    beside: frozenset[str] = frozenset()
    without: frozenset[str] = frozenset()


RULES: Final = frozenset({"edition", "advanced", "variant"})
"""Options that choose the rules of a game."""

_TERMINAL: Final = frozenset({"no_screen"})
_SCRIPT: Final = frozenset({"script"})
_FIXED_BY_SCRIPTS: Final = RULES | {"players"}
_FIRST_ROUND: Final = frozenset({"deal", "bet", "cards", "at"})
_FOR_THE_SCRIPT: Final = "up to the script: change that file"

_USELESS: Final = (
    _Useless(frozenset({"lan", "port", "table_camera"}), "for the screen: play without --no-screen", beside=_TERMINAL),
    _Useless(_FIRST_ROUND | {"as_json"}, "for the terminal: add --no-screen", without=_TERMINAL),
    _Useless(_FIXED_BY_SCRIPTS | _FIRST_ROUND | {"seed"}, _FOR_THE_SCRIPT, beside=_SCRIPT | _TERMINAL),
    _Useless(_FIXED_BY_SCRIPTS, _FOR_THE_SCRIPT, beside=_SCRIPT),  # the dealer of the screen has its own seed
    _Useless(
        frozenset({"tempo", "microphone", "bam", "ask_everything"}),
        "for people before a camera: play without --script, or on the screen",
        beside=_SCRIPT | _TERMINAL,
    ),
    _Useless(
        frozenset({"deck", "seed", "tempo"}),
        "for the dealer: add --deal",
        beside=_TERMINAL,
        without=frozenset({"script", "deal"}),
    ),
)


def typed_options(context: typer.Context) -> dict[str, str]:
    """Return the spelling of each typed option, by the name of its parameter."""
    return {
        option.name: (option.secondary_opts if context.params[option.name] is False else option.opts)[0]
        for option in context.command.params
        if getattr(context.get_parameter_source(option.name), "name", None) == "COMMANDLINE"
    }


def refuse_useless(given: Mapping[str, str]) -> None:
    """Raise an `InputError` if some of the typed options, by parameter, would have no effect."""
    for row in _USELESS:
        applies = row.beside <= given.keys() and not row.without & given.keys()
        typed = [word for name, word in given.items() if applies and name in row.options]
        if typed:
            raise InputError(f"{' and '.join(typed)} {'is' if len(typed) == 1 else 'are'} {row.why}.")
