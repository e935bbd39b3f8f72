"""What people choose before a game begins. Owns no page (pages/setup.py) and no game."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from bunnymoose_cv.voice.phrases import Language

if TYPE_CHECKING:
    from bunnymoose_cv.rules.deck import Rules


@dataclass(frozen=True, slots=True)
class Choices:
    """What a game is begun with.

    Attributes:
        players: round the table, from the first narrator to the narrator's left.
        rules: edition and variants.
        language: of the screen and of what is said.
        speaks: whether a voice announces.
        camera: the index of one of the cameras that the host offers; None to play with poses told by hand.
    """

    players: tuple[str, ...]
    rules: Rules
    language: Language = Language.ENGLISH
    speaks: bool = True
    camera: int | None = None
