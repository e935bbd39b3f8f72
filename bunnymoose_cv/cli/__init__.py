"""The command line: names every command and turns a person's mistakes into one sentence."""

from __future__ import annotations

import io
import logging
import os
import sys
from contextlib import suppress
from typing import Annotated, Final, NoReturn

import typer

from bunnymoose_cv.cli.framework.command_groups import HELP_NAMES, LazyCommand, RootGroup
from bunnymoose_cv.cli.framework.exhaustion import OUT_OF_MEMORY, is_out_of_memory, is_output_full
from bunnymoose_cv.cli.framework.secret_arguments import hide_in_process_list, without_typed_secrets
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.cli.terminal.printable import printable
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.log import evening_log
from bunnymoose_cv.core.signals import EndedError, orderly_exit
from bunnymoose_cv.core.version import __version__

_logger = logging.getLogger(__name__)
COMMANDS: Final = {
    "demo": LazyCommand(
        "demo_command:demo", "Judge the clip that comes with the program: five players freeze at “Bam!”."
    ),
    "judge": LazyCommand(
        "judge.judge_command:judge",
        "Judge the players in images and clips: what everybody shows, why, and what the cards pay.",
    ),
    "hand": LazyCommand("hand_face_commands:hand", "Say what a hand by itself makes: an antler, an ear, or neither."),
    "face": LazyCommand("hand_face_commands:face", "Say of every face whether its tongue is out."),
    "cards": LazyCommand(
        "cards_command:cards",
        "Read the cards on the piles, from left to right in the photograph, or by the mat's places.",
    ),
    "score": LazyCommand("score_commands:score", "Score poses against the cards on the table, and say why."),
    "best": LazyCommand(
        "score_commands:best",
        "Find the poses that score most and least against the cards on the table; all 162 poses are tried.",
    ),
    "say": LazyCommand("say_command:say", "Say something with one of the computer's own voices."),
    "cameras": LazyCommand(
        "camera_commands:cameras", "List the cameras of this computer: number, name, sizes and rates."
    ),
    "doctor": LazyCommand(
        "doctor.command:doctor",
        "Check this computer for a game: good, weak or bad, with a remedy; exit with 1 where no game can be played.",
    ),
    "play": LazyCommand(
        "play.play_command:play",
        "Play a game, with a screen for the table that opens in the browser, or in the terminal alone.",
    ),
    "calibrate": LazyCommand(
        "calibrate_command:calibrate",
        "Check the table in a minute: light, distance, room for hands, focus, left and right, microphone, speed.",
    ),
    "mirror": LazyCommand(
        "mirror_command:mirror",
        "Practise antlers, ears and tongue: what is asked, what the referee sees of it, and what to change.",
    ),
    "profile": LazyCommand(
        "profile_commands:app", "Profiles of players and tables: one readable TOML each, on this computer alone."
    ),
    "replay": LazyCommand("games.game_commands:replay", "Say where the replay of a round lies, or open it."),
    "contest": LazyCommand(
        "games.dispute_commands:contest",
        "Show what a verdict rests on: what was read and why, what every card paid, and the images.",
    ),
    "undo": LazyCommand(
        "games.dispute_commands:undo",
        "Take back the newest correction, or with --yes the newest thing that still stands; say what changed.",
    ),
    "correct": LazyCommand(
        "games.dispute_commands:correct",
        "Put right what a player showed, in any round; "
        "everything that follows is made again, and what changed is said.",
        takes_dashes=True,
    ),
    "games": LazyCommand("games.game_commands:app", "The games that are kept on this computer."),
    "cue": LazyCommand("cue_commands:app", "The sound that says Bam."),
    "deck": LazyCommand("deck_commands:app", "Decks of cards: list, show, check, print and enrol them."),
    "models": LazyCommand("model_commands:app", "The models, which come with the program: check, list."),
}
"""Every command, in the order of the help."""


class _Commands(RootGroup):
    """The commands of `bunnymoose`."""

    lazy = COMMANDS


app = typer.Typer(
    name="bunnymoose",
    cls=_Commands,
    help="The referee of Bunny Bunny Moose Moose: a camera reads antlers, ears and tongues, the rules score them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=True,
    context_settings={"help_option_names": list(HELP_NAMES)},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        echo(f"bunnymoose {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """The referee of Bunny Bunny Moose Moose: a camera reads antlers, ears and tongues, the rules score them."""


def main(program: typer.Typer | None = None, name: str = "bunnymoose") -> None:
    """Run a command line; a mistake that the person can put right ends with its sentence and exit code 2.

    Args:
        program: commands to run instead of the product's own; the laboratory in `training` has some.
    """
    _open_closed_streams()
    _hush_libraries()
    _limit_library_threads()
    _escape_what_the_output_cannot_show()
    _bound_the_width()
    hide_in_process_list()
    try:
        with evening_log(), orderly_exit():
            _run(program or app, name)
    except InputError as error:
        _refuse(str(error))
    except EndedError as ended:
        _tell(ended.sentence)
        raise
    except Exception as error:
        if isinstance(error, OSError) and is_output_full(error):
            sys.stdout = None
            _refuse(f"The output cannot be written ({error.strerror}): make room, or name another place.")
        if not is_out_of_memory(error):
            raise
        _refuse(OUT_OF_MEMORY)


def _escape_what_the_output_cannot_show() -> None:
    """Escape signs that the output's encoding has not, as redirected output on Windows, instead of failing."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def _open_closed_streams() -> None:
    """Give an empty input, and outputs that nobody reads, to a program started without, as some task schedulers do.

    The first file that is opened would get a closed stream's number, and all that libraries write to that number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, open(nowhere, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - stays open


_NARROWEST: Final = 40
_WIDEST: Final = 1_000


def _bound_the_width() -> None:
    """Bound the columns that were told, so that a table is neither lost nor endless; 0 means that nobody knows."""
    told = os.environ.pop("COLUMNS", "").lstrip("0")
    if told.isascii() and told.isdecimal():
        os.environ["COLUMNS"] = str(min(max(int(told[:9]), _NARROWEST), _WIDEST))


def _run(program: typer.Typer, name: str) -> None:
    """Run the command and bring all of its output to its place."""
    try:
        program(prog_name=name)
    except InputError:
        raise
    except Exception:
        _logger.exception("the command broke")
        raise
    finally:
        sys.stdout.flush()


def _refuse(sentence: str) -> NoReturn:
    _tell(printable(without_typed_secrets(sentence)))
    sys.exit(2)


def _tell(sentence: str) -> None:
    """Write a sentence to stderr; it is lost, and the exit code stays, where that takes no more or nobody reads it."""
    try:
        sys.stderr.write(f"{sentence}\n")
    except OSError:
        sys.stderr = None


def _limit_library_threads() -> None:
    """Keep NumPy's matrix products on one thread: they are small, and whatever is large is shared out by ourselves."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _hush_libraries() -> None:
    """Keep for ourselves what people see as errors; what libraries in other languages write there is lost.

    MediaPipe writes a dozen lines about its own inside for every image, past Python and whatever it is told.
    """
    with suppress(OSError, AttributeError):  # where there is no such stream nothing needs to be hushed
        own = os.dup(sys.stderr.fileno())
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stderr.fileno())
        os.close(nowhere)
        sys.stderr = os.fdopen(own, "w", encoding=sys.stderr.encoding, errors=sys.stderr.errors, buffering=1)
