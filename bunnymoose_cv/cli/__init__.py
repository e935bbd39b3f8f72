"""The command line: the table of commands, and the reporting of a user's mistakes in one sentence."""

from __future__ import annotations

import io
import logging
import os
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Annotated, Final, NoReturn

import typer

from bunnymoose_cv.cli.framework.command_groups import HELP_NAMES, CommandGroup, LazyCommand
from bunnymoose_cv.cli.framework.secret_arguments import hide_in_process_list
from bunnymoose_cv.cli.terminal.echo import echo, printable
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.exhaustion import OUT_OF_MEMORY, is_out_of_memory, is_output_full
from bunnymoose_cv.core.log import evening_log
from bunnymoose_cv.core.signals import EndedError, orderly_exit
from bunnymoose_cv.core.version import __version__

if TYPE_CHECKING:
    from typer._click import Command, Context, HelpFormatter

_logger = logging.getLogger(__name__)
COMMANDS: Final = {
    "demo": LazyCommand(
        "demo_command:demo", "Judge the clip that comes with the program: five players freeze at “Bam!”."
    ),
    "judge": LazyCommand(
        "judge_command:judge",
        "Judge the players in images and clips: what each shows, why, and the score for the cards.",
    ),
    "hand": LazyCommand("hand_face_commands:hand", "Say what a single hand shows: an antler, an ear, or neither."),
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
    "say": LazyCommand("sound_commands:say", "Say something with one of the computer's own voices."),
    "cameras": LazyCommand(
        "camera_commands:cameras", "List the cameras of this computer: number, name, sizes and rates."
    ),
    "doctor": LazyCommand(
        "doctor.command:doctor",
        "Check whether a game can be played on this computer. Findings have remedies; the exit code is 1 if it cannot.",
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
        "Practise antlers, ears and tongue: see how the referee reads each task, and what to change.",
    ),
    "profile": LazyCommand(
        "profile_commands:app", "Profiles of players and tables: one readable TOML each, on this computer alone."
    ),
    "replay": LazyCommand("games.game_commands:replay", "Print the path of the replay of a round, or open it."),
    "contest": LazyCommand(
        "games.dispute_commands:contest",
        "Show the evidence of a verdict: what was read and why, what each card scored, and the images.",
    ),
    "undo": LazyCommand(
        "games.dispute_commands:undo",
        "Undo the newest correction, or with --yes the newest entry of any kind, and print the changes.",
    ),
    "correct": LazyCommand(
        "games.dispute_commands:correct",
        "Correct what a player showed, in any round. Later rounds are scored again, and the changes are printed.",
        takes_dashes=True,
    ),
    "games": LazyCommand("games.game_commands:app", "The games that are kept on this computer."),
    "cue": LazyCommand("sound_commands:app", "The sound that says Bam."),
    "deck": LazyCommand("deck_commands:app", "Decks of cards: list, show, check, print and enrol them."),
    "models": LazyCommand("model_commands:app", "The models, which come with the program: check, list."),
}
"""Every command, in the order of the help."""


class _Commands(CommandGroup):
    """The commands of `bunnymoose`, which are imported when they are named; the help has their summaries."""

    def list_commands(self, ctx: Context) -> list[str]:
        """List the names in the order of the table."""
        del ctx
        return [*COMMANDS]

    def get_command(self, ctx: Context, cmd_name: str) -> Command | None:
        """Return the command, importing it if it is in the table."""
        return COMMANDS[cmd_name].load(cmd_name) if cmd_name in COMMANDS else super().get_command(ctx, cmd_name)

    def format_help(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Render the help without rich, importing which takes as long as importing MediaPipe."""
        mode, self.rich_markup_mode = self.rich_markup_mode, None
        try:
            super().format_help(ctx, formatter)
        finally:
            self.rich_markup_mode = mode

    def format_commands(self, ctx: Context, formatter: HelpFormatter) -> None:
        """Render names and summaries."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, command.summary) for name, command in COMMANDS.items()])


app = typer.Typer(
    name="bunnymoose",
    cls=_Commands,
    help="The referee of Bunny Bunny Moose Moose: a camera reads antlers, ears and tongues, the rules score them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
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
    """Run a command line; a mistake that the user can correct ends it with one sentence and exit code 2.

    Args:
        program: the commands to run; None runs the product's own. The laboratory in `training` has others.
    """
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's matrix products are small; large tasks have threads
    _open_closed_streams()
    _hush_libraries()
    if isinstance(sys.stdout, io.TextIOWrapper):  # escape what the output's encoding lacks, as if redirected on Windows
        sys.stdout.reconfigure(errors="backslashreplace")
    _bound_the_width()
    hide_in_process_list()
    try:
        with evening_log(), orderly_exit():
            _run(program or app, name)
    except InputError as error:
        _refuse(str(error))
    except EndedError as ended:
        _print_sentence(ended.sentence)
        raise
    except Exception as error:
        if isinstance(error, OSError) and is_output_full(error):
            sys.stdout = None
            _refuse(f"The output cannot be written ({error.strerror}): make room, or name another place.")
        if not is_out_of_memory(error):
            raise
        _refuse(OUT_OF_MEMORY)


def _open_closed_streams() -> None:
    """Replace closed standard streams, with which some task schedulers start programs, by the null device.

    Otherwise the first opened file would get a closed stream's descriptor, and all that libraries write to it.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, open(nowhere, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - stays open


_NARROWEST: Final = 40
_WIDEST: Final = 1_000


def _bound_the_width() -> None:
    """Limit the width in `COLUMNS`, so that tables remain readable; 0 means unknown and is removed."""
    columns = os.environ.pop("COLUMNS", "").lstrip("0")
    if columns.isascii() and columns.isdecimal():
        os.environ["COLUMNS"] = str(min(max(int(columns[:9]), _NARROWEST), _WIDEST))


def _run(program: typer.Typer, name: str) -> None:
    """Run the command and flush its output."""
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
    _print_sentence(printable(sentence))
    sys.exit(2)


def _print_sentence(sentence: str) -> None:
    """Write a sentence to stderr; if stderr is full or closed, it is lost and the exit code remains."""
    try:
        sys.stderr.write(f"{sentence}\n")
    except OSError:
        sys.stderr = None


def _hush_libraries() -> None:
    """Reserve stderr for the program, and discard the output of native libraries to it.

    MediaPipe logs a dozen lines for every image to file descriptor 2 and ignores Python's logging settings.
    """
    with suppress(OSError, AttributeError):  # without such a stream, nothing needs to be discarded
        own = os.dup(sys.stderr.fileno())
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stderr.fileno())
        os.close(nowhere)
        sys.stderr = os.fdopen(own, "w", encoding=sys.stderr.encoding, errors=sys.stderr.errors, buffering=1)
