"""Files that a user names: a loop over inputs that continues after a bad one, and a guard of what outputs overwrite."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from bunnymoose_cv.cli.terminal.echo import printable
from bunnymoose_cv.core.atomic_files import replaceable
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.exhaustion import OUT_OF_MEMORY, is_out_of_memory, is_output_full

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.capture.media_inputs import MediaInput


INPUT_WAS_WRONG = 2


def process_inputs(sources: Sequence[MediaInput], look: Callable[[MediaInput], None]) -> None:
    """Process every source, report each unusable one on stderr, and end with exit code 2 if there was one.

    Args:
        look: the callback that processes a source; any exception from it means that the source cannot be used.

    Raises:
        ModelError: a model is missing, without which nothing can be processed.
        BrokenPipeError: the reader of the output has closed it.
        typer.Exit: a source could not be used.
    """
    from rich.progress import Progress

    from bunnymoose_cv.cli.terminal.console import Terminal
    from bunnymoose_cv.vision.model_files import ModelError

    console = Terminal(stderr=True)
    all_used = True
    # A bar is useless if it is not visible, results are visible, or there is one source.
    useless = not console.is_terminal or sys.stdout.isatty() or len(sources) == 1
    with Progress(console=console, transient=True, redirect_stdout=False, disable=useless) as progress:
        for source in progress.track(sources, description="Looking"):
            try:
                look(source)
            except (ModelError, typer.Exit, BrokenPipeError):
                raise
            except Exception as error:
                if is_output_full(error):
                    raise
                all_used = False
                sentence = printable(sentence_about(source.name, error))
                console.print(sentence, markup=False, highlight=False, soft_wrap=True)
    if not all_used:
        raise typer.Exit(INPUT_WAS_WRONG)


def sentence_about(name: str, error: Exception) -> str:
    """Return the error's own sentence or, for a bug, one that names the source."""
    if isinstance(error, InputError):
        return str(error)
    if is_out_of_memory(error):
        return f"{name}: {OUT_OF_MEMORY}"
    return f"{name} cannot be used, by a fault of this program ({type(error).__name__}: {error})"


def check_output_file(path: Path, *inputs: Path, option: str = "--out") -> None:
    """Raise an `InputError` if a named output is an input, in a stored game, or a folder, a device or a pipe."""
    try:
        target = replaceable(path)
    except IsADirectoryError as error:
        raise InputError(f"{path} is a folder: name a file, such as one in it.") from error
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror}): name another file with {option}.") from error
    for source in inputs:
        with suppress(OSError):  # a missing input cannot be overwritten
            if target.samefile(source):  # also through a symbolic or hard link
                raise InputError(
                    f"{path} is what the command reads, and would be overwritten: name another file with {option}."
                )
    check_output_folder(target)


def check_output_folder(path: Path) -> None:
    """Raise an `InputError` if an output is the folder of a stored game, or inside one."""
    from bunnymoose_cv.record.game_file import GAME_FILE

    real = Path(os.path.realpath(path))
    for folder in (real, *real.parents):
        if os.path.isfile(folder / GAME_FILE):  # noqa: PTH113 - False for what may not be looked at
            raise InputError(
                f"{path} lies in the kept game {folder.name}, which stays as it is: name a place outside it."
            )
