"""The commands `cue learn` and `cue test`: the narrator's Bam as a sound."""

from __future__ import annotations

import json
import time
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.cli.framework.each_input import process_inputs
from bunnymoose_cv.cli.framework.output_guard import check_output_file
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError

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
"""Length of one take."""

SILENT_S: Final = 3.0
"""A microphone that gives nothing for so long is lost."""

Files = Annotated[list[Path] | None, typer.Argument(metavar="[FILE]…", help="Sound files instead of the microphone.")]
Microphone = Annotated[
    str, typer.Option("--microphone", metavar="NAME", help="Its name, part of it, or its number; else the usual one.")
]
Learnt = Annotated[
    Path | None, typer.Option("--bam", metavar="FILE", help="Where the learnt Bam lies; else the user's data folder.")
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
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object for each Bam.")] = False,
) -> None:
    """Tell every Bam that is heard, with its time: at the microphone, or in sound files or clips.

    A file that cannot be read is named, the others are still heard, and the exit code is 2.

    For example:

        bunnymoose cue test

        bunnymoose cue test evening.mp4 --json
    """
    from bunnymoose_cv.capture.media_inputs import MediaInput
    from bunnymoose_cv.cues.bam_file import default_bam_path, load_bam

    profile = load_bam(bam or default_bam_path())
    found = 0

    def tell_all(source: str, bams_s: Iterable[float]) -> None:
        nonlocal found
        for bam_s in bams_s:
            found += 1
            _tell(source, bam_s, as_json=as_json)

    if files:
        sources = [MediaInput(str(file), file) for file in files]
        process_inputs(sources, lambda source: tell_all(source.name, _heard_in(source.name, profile)))
    else:
        tell_all("microphone", _heard(profile, seconds, microphone))
    if not found:
        echo("No Bam was heard", err=True)


def _heard_in(file: str, profile: BamProfile) -> Iterator[float]:
    """Yield the times of heard Bams in a file, in seconds from its beginning.

    Raises:
        InputError: it cannot be read, or is too poor.
    """
    from bunnymoose_cv.cues.listening import cues_in
    from bunnymoose_cv.cues.loudness import PoorSoundError

    try:
        for cue in cues_in(_from_file(Path(file)), profile):
            yield cue.time_s
    except PoorSoundError as error:
        raise InputError(f"{file}: {error}") from error


def _tell(source: str, time_s: float, *, as_json: bool) -> None:
    if as_json:
        echo(json.dumps({"source": source, "time_s": round(time_s, 2)}, ensure_ascii=False))
    else:
        echo(f"{source}: Bam at {time_s:.2f} s")


def _from_file(file: Path) -> Recording:
    from bunnymoose_cv.capture.sound import read_sound
    from bunnymoose_cv.cues.bam import Recording

    sound = read_sound(file)
    return Recording(sound.samples, sound.rate)


def _recorded(takes: int, microphone: str) -> Iterator[Recording]:
    """Ask for one take after the other; what is heard between them does not count."""
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
    """An open microphone; what it hears comes out of the queue.

    Raises:
        InputError: there is no microphone, or it gives nothing.
    """
    from bunnymoose_cv.capture.microphone import Microphone as OpenMicrophone

    heard: Queue[Sound] = Queue()
    with OpenMicrophone(microphone, heard.put):
        _next(heard)
        yield heard


def _pieces(heard: Queue[Sound], seconds: float) -> Iterator[Sound]:
    """Yield the pieces of sound of so many seconds."""
    heard_s = 0.0
    while heard_s < seconds:
        piece = _next(heard)
        heard_s += len(piece.samples) / piece.rate
        yield piece


def _forget(heard: Queue[Sound]) -> None:
    """Drop what was heard and not taken."""
    while not heard.empty():
        heard.get_nowait()


def _next(heard: Queue[Sound]) -> Sound:
    try:
        return heard.get(timeout=SILENT_S)
    except Empty as error:
        raise InputError("The microphone gives no sound: look whether it is plugged in and allowed") from error
