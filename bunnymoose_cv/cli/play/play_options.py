"""Options of a game that its screen and its terminal share: their command-line form and what they say."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeAlias

import typer

from bunnymoose_cv.cli.rule_options import AdvancedOption, EditionOption  # noqa: TC001 - typer reads the annotations
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.referee.dealer import FASTEST_TEMPO_S, SLOWEST_TEMPO_S, USUAL_TEMPO_S
from bunnymoose_cv.rules.deck import DEFAULT_EDITION, Deck, Rules, Variant, read_deck, rules_for
from bunnymoose_cv.rules.player_names import player_names

if TYPE_CHECKING:
    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.referee.script import Script

ON_SCREEN = "Table screen"
IN_TERMINAL = "In the terminal"

ScriptOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--script", metavar="EVENING.toml", help="Play what this file tells, from clips, without a key."),
]
CameraOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--camera", metavar="N|NAME|FILE|URL", help="What sees the players; “bunnymoose cameras” lists."),
]
PlayersOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--players", help="Names round the table, from the first narrator to the left: Red,Blue,Green."),
]
VariantOption: TypeAlias = Annotated[
    list[Variant] | None, typer.Option("--variant", help="What else you agreed on; more than once if you like.")
]
DeckOption: TypeAlias = Annotated[
    Path | None, typer.Option("--deck", metavar="FILE", help="The cards of your own box; see “bunnymoose deck”.")
]
SeedOption: TypeAlias = Annotated[
    int | None, typer.Option("--seed", help="Shuffle as in another game with this number.")
]
TempoOption: TypeAlias = Annotated[
    float | None,
    typer.Option(
        "--tempo",
        metavar="SECONDS",
        min=FASTEST_TEMPO_S,
        max=SLOWEST_TEMPO_S,
        help=f"From one line of the poem to the next; usually {USUAL_TEMPO_S:g}.",
    ),
]
MicrophoneOption: TypeAlias = Annotated[
    str | None, typer.Option("--microphone", metavar="NAME", help="What hears the round; empty for the usual one.")
]
BamOption: TypeAlias = Annotated[
    Path | None,
    typer.Option("--bam", metavar="FILE", help="The learnt sound of Bam; usually what “bunnymoose cue learn” kept."),
]
LanguageOption: TypeAlias = Annotated[
    Language | None, typer.Option("--language", help="Of screen and voice; English, or what was chosen last.")
]
ResumeOption: TypeAlias = Annotated[
    bool, typer.Option("--resume", help="Go on with the unfinished game of this script or camera, if there is one.")
]
GamesOption: TypeAlias = Annotated[
    Path | None, typer.Option("--games", metavar="DIR", help="Where games are kept; usually in your data folder.")
]
AskOption: TypeAlias = Annotated[
    bool | None,
    typer.Option(
        "--ask-everything/--ask-what-matters",
        help="Ask about every unsure field, or only where it changes a move; usually the latter.",
        show_default=False,
    ),
]
SpeakOption: TypeAlias = Annotated[
    bool | None, typer.Option("--speak/--silent", help="Whether a voice announces; a script is usually silent.")
]
LanOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--lan", help="Phones in the same network may join, with the code on the screen.", rich_help_panel=ON_SCREEN
    ),
]
TableCameraOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--table-camera", metavar="N|NAME|URL", help="A second camera that watches the cards fall."),
]
PortOption: TypeAlias = Annotated[
    int | None,
    typer.Option("--port", metavar="N", min=0, max=65535, help="Where the screen is found.", rich_help_panel=ON_SCREEN),
]
NoScreenOption: TypeAlias = Annotated[
    bool,
    typer.Option("--no-screen", help="Play in the terminal alone.", rich_help_panel=IN_TERMINAL),
]
DealOption: TypeAlias = Annotated[
    bool,
    typer.Option("--deal", help="The referee deals, recites the poem and says Bam.", rich_help_panel=IN_TERMINAL),
]
BetOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--bet", metavar="PLAYER", help="The bet of the first round.", rich_help_panel=IN_TERMINAL),
]
CardsOption: TypeAlias = Annotated[
    str | None,
    typer.Option("--cards", help="What lies on the piles in the first round.", rich_help_panel=IN_TERMINAL),
]
AtOption: TypeAlias = Annotated[
    list[float] | None,
    typer.Option(
        "--at",
        metavar="SECONDS",
        min=0,
        help="Say Bam so long after the first image, without a key.",
        rich_help_panel=IN_TERMINAL,
    ),
]
JsonOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--json",
        help="Print one JSON object per round, last the ranking, and nothing else.",
        rich_help_panel=IN_TERMINAL,
    ),
]


@dataclass(frozen=True, slots=True)
class GameOptions:
    """Options of the command line that the screen and the terminal share, as they were typed."""

    script: ScriptOption = None
    camera: CameraOption = None
    players: PlayersOption = None
    edition: EditionOption = DEFAULT_EDITION
    advanced: AdvancedOption = True
    variant: VariantOption = None
    deck: DeckOption = None
    seed: SeedOption = None
    tempo: TempoOption = None
    microphone: MicrophoneOption = None
    bam: BamOption = None
    language: LanguageOption = None
    resume: ResumeOption = False
    games_folder: GamesOption = None
    ask_everything: AskOption = None
    speak: SpeakOption = None

    def read(self, *, rules_told: bool = False) -> PlayOptions:
        """Read what the options name.

        Args:
            rules_told: whether one of the options about rules was typed.

        Raises:
            InputError: there are two things to look at, or a file cannot be read, or does not fit the others; or
                nobody is called so.
        """
        if self.script is not None and self.camera is not None:
            raise InputError("play needs one thing to see: a --camera with people, or a --script with clips")
        from bunnymoose_cv.referee.script import read_script

        rules = rules_for(self.edition, advanced=self.advanced, variants=self.variant or ())
        evening = None if self.script is None else read_script(self.script)
        typed = {each.name: getattr(self, each.name) for each in fields(self)}
        return PlayOptions(
            **typed,
            names=None if self.players is None else player_names(self.players.split(",")),
            rules=rules,
            evening=evening,
            own_deck=None if self.deck is None else _own_deck(self.deck, rules if evening is None else evening.rules),
            rules_told=rules_told,
        )


@dataclass(frozen=True, slots=True)
class PlayOptions(GameOptions):
    """The same with what they name, read; the set-up page asks for what was not given.

    Attributes:
        names: player names in seating order; None if none were given.
        rules: the chosen rules, or the default rules without any choice of players or rules.
    """

    names: tuple[str, ...] | None = None
    rules: Rules = field(default_factory=rules_for)
    evening: Script | None = None
    own_deck: Deck | None = None
    rules_told: bool = False


@dataclass(frozen=True, slots=True)
class RoundOptions:
    """Options of the terminal alone: what its first round is, and how its end is printed."""

    deal: DealOption = False
    bet: BetOption = None
    cards: CardsOption = None
    at: AtOption = None
    as_json: JsonOption = False


def learnt_bam(named: Path | None) -> BamProfile | None:
    """The learnt sound of Bam; None where none was learnt, and none is named.

    Raises:
        InputError: the file is missing, or holds something else.
    """
    from bunnymoose_cv.cues.bam_file import default_bam_path, load_bam

    path = named or default_bam_path()
    return load_bam(path) if named is not None or path.is_file() else None


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
