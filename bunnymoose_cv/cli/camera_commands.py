"""`bunnymoose cameras`: the output of capture/camera_list.py, which finds them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.cli.terminal.echo import echo

if TYPE_CHECKING:
    from bunnymoose_cv.capture.camera_list import CameraFound


def cameras(
    *, as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per camera.")] = False
) -> None:
    """List the cameras of this computer: number, name, sizes and rates.

    A number, a name or a part of it is what `--camera` takes; an address of a stream, a clip or a folder does too.

    For example:

        bunnymoose cameras

        bunnymoose cameras --json
    """
    from bunnymoose_cv.capture.camera_list import list_cameras

    found = list_cameras()
    for camera in found:
        echo(_as_json(camera) if as_json else _as_lines(camera))
    if not found:
        echo("This computer has no camera: plug one in, or play from a stream or a clip", err=True)


def _as_lines(camera: CameraFound) -> str:
    return "\n     ".join([f"{camera.number:3}  {camera.name}", *map(str, camera.modes)])


def _as_json(camera: CameraFound) -> str:
    modes = [
        {"size": [mode.width, mode.height], "frames_per_s": round(mode.frames_per_s, 3) or None}
        for mode in camera.modes
    ]
    return json.dumps({"number": camera.number, "name": camera.name, "modes": modes}, ensure_ascii=False)
