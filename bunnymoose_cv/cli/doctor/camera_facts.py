"""Facts about the camera: its name, its permission, other programs at it, and one image."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from bunnymoose_cv.capture.camera_list import find_camera, list_cameras
from bunnymoose_cv.capture.live import address_of, is_stored
from bunnymoose_cv.capture.orientation import View
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.cli.doctor.computer import CameraFacts, SourceKind
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.camera_list import CameraFound
    from bunnymoose_cv.core.user_settings import CameraSettings


def camera_facts(where: str | None, settings: CameraSettings) -> CameraFacts:
    """Look for cameras and take an image.

    Args:
        where: a camera's number or name, a stream's address or a clip; without it the first camera.
    """
    permitted, problem = True, ""
    found: tuple[CameraFound, ...] = ()
    try:
        found = list_cameras()
    except InputError as error:
        permitted, problem = False, str(error)
    facts = CameraFacts(
        found=tuple(camera.name for camera in found),
        asked=where or (found[0].name if found else ""),
        problem=problem,
        owner=_owner(),
        permitted=permitted,
        holders=programs_with_a_camera(Path("/proc")),
        kind=_kind(where, found, permitted=permitted) if where else SourceKind.CAMERA,
    )
    return _tried(facts, settings) if facts.asked else facts


def _kind(where: str, found: Sequence[CameraFound], *, permitted: bool) -> SourceKind:
    """Kind of a named source; where no camera may be asked, what is nothing else is meant to be one."""
    if address_of(where) is not None:
        return SourceKind.STREAM
    if is_stored(where) or (permitted and find_camera(where, found) is None):
        return SourceKind.OTHER
    return SourceKind.CAMERA


def _tried(facts: CameraFacts, settings: CameraSettings) -> CameraFacts:
    """Add the image's size, or the reason why none came."""
    try:
        with Watcher(facts.asked, View.of(settings), settings) as watcher:
            frame = watcher.newest()
    except InputError as error:
        return replace(facts, problem=_as_sentence(str(error)))
    return replace(facts, size=None if frame is None else frame.size)


def _as_sentence(text: str) -> str:
    return text if text.endswith(".") else f"{text}."


def _owner() -> str:
    """The group of the first camera (Linux), or the program that macOS gives the permission to."""
    if sys.platform == "darwin":
        return os.environ.get("TERM_PROGRAM", "")
    node = next(iter(sorted(Path("/dev").glob("video*"))), None)
    try:
        return "" if node is None else f"the group {node.group()}"
    except (KeyError, OSError):  # a group without a name, or a plug pulled just now
        return ""


def programs_with_a_camera(processes: Path) -> tuple[str, ...]:
    """Names of other programs that hold a camera, as far as this user may see (Linux).

    Args:
        processes: the folder with a folder for each process, `/proc`.
    """
    names: set[str] = set()
    for process in processes.glob("[0-9]*"):
        if process.name != str(os.getpid()) and _holds_camera(process):
            with suppress(OSError):
                names.add((process / "comm").read_text("utf-8").strip())
    return tuple(sorted(names))


def _holds_camera(process: Path) -> bool:
    try:
        return any(str(file.readlink()).startswith("/dev/video") for file in (process / "fd").iterdir())
    except OSError:  # another user's, or gone
        return False
