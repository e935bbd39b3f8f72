"""The one way of tables and styled text to the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.segment import Segment
from rich.text import Text

from bunnymoose_cv.cli.terminal.printable import LONGEST, escaped, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import ConsoleOptions, RenderableType


class Terminal(Console):
    """Rich's console, of which every text is escaped and bounded, in tables too; only its own styles are obeyed."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render something to segments without control characters."""
        for segment in super().render(_bounded(renderable), options):
            yield segment if segment.control else Segment(escaped(segment.text), segment.style)


def _bounded(renderable: RenderableType) -> RenderableType:
    if isinstance(renderable, str):
        return shortened(renderable)
    if isinstance(renderable, Text) and len(renderable) > LONGEST:
        return Text(shortened(renderable.plain), renderable.style)
    return renderable
