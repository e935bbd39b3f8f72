"""`bunnymoose cue learn` and `cue test` (the sound of the narrator's Bam), and `say` (speaking of a text)."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.cli.framework.named_files import check_output_file, process_inputs
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.voice.engine import Engine
from bunnymoose_cv.voice.player import SoundError, play
from bunnymoose_cv.voice.speaker import FASTEST_RATE, SLOWEST_RATE, USUAL_RATE, Speaker

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from bunnymoose_cv.capture.sound import Sound
    from bunnymoose_cv.cues.bam import BamProfile, Recording


app = typer.Typer(
    help="""The sound that says Bam.

    For example:

        bunnymoose cue learn

        bunnymoose cue test
    """,
    no_args_is_help=True,
)

TAKE_S: Final = 3.0
"""Length of one take, seconds."""

SILENT_S: Final = 3.0
"""Seconds without sound after which a microphone counts as lost."""

Files = Annotated[list[Path] | None, typer.Argument(metavar="[FILE]…", help="Sound files instead of the microphone.")]
Microphone = Annotated[
    str,
    typer.Option("--microphone", metavar="NAME", help="Its name, part of it, or its number; usually the default one."),
]
Learnt = Annotated[
    Path | None, typer.Option("--bam", metavar="FILE", help="The file of the learnt Bam; usually in your data folder.")
]


@app.command()
def learn(
    files: Files = None,
    *,
    takes: Annotated[int, typer.Option(min=3, max=20, help="How many takes to record.")] = 4,
    microphone: Microphone = "",
    bam: Learnt = None,
) -> None:
    """Learn how the narrator says Bam: a shout or a slap on the table, the same way each time.

    Say it once per take into the microphone that the game will use, in a quiet room; or name a sound file per take.

    For example:

        bunnymoose cue learn

        bunnymoose cue learn --takes 6 --microphone USB

        bunnymoose cue learn bam1.wav bam2.wav bam3.wav
    """
    from bunnymoose_cv.cues.bam import learn as learn_bam
    from bunnymoose_cv.cues.bam_file import default_bam_path, save_bam

    path = bam or default_bam_path()
    check_output_file(path, *files or (), option="--bam")
    recordings = [_from_file(file) for file in files] if files else list(_recorded(takes, microphone))
    save_bam(learn_bam(recordings), path)
    echo(f"Bam learnt from {len(recordings)} takes, kept in {path}; try it with bunnymoose cue test")


@app.command("test")
def try_out(
    files: Files = None,
    *,
    seconds: Annotated[float, typer.Option(min=1, max=3600, help="How long to listen to the microphone.")] = 30,
    microphone: Microphone = "",
    bam: Learnt = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per Bam.")] = False,
) -> None:
    """Print each Bam with its time, heard by the microphone, or in sound files or clips.

    A file that cannot be read is named, the others are searched, and the exit code is 2.

    For example:

        bunnymoose cue test

        bunnymoose cue test evening.mp4 --json
    """
    from bunnymoose_cv.capture.media_inputs import MediaInput
    from bunnymoose_cv.cues.bam_file import default_bam_path, load_bam

    profile = load_bam(bam or default_bam_path())
    found = 0

    def print_all(source: str, bams_s: Iterable[float]) -> None:
        nonlocal found
        for bam_s in bams_s:
            found += 1
            shape = {"source": source, "time_s": round(bam_s, 2)}
            echo(json.dumps(shape, ensure_ascii=False) if as_json else f"{source}: Bam at {bam_s:.2f} s")

    if files:
        sources = [MediaInput(str(file), file) for file in files]
        process_inputs(sources, lambda source: print_all(source.name, _heard_in(source.name, profile)))
    else:
        print_all("microphone", _heard(profile, seconds, microphone))
    if not found:
        echo("No Bam was heard", err=True)


def _heard_in(file: str, profile: BamProfile) -> Iterator[float]:
    """Yield the times of heard Bams in a file, in seconds from its beginning."""
    from bunnymoose_cv.cues.sound_cues import cues_in
    from bunnymoose_cv.cues.spectrogram import PoorSoundError

    try:
        for cue in cues_in(_from_file(Path(file)), profile):
            yield cue.time_s
    except PoorSoundError as error:
        raise InputError(f"{file}: {error}") from error


def _from_file(file: Path) -> Recording:
    from bunnymoose_cv.capture.sound import read_sound
    from bunnymoose_cv.cues.bam import Recording

    sound = read_sound(file)
    return Recording(sound.samples, sound.rate)


def _recorded(takes: int, microphone: str) -> Iterator[Recording]:
    """Record one take after the other; sound between them is dropped."""
    import numpy as np

    from bunnymoose_cv.cues.bam import Recording

    with _listening(microphone) as heard:
        for number in range(1, takes + 1):
            _forget(heard)
            echo(f"Take {number} of {takes}: say Bam …", err=True)
            pieces = list(_pieces(heard, TAKE_S))
            yield Recording(np.concatenate([piece.samples for piece in pieces]), pieces[0].rate)


def _heard(profile: BamProfile, seconds: float, microphone: str) -> Iterator[float]:
    """Yield the times of heard Bams, in seconds from the start of listening."""
    from bunnymoose_cv.cues.bam import BamEar
    from bunnymoose_cv.cues.cue import CueGate, Maker

    ear, gate = BamEar(profile), CueGate()
    with _listening(microphone) as heard:
        _forget(heard)
        echo(f"Listening for {seconds:.0f} s: say Bam …", err=True)
        began_s = time.monotonic()
        for piece in _pieces(heard, seconds):
            bam_s = ear.hear(piece.samples, piece.rate, piece.start_s)
            if bam_s is not None and gate.make(Maker.SOUND, bam_s):
                yield bam_s - began_s


@contextmanager
def _listening(microphone: str) -> Iterator[Queue[Sound]]:
    """Open the microphone, and yield the queue of its sound."""
    from bunnymoose_cv.capture.microphone import Microphone as OpenMicrophone

    heard: Queue[Sound] = Queue()
    with OpenMicrophone(microphone, heard.put):
        _next(heard)
        yield heard


def _pieces(heard: Queue[Sound], seconds: float) -> Iterator[Sound]:
    """Yield pieces of sound until they last a number of seconds."""
    heard_s = 0.0
    while heard_s < seconds:
        piece = _next(heard)
        heard_s += len(piece.samples) / piece.rate
        yield piece


def _forget(heard: Queue[Sound]) -> None:
    while not heard.empty():
        heard.get_nowait()


def _next(heard: Queue[Sound]) -> Sound:
    try:
        return heard.get(timeout=SILENT_S)
    except Empty as error:
        raise InputError("The microphone gives no sound: look whether it is plugged in and allowed") from error


def say(
    text: Annotated[str | None, typer.Argument(help="The text to say.", show_default=False)] = None,
    *,
    voice: Annotated[
        str | None,
        typer.Option(help="The voice: a name or a language code, such as “German” or “de”.", show_default="English"),
    ] = None,
    rate: Annotated[int, typer.Option(help=f"Words per minute, {SLOWEST_RATE} to {FASTEST_RATE}.")] = USUAL_RATE,
    out: Annotated[
        Path | None,
        typer.Option(metavar="F.wav", help="Write a WAV file instead of playing the sound.", show_default=False),
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
            voices = sorted(engine.voices(), key=lambda voice: (voice.language, voice.name))
        width = max((len(voice.language) for voice in voices), default=0)
        for each in voices:
            echo(f"{each.language:{width}}  {each.name}")
        return
    if text is None or not text.strip():
        raise InputError('there is nothing to say: put a text behind “say”, such as bunnymoose say "Moose ahead 3"')
    if out is not None:
        check_output_file(out)
    with Speaker(voice, rate) as speaker:
        sound = speaker.render(text)
        if out is not None:
            _write(sound, out)
            return
        try:
            play(sound)
        except SoundError as error:
            echo(f"{error}; --out F.wav writes a file instead", err=True)
            raise typer.Exit(1) from error


def _write(sound: Path, out: Path) -> None:
    """Copy a sound to the chosen file atomically, and print its path."""
    try:
        with whole_file(out) as part:
            shutil.copyfile(sound, part)
    except OSError as error:
        raise InputError(f"{out} cannot be written ({error.strerror}): name another file with --out") from error
    echo(str(out))
