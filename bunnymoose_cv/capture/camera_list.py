"""List of this computer's cameras, with the sizes and frame rates that they report."""

from __future__ import annotations

import re
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import av
import av.logging

from bunnymoose_cv.capture import v4l2
from bunnymoose_cv.capture.camera_mode import CameraMode

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


@dataclass(frozen=True, slots=True)
class CameraFound:
    """A camera of this computer.

    Attributes:
        number: what a person may call it by; it may change when plugs do.
        address: what the system opens it by.
        modes: sizes and rates, the largest first; empty where the system does not tell.
    """

    number: int
    name: str
    address: str
    modes: tuple[CameraMode, ...] = ()

    @property
    def title(self) -> str:
        """Name of the camera in messages."""
        return f"camera {self.number} ({self.name})"


def list_cameras() -> tuple[CameraFound, ...]:
    """All cameras, by their numbers; one that is in use by somebody else too.

    Raises:
        UnreadableError: there are some, and this user may use none of them.
    """
    if sys.platform == "linux":
        return tuple(CameraFound(node.number, node.name, str(node.path), node.modes) for node in v4l2.nodes())
    if sys.platform == "win32":
        return tuple(_list_devices("dshow", "video={}", {"list_options": "true"}))
    # Asked for a rate that no camera has, macOS tells those that it has.
    return tuple(_list_devices("avfoundation", "{}", {"framerate": "1000"}))


def find_camera(where: str, cameras: Sequence[CameraFound], *, exactly: bool = False) -> CameraFound | None:
    """The camera that a person means: by number, address or name; else the first whose name has that in it.

    Args:
        where: what was told; a number is never looked for within names.
        exactly: whether a part of a name is not enough.
    """
    wanted = where.strip().casefold()
    for camera in cameras:
        if wanted in {str(camera.number), camera.address.casefold(), camera.name.casefold()}:
            return camera
    if exactly or not wanted or wanted.isdecimal():
        return None
    return next((camera for camera in cameras if wanted in camera.name.casefold()), None)


def unmistakable_name(camera: CameraFound, cameras: Sequence[CameraFound]) -> str:
    """Name of a camera, by which `find_camera` finds it; its address where others have the same name."""
    alone = sum(other.name == camera.name for other in cameras) == 1
    return camera.name if alone else camera.address


def _list_devices(device: str, address: str, asking: dict[str, str]) -> Iterable[CameraFound]:
    found = [each for each in av.enumerate_input_devices(device) if "video" in each.media_types]
    for number, each in enumerate(found):
        name = each.description or each.name
        opened_by = address.format(each.name)
        yield CameraFound(number, name, opened_by, advertised_modes(_query_system(device, opened_by, asking)))


def _query_system(device: str, address: str, asking: dict[str, str]) -> str:
    """Return the system's report about a camera when it is asked for `asking`; the camera is not opened."""
    level = av.logging.get_level()
    av.logging.set_level(av.logging.INFO)
    try:
        with av.logging.Capture() as lines, suppress(OSError, av.FFmpegError):
            av.open(address, format=device, options=asking).close()
        return "".join(text for _, _, text in lines)
    finally:
        av.logging.set_level(level)


_WINDOWS_MODE: Final = re.compile(r"min s=\d+x\d+ fps=[\d.]+ max s=(\d+)x(\d+) fps=([\d.]+)")
_MAC_MODE: Final = re.compile(r"(\d+)x(\d+)@\[[\d.]+ ([\d.]+)\]fps")


def advertised_modes(text: str) -> tuple[CameraMode, ...]:
    """The sizes and rates in what FFmpeg writes about a camera of Windows (dshow) or macOS (avfoundation)."""
    told = [*_WINDOWS_MODE.findall(text), *_MAC_MODE.findall(text)]
    return CameraMode.sorted({CameraMode(int(width), int(height), float(rate)) for width, height, rate in told})
