"""Goes through the pictures and clips that a person named; a bad one stops nobody else. Owns no work on them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from bunnymoose_cv.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from bunnymoose_cv.capture.sources import Source

INPUT_WAS_WRONG = 2


def look_at_each(sources: Sequence[Source], look: Callable[[Source], None]) -> None:
    """Look at every source; name each that cannot be used on stderr, and end with exit code 2 if there was one.

    Args:
        sources: what the person named.
        look: does the work; an `InputError` out of it means that this source cannot be used.

    Raises:
        ModelError: nothing can be looked at without the models.
        typer.Exit: a source could not be used.
    """
    from rich.console import Console
    from rich.progress import Progress

    from bunnymoose_cv.vision.model_files import ModelError

    console = Console(stderr=True)
    all_used = True
    with Progress(
        console=console, transient=True, redirect_stdout=False, disable=_shows_itself(console, sources)
    ) as progress:
        for source in progress.track(sources, description="Looking"):
            try:
                look(source)
            except ModelError:
                raise
            except InputError as error:
                all_used = False
                console.print(str(error), markup=False, highlight=False, soft_wrap=True)
    if not all_used:
        raise typer.Exit(INPUT_WAS_WRONG)


def _shows_itself(console: Console, sources: Sequence[Source]) -> bool:
    """Whether a progress bar would be too much: nobody sees it, or the results are seen coming, or there is but one."""
    return not console.is_terminal or sys.stdout.isatty() or len(sources) == 1
