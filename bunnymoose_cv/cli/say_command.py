"""`bunnymoose say`: a text is heard, or written as a WAV file."""

from __future__ import annotations

import shutil
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.cli.framework.output_guard import check_output_file
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.voice.engine import Engine
from bunnymoose_cv.voice.player import SoundError, play
from bunnymoose_cv.voice.speaker import FASTEST_RATE, SLOWEST_RATE, USUAL_RATE, Speaker

if TYPE_CHECKING:
    from bunnymoose_cv.voice.voices import Voice


def say(
    text: Annotated[str | None, typer.Argument(help="What is said.", show_default=False)] = None,
    *,
    voice: Annotated[
        str | None,
        typer.Option(help="Whose voice: a name or a language code, such as “German” or “de”.", show_default="English"),
    ] = None,
    rate: Annotated[int, typer.Option(help=f"Words per minute, {SLOWEST_RATE} to {FASTEST_RATE}.")] = USUAL_RATE,
    out: Annotated[
        Path | None,
        typer.Option(metavar="F.wav", help="Write a WAV file instead of letting it be heard.", show_default=False),
    ] = None,
    list_voices: Annotated[bool, typer.Option("--list", help="List this computer's voices.")] = False,
) -> None:
    """Say something with one of the computer's own voices.

    For example:

        bunnymoose say "Moose ahead 3"

        bunnymoose say "Elch 3 vor" --voice de --rate 140

        bunnymoose say "Rabbit back 2" --out rabbit.wav

        bunnymoose say --list
    """
    if list_voices:
        with Engine() as engine:
            _list(engine.voices())
        return
    if text is None or not text.strip():
        raise InputError('there is nothing to say: put a text behind “say”, such as bunnymoose say "Moose ahead 3"')
    if out is not None:
        check_output_file(out)
    with Speaker(voice, rate) as speaker:
        sound = speaker.render(text)
        if out is None:
            _let_hear(sound)
        else:
            _write(sound, out)


def _list(voices: tuple[Voice, ...]) -> None:
    """One voice a line: its language, its name."""
    width = max((len(voice.language) for voice in voices), default=0)
    for voice in sorted(voices, key=lambda voice: (voice.language, voice.name)):
        echo(f"{voice.language:{width}}  {voice.name}")


def _let_hear(sound: Path) -> None:
    """Play a sound.

    Raises:
        typer.Exit: this computer cannot, which is told.
    """
    try:
        play(sound)
    except SoundError as error:
        echo(f"{error}; --out F.wav writes a file instead", err=True)
        raise typer.Exit(1) from error


def _write(sound: Path, out: Path) -> None:
    """Put a finished sound where the person wants it, whole or not at all, and tell where."""
    try:
        with whole_file(out) as part:
            shutil.copyfile(sound, part)
    except OSError as error:
        raise InputError(f"{out} cannot be written ({error.strerror}): name another file with --out") from error
    echo(str(out))
