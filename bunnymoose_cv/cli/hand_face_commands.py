"""`bunnymoose hand` and `face`: reading of a single hand, or of faces."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.cli.framework.named_files import process_inputs
from bunnymoose_cv.cli.terminal.echo import echo, printable, warn
from bunnymoose_cv.rules.pose import Ear

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from bunnymoose_cv.capture.media_inputs import MediaInput
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FaceReading

ImagesArgument = Annotated[
    list[str], typer.Argument(metavar="IMAGE", help="Images, folders of them, or - for standard input.")
]
JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object per image and nothing else.")]


def hand(images: ImagesArgument, *, as_json: JsonOption = False) -> None:
    """Say what a single hand shows: an antler, an ear, or neither.

    For example:

        bunnymoose hand antler.jpg

        bunnymoose hand hands/ --json
    """
    from bunnymoose_cv.core.json_line import json_line
    from bunnymoose_cv.output.judged_json import hand_json

    def line(reader: Reader, source: MediaInput) -> str:
        reading = reader.read_lone_hand(source.image())
        return json_line(hand_json(source.name, reading)) if as_json else _hand_words(source, reading)

    _echo_each(images, line)


def face(images: ImagesArgument, *, as_json: JsonOption = False) -> None:
    """Say of every face whether its tongue is out.

    For example:

        bunnymoose face party.jpg

        bunnymoose face photos/ --json
    """
    from bunnymoose_cv.core.json_line import json_line
    from bunnymoose_cv.output.judged_json import faces_json

    def line(reader: Reader, source: MediaInput) -> str:
        faces = reader.read_faces(source.image())
        return json_line(faces_json(source.name, faces)) if as_json else _faces_words(source, faces)

    _echo_each(images, line)


def _echo_each(images: Sequence[str], line: Callable[[Reader, MediaInput], str]) -> None:
    """Print a line for every readable image."""
    from bunnymoose_cv.capture.media_inputs import find_inputs
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.vision.reader import Reader

    with Reader(load_settings()) as reader:
        process_inputs(list(find_inputs(images, warn)), lambda source: echo(line(reader, source)))


def _hand_words(source: MediaInput, reading: HeadgearReading | None) -> str:
    """Format a reading: `fist.jpg: nothing, 93% (thumb tucked in; no finger out; …)`."""
    from bunnymoose_cv.rules.pose_words import headgear_parts

    if reading is None:
        return f"{printable(source.name)}: no hand found"
    shown = headgear_parts(reading.headgear, reading.unclear)
    words = " ".join(shown[:1] if isinstance(reading.headgear, Ear) else shown)  # a single ear has no place
    return f"{printable(source.name)}: {words}, {reading.confidence:.0%} ({'; '.join(reading.reasons)})"


def _faces_words(source: MediaInput, faces: Sequence[FaceReading]) -> str:
    """Format the readings from left to right: `party.jpg: tongue in 98%, tongue out 91%`."""
    from bunnymoose_cv.rules.pose_words import tongue_words

    said = (
        f"{tongue_words(face.tongue.tongue, unclear=face.tongue.unclear)} {face.tongue.confidence:.0%}"
        for face in faces
    )
    return f"{printable(source.name)}: {', '.join(said) or 'no face found'}"
