"""Entry point of what plays while the game runs: a camera, a stream, a clip, a folder of images."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from bunnymoose_cv.capture.camera_list import find_camera, list_cameras, unmistakable_name
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.media_inputs import is_still
from bunnymoose_cv.capture.network_stream import open_address
from bunnymoose_cv.capture.playback import play_clip, play_images
from bunnymoose_cv.capture.stream import open_camera
from bunnymoose_cv.core.address import Address, find_address, without_secrets
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from bunnymoose_cv.capture.live_source import LiveSource
    from bunnymoose_cv.capture.orientation import View
    from bunnymoose_cv.core.user_settings import CameraSettings


def open_live(
    where: str, view: View, settings: CameraSettings, pace: float | None = 1.0, *, exactly: bool = False
) -> LiveSource:
    """Open whatever a person named.

    Args:
        where: a camera's number or name or part of it, an address (rtsp, http), a clip, or a folder of images.
        pace: how many times faster than in life files are played; None gives them as fast as they are taken, with their
            own times.
        exactly: whether a part of a camera's name is not enough, as where it is opened again.

    Raises:
        UnreadableError: there is no such thing, or it gives no images.
    """
    address = address_of(where)
    if address is not None:
        return open_address(address, where, view, settings)
    path = Path(where)
    if where.strip():  # an empty path would be the folder we are in, an empty name part of every camera's
        cameras = () if is_stored(where) else list_cameras()
        camera = find_camera(where, cameras, exactly=exactly)
        if camera is not None:
            return open_camera(camera, view, settings, again=unmistakable_name(camera, cameras))
        if _is_images(path):
            return play_images(path, view, pace)
        if _exists(path):
            return play_clip(path, view, pace)
    raise UnreadableError(
        Phrase(
            "There is no camera, clip or folder “{where}”: “bunnymoose cameras” lists the cameras of this computer",
            where=shown_name(where),
        )
    )


def address_of(where: str) -> Address | None:
    """Return the address of a stream; None for a file that is there, and for the name of anything else."""
    return None if is_stored(where) else find_address(where)


def is_stored(where: str) -> bool:
    """True for a file or a folder that is there; a number means a camera whatever is called so."""
    path = Path(where)
    return not where.isdecimal() and _exists(path) and (path.is_dir() or path.is_file())


def shown_name(where: str) -> str:
    """Name of a source on pages, in lists and in games: an address without its secrets."""
    return where if is_stored(where) else without_secrets(where)


def lasting_name(where: str) -> str | None:
    """Name by which a camera or stream is found again another evening, without its secrets; None for files."""
    address = address_of(where)
    if address is not None:
        return address.kept
    if is_stored(where):
        return None
    try:
        cameras = list_cameras()
    except UnreadableError:  # where no camera may be used, none lasts
        return None
    camera = find_camera(where, cameras)
    return None if camera is None else unmistakable_name(camera, cameras)


def _is_images(path: Path) -> bool:
    """True for a folder and for a file that holds an image."""
    return _exists(path) and (path.is_dir() or (path.is_file() and is_still(path)))


def _exists(path: Path) -> bool:
    """False also for a name that the system cannot have."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
