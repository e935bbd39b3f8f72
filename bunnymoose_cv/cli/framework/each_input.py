"""Go through the images and clips that a person named; a bad one stops no other."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import typer

from bunnymoose_cv.cli.framework.exhaustion import OUT_OF_MEMORY, is_out_of_memory, is_output_full
from bunnymoose_cv.cli.terminal.printable import printable
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console

    from bunnymoose_cv.capture.media_inputs import MediaInput

INPUT_WAS_WRONG = 2


def process_inputs(sources: Sequence[MediaInput], look: Callable[[MediaInput], None]) -> None:
    """Look at every source; name each that cannot be used on stderr, and end with exit code 2 if there was one.

    Args:
        look: does the work; any fault out of it means that this source cannot be used.

    Raises:
        ModelError: nothing can be looked at without the models.
        BrokenPipeError: nobody reads the output any more.
        typer.Exit: a source could not be used.
    """
    from rich.progress import Progress

    from bunnymoose_cv.cli.terminal.console import Terminal
    from bunnymoose_cv.vision.model_files import ModelError

    console = Terminal(stderr=True)
    all_used = True
    with Progress(
        console=console, transient=True, redirect_stdout=False, disable=_shows_itself(console, sources)
    ) as progress:
        for source in progress.track(sources, description="Looking"):
            try:
                look(source)
            except (ModelError, typer.Exit, BrokenPipeError):
                raise
            except Exception as error:
                if is_output_full(error):
                    raise
                all_used = False
                _tell(console, sentence_about(source.name, error))
    if not all_used:
        raise typer.Exit(INPUT_WAS_WRONG)


def _tell(console: Console, sentence: str) -> None:
    """Print a sentence above the progress bar."""
    console.print(printable(sentence), markup=False, highlight=False, soft_wrap=True)


def sentence_about(name: str, error: Exception) -> str:
    """The error's own sentence, or for a fault of ours one that names the source."""
    if isinstance(error, InputError):
        return str(error)
    if is_out_of_memory(error):
        return f"{name}: {OUT_OF_MEMORY}"
    return f"{name} cannot be used, by a fault of this program ({type(error).__name__}: {error})"


def _shows_itself(console: Console, sources: Sequence[MediaInput]) -> bool:
    """Tell if a progress bar would be too much: nobody sees it, or the results are seen coming, or there is but one."""
    return not console.is_terminal or sys.stdout.isatty() or len(sources) == 1
