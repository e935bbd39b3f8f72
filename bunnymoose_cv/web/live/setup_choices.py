"""Choices before a game begins, and the last evening's choices, kept."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from pydantic import BaseModel, ConfigDict, ValidationError

from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import read_bounded
from bunnymoose_cv.core.text_file import LARGEST_BYTES
from bunnymoose_cv.core.user_folder import make_private, user_folder
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.referee.dealer import FASTEST_TEMPO_S, SLOWEST_TEMPO_S, USUAL_TEMPO_S
from bunnymoose_cv.rules.deck import Rules, Variant, rules_for
from bunnymoose_cv.rules.events import GameStarted
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.player_names import player_names, tidied
from bunnymoose_cv.web.live.player_styles import styles_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.web.live.player_styles import PlayerStyle

_logger = logging.getLogger(__name__)

LONGEST_NAME: Final = 20
"""Letters of a player's name: it must stand under a small image."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Choices of a new game.

    Attributes:
        players: round the table, from the first narrator to the narrator's left.
        colours: of their figures, by the numbers of the styles (player_styles.py); none leaves them to the names.
        speaks: whether a voice announces.
        voice: the voice's name; None takes the language's own.
        tempo_s: seconds from one line of the poem to the next, where the referee deals.
        asks_everything: whether every unclear field waits for a person, also where it changes no move.
        camera: the index of one of the cameras that the host offers; None to play with poses told by hand.
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

    @property
    def styles(self) -> Mapping[str, PlayerStyle]:
        """Style of each player; of several with one name, the first."""
        if self.colours:
            pairs = dict(zip(reversed(self.players), reversed(self.colours), strict=True))
            names = tuple(dict.fromkeys(self.players))
            return styles_of(names, [pairs[name] for name in names])
        return styles_of(tuple(dict.fromkeys(self.players)))

    def started(self) -> GameStarted:
        """The event that begins such a game.

        Raises:
            InputError: the players cannot play so.
        """
        started = GameStarted(player_names(self.players, LONGEST_NAME), self.rules, self.colours)
        fold([started])
        return started


FIRST_CHOICES: Final = Choices(("Red", "Blue", "Green", "Yellow"), rules_for())
"""Default choices of a first game."""


class _KeptChoices(BaseModel):
    """Content of the file; a camera is known by its title, since numbers change with plugs."""

    model_config = ConfigDict(frozen=True, strict=True)

    players: tuple[str, ...]
    colours: tuple[int, ...] = ()
    edition: str
    advanced: bool
    variants: tuple[str, ...]
    language: str
    speaks: bool
    voice: str | None
    tempo_s: float
    asks_everything: bool = False
    camera: str | None


@dataclass(frozen=True, slots=True)
class ChoicesFile:
    """File of the last evening's choices."""

    path: Path

    def read(self, cameras: Sequence[str]) -> Choices:
        """Read the last choices; the first choices where nothing is kept, or nothing that can still be chosen.

        Args:
            cameras: the titles of those that are offered; where the last one is missing the first is taken.
        """
        first = replace(FIRST_CHOICES, camera=0 if cameras else None)
        try:
            kept = _KeptChoices.model_validate_json(read_bounded(self.path, LARGEST_BYTES))
            variants = [Variant(name) for name in kept.variants]
            choices = Choices(
                players=tuple(map(tidied, kept.players)),
                colours=kept.colours,
                rules=rules_for(kept.edition, advanced=kept.advanced, variants=variants),
                language=Language(kept.language),
                speaks=kept.speaks,
                voice=kept.voice,
                tempo_s=min(max(kept.tempo_s, FASTEST_TEMPO_S), SLOWEST_TEMPO_S),
                asks_everything=kept.asks_everything,
                camera=None if kept.camera is None else _index_of(kept.camera, cameras),
            )
            choices.started()
        except FileNotFoundError:
            return first
        except (OSError, ValidationError, ValueError, InputError):
            _logger.info("the last choices are not readable", exc_info=True)
            return first
        return choices

    def write(self, choices: Choices, cameras: Sequence[str]) -> None:
        """Keep what was chosen. A disk that refuses costs only this."""
        rules = choices.rules
        kept = _KeptChoices(
            players=choices.players,
            colours=choices.colours,
            edition=rules.edition.name,
            advanced=rules.advanced,
            variants=tuple(sorted(variant.value for variant in rules.variants)),
            language=choices.language.value,
            speaks=choices.speaks,
            voice=choices.voice,
            tempo_s=choices.tempo_s,
            asks_everything=choices.asks_everything,
            camera=None if choices.camera is None else cameras[choices.camera],
        )
        with suppress(OSError):
            make_private(self.path.parent)
            with whole_file(self.path) as part:
                part.write_text(kept.model_dump_json(), "utf-8")


def default_choices_file() -> ChoicesFile:
    """Default file, in the user's data folder."""
    return ChoicesFile(user_folder() / "screen" / "choices.json")


def _index_of(camera: str, cameras: Sequence[str]) -> int | None:
    if camera in cameras:
        return list(cameras).index(camera)
    return 0 if cameras else None
