"""Console for all tables and styled text in the terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Console
from rich.segment import Segment
from rich.text import Text

from bunnymoose_cv.cli.terminal.echo import LONGEST, escaped, shortened

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import ConsoleOptions, RenderableType


class Terminal(Console):
    """Rich's console with every text escaped and limited in length, also in tables; only its own styles are applied."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        """Render an object to segments without control characters."""
        for segment in super().render(_bounded(renderable), options):
            yield segment if segment.control else Segment(escaped(segment.text), segment.style)


def _bounded(renderable: RenderableType) -> RenderableType:
    if isinstance(renderable, str):
        return shortened(renderable)
    if isinstance(renderable, Text) and len(renderable) > LONGEST:
        return Text(shortened(renderable.plain), renderable.style)
    return renderable
