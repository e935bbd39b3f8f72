"""Set-up of a game, from the page and the command line to the referee, with the dealer and the file that keeps it."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict

from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import make_private, user_folder
from bunnymoose_cv.core.input_file import LARGEST_BYTES, read_bounded
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.poem import load_poem
from bunnymoose_cv.rules.deck import Rules, Variant, deck_of, rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.player_names import player_names, tidied

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from bunnymoose_cv.i18n.poem import PoemLine
    from bunnymoose_cv.rules.deck import Deck

_logger = logging.getLogger(__name__)

USUAL_TEMPO_S: Final = 3.0
"""Time from one line of the poem to the next, in which players hear it and change their pose."""

FASTEST_TEMPO_S: Final = 0.2
SLOWEST_TEMPO_S: Final = 60.0
"""Upper limit of the tempo: a larger one is a slip of the keys."""

LONGEST_NAME: Final = 20
"""Letters of a player's name, which must fit under a small image."""


@dataclass(frozen=True, slots=True)
class GameSetup:
    """Set-up of a game.

    Attributes:
        players: names round the table, from the first narrator to the narrator's left.
        colours: numbers of the figures' styles; empty if they follow from the names.
        voice: the voice's name; None for the language's own.
        tempo_s: seconds from one line of the poem to the next if the referee deals.
        asks_everything: whether every unclear field waits for a person, also if it changes no move.
        camera: the index of one of the offered sources; None if poses are entered by hand.
        deck: the players' own deck; None for the bundled one.
        seed: the seed of the dealer's chance; None for a random one.
    """

    players: tuple[str, ...]
    rules: Rules
    colours: tuple[int, ...] = ()
    language: Language = Language.ENGLISH
    speaks: bool = True
    voice: str | None = None
    tempo_s: float = USUAL_TEMPO_S
    asks_everything: bool = False
    camera: int | None = None
    deck: Deck | None = None
    seed: int | None = None

    def merge(self, **given: Any) -> GameSetup:
        """Return the set-up with other values; None keeps the old value, and other players lose chosen colours."""
        values = {name: value for name, value in given.items() if value is not None}
        return replace(self, **({"colours": ()} if "players" in values else {}) | values)

    def started(self) -> GameStarted:
        """Return the event that begins such a game; raise an `InputError` if the players cannot play like this."""
        started = GameStarted(player_names(self.players, LONGEST_NAME), self.rules, self.colours)
        fold([started])
        return started


FIRST_SETUP: Final = GameSetup(("Red", "Blue", "Green", "Yellow"), rules_for())


@dataclass(frozen=True, slots=True)
class DealerSetup:
    """Set-up of the built-in dealer, with one line of the poem for each pile and the initial tempo."""

    deck: Deck
    random: Random
    poem: tuple[PoemLine, ...]
    tempo_s: float


def load_dealer_setup(setup: GameSetup) -> DealerSetup:
    """Load the dealer's part of a set-up; raise an `InputError` if the language has no poem."""
    seed = random_seed() if setup.seed is None else setup.seed
    poem = load_poem(setup.rules.piles, setup.language)
    return DealerSetup(deck_of(setup.rules, setup.deck), Random(seed), poem, setup.tempo_s)


def random_seed() -> int:
    """Return a random seed that is short enough to be typed."""
    return SystemRandom().randrange(1_000_000)


def _limit_tempo(tempo_s: float) -> float:
    return min(max(tempo_s, FASTEST_TEMPO_S), SLOWEST_TEMPO_S)


class _StoredSetup(BaseModel):
    """Content of the file. A camera is stored by its title, since its index changes when cameras are plugged in."""

    model_config = ConfigDict(frozen=True, strict=True)

    players: tuple[Annotated[str, AfterValidator(tidied)], ...]
    colours: tuple[int, ...] = ()
    edition: str
    advanced: bool
    variants: tuple[Variant, ...]
    language: Language
    speaks: bool
    voice: str | None
    tempo_s: Annotated[float, AfterValidator(_limit_tempo)]
    asks_everything: bool = False
    camera: str | None


@dataclass(frozen=True, slots=True)
class GameSetupFile:
    """File of the last evening's set-up."""

    path: Path

    def read(self, cameras: Sequence[str]) -> GameSetup:
        """Read the last set-up, or the first set-up if it is not valid. The first camera replaces a missing one."""
        first_camera = 0 if cameras else None
        try:
            stored = _StoredSetup.model_validate_json(read_bounded(self.path, LARGEST_BYTES))
            camera = {title: index for index, title in enumerate(cameras)}.get(stored.camera or "", first_camera)
            setup = GameSetup(
                **stored.model_dump(exclude={"edition", "advanced", "variants", "camera"}),
                rules=rules_for(stored.edition, advanced=stored.advanced, variants=stored.variants),
                camera=None if stored.camera is None else camera,
            )
            setup.started()
        except (OSError, ValueError, InputError) as error:
            if not isinstance(error, FileNotFoundError):
                _logger.info("the last choices are not readable", exc_info=True)
            return replace(FIRST_SETUP, camera=first_camera)
        return setup

    def write(self, setup: GameSetup, cameras: Sequence[str]) -> None:
        """Store the set-up. A write error is ignored, since it costs only the defaults of the next evening."""
        rules = setup.rules
        shared = _StoredSetup.model_fields.keys() - {"edition", "advanced", "variants", "camera"}
        stored = _StoredSetup(
            **{name: getattr(setup, name) for name in shared},
            edition=rules.edition.name,
            advanced=rules.advanced,
            variants=tuple(sorted(rules.variants, key=lambda variant: variant.value)),
            camera=None if setup.camera is None else cameras[setup.camera],
        )
        with suppress(OSError):
            make_private(self.path.parent)
            with whole_file(self.path) as part:
                part.write_text(stored.model_dump_json(), "utf-8")


def default_setup_file() -> GameSetupFile:
    """Return the default file, in the user's data folder."""
    return GameSetupFile(user_folder() / "screen" / "choices.json")
