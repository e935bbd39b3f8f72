"""Profile of one player: declared exemptions and labelled takes; never an image."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Annotated, Final, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource
from bunnymoose_cv.calibration.adaptation.player_calibration import PlayerCalibration, calibrate
from bunnymoose_cv.calibration.adaptation.prior_file import shipped_priors
from bunnymoose_cv.calibration.profiles.profile_text import FORMAT, toml_of
from bunnymoose_cv.calibration.profiles.take_form import TakeForm
from bunnymoose_cv.core.unicode_text import is_unseen
from bunnymoose_cv.rules.exemptions import Exemption  # noqa: TC001 - pydantic reads the fields at run time
from bunnymoose_cv.rules.player_names import LONGEST_NAME, name_key, tidied
from bunnymoose_cv.vision.model_files import ModelFile, model_path

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.core.user_settings import Settings

MOST_CORRECTIONS: Final = 60
"""Takes from play that are kept, the newest; those of the last warm-up stay beside them."""

MOST_TAKES: Final = 200
"""Most takes of a file; one with more is none of ours."""

_HEADING: Final = (
    "What the referee learnt about one player: numbers only, no image. Delete this file, or say\n"
    "bunnymoose profile delete player NAME. Each take: the pose shown, then log-odds of both sides\n"
    "(antler, ear, neither, wide, up, straight, top) and of the tongue."
)


def printable_name(name: str) -> str:
    """Check a profile's name, and tidy it.

    Raises:
        ValueError: it is empty, too long or holds control characters.
    """
    name = tidied(name)
    if not name_key(name) or len(name) > LONGEST_NAME or any(map(is_unseen, name)):
        message = f"a name has 1 to {LONGEST_NAME} printable letters"
        raise ValueError(message)
    return name


ProfileName = Annotated[str, AfterValidator(printable_name)]


class PlayerForm(BaseModel):
    """Form of a player's file."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1]
    kind: Literal["player"]
    name: ProfileName
    networks: Annotated[str, Field(max_length=64)]
    exempt: tuple[Exemption, ...] = ()
    takes: Annotated[tuple[TakeForm, ...], Field(max_length=MOST_TAKES)] = ()


@dataclass(frozen=True, slots=True)
class PlayerProfile:
    """Stored profile of one player.

    Attributes:
        takes: labelled, oldest first.
        networks: fingerprint of those that the takes were read by; takes of others say nothing.
    """

    name: str
    exempt: frozenset[Exemption] = frozenset()
    takes: tuple[LabelledTake, ...] = ()
    networks: str = ""

    @classmethod
    def of(cls, form: PlayerForm) -> Self:
        """Convert from the form of a file.

        Raises:
            NotationError: a take shows no pose.
        """
        return cls(form.name, frozenset(form.exempt), tuple(each.take for each in form.takes), form.networks)

    @property
    def text(self) -> str:
        """The file's text."""
        facts = {
            "format": FORMAT,
            "kind": "player",
            "name": self.name,
            "networks": self.networks or fingerprint(),
            "exempt": sorted(each.value for each in self.exempt),
            "takes": [TakeForm.of(take).model_dump(mode="json") for take in self.takes],
        }
        return toml_of(facts, _HEADING)

    def calibration(self, settings: Settings) -> PlayerCalibration:
        """Fit the player's calibration."""
        takes = self.takes if self.networks in {"", fingerprint()} else ()
        return calibrate(takes, self.exempt, shipped_priors(), settings)

    def warmed_up(self, takes: Iterable[LabelledTake]) -> Self:
        """The same player after another warm-up, which takes the place of the last one."""
        kept = [each for each in self._usable if each.source is not TakeSource.WARM_UP]
        return replace(self, takes=(*takes, *kept), networks=fingerprint())

    def corrected(self, takes: Iterable[LabelledTake]) -> Self:
        """The same player with corrections of a game."""
        known = [each for each in self._usable if each.source is TakeSource.CORRECTION]
        warm_up = [each for each in self._usable if each.source is TakeSource.WARM_UP]
        return replace(self, takes=(*warm_up, *[*known, *takes][-MOST_CORRECTIONS:]), networks=fingerprint())

    @property
    def _usable(self) -> tuple[LabelledTake, ...]:
        return self.takes if self.networks in {"", fingerprint()} else ()


@cache
def fingerprint() -> str:
    """Fingerprint of the networks whose answers are calibrated.

    Raises:
        ModelError: one is missing or damaged.
    """
    whole = hashlib.sha256()
    for model in (ModelFile.HAND_SHAPE, ModelFile.SIDE, ModelFile.TONGUE, ModelFile.LOGIT_SCALING):
        whole.update(model_path(model).read_bytes())
    return whole.hexdigest()[:12]
