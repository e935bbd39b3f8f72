"""One line that people type while the game goes on: keys in, a whole line out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.cli.terminal.keyboard import SpecialKey

if TYPE_CHECKING:
    from collections.abc import Callable

_ENTER: Final = "\r\n"
_BACKSPACE: Final = "\x7f\x08"


@dataclass(slots=True)
class Prompt:
    """An open question at the prompt.

    Attributes:
        over: whether the line was finished or given up.
    """

    question: str
    answer: Callable[[str], None]
    text: str = ""
    over: bool = False

    def press(self, key: str | SpecialKey) -> None:
        """Take the next key: Enter hands the line over, Escape gives it up."""
        if key is SpecialKey.ESCAPE:
            self.over = True
        elif not isinstance(key, str):
            return
        elif key in _ENTER:
            self.over = True
            self.answer(self.text.strip())
        elif key in _BACKSPACE:
            self.text = self.text[:-1]
        elif key.isprintable():
            self.text += key
