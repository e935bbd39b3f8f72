"""Go through the images and clips that a person named, or a list of them; a bad one stops no other."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol, TypeVar

import typer

from bunnymoose_cv.cli.framework.exhaustion import OUT_OF_MEMORY, is_out_of_memory, is_output_full
from bunnymoose_cv.cli.terminal.printable import printable
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from rich.console import Console

    from bunnymoose_cv.capture.media_inputs import MediaInput

INPUT_WAS_WRONG = 2


class ImageRow(Protocol):
    """Row of a list that names an image."""

    @property
    def image(self) -> Path:
        """Path of the image."""


Row = TypeVar("Row", bound=ImageRow)
Result = TypeVar("Result")


def process_inputs(sources: Sequence[MediaInput], look: Callable[[MediaInput], None]) -> None:
    """Look at every source; name each that cannot be used on stderr, and end with exit code 2 if there was one.

    Args:
        sources: what the person named.
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


def each_row(rows: Sequence[Row], read: Callable[[Row], Result], problems: list[InputError]) -> Iterator[Result]:
    """Read every row of a list; name each that cannot be used on stderr, and go on with the others.

    Args:
        rows: of the list.
        read: reads a row; any fault out of it means that its image cannot be used.
        problems: lines of the list that are no rows; rows that cannot be used are added.
    """
    from rich.progress import Progress

    from bunnymoose_cv.cli.terminal.console import Terminal

    console = Terminal(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress:
        for problem in problems:
            _tell(console, str(problem))
        for row in progress.track(rows, description="Reading"):
            try:
                yield read(row)
            except Exception as error:  # noqa: BLE001 - any fault in one image is told, and the others go on
                problem = InputError(sentence_about(str(row.image), error))
                problems.append(problem)
                _tell(console, str(problem))


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
