"""Cameras of this computer: their names, sizes and rates, and the size and rate that the computer keeps up with.

Linux is asked by Video for Linux (version 2), with the requests and layouts of the kernel's `linux/videodev2.h`, which
are the same on all common processors. Why no library is used: docs/explanation/decisions/0001-libraries.md. FFmpeg asks
the other systems.

The check of the table chooses a quality step and keeps it in the user's data folder. It limits every camera that is
opened afterwards.
"""

from __future__ import annotations

import os
import re
import struct
import sys
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import Enum
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Self, TypeAlias

import av
import av.logging

from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import user_folder
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from bunnymoose_cv.core.user_settings import CameraSettings


@dataclass(frozen=True, slots=True)
class CameraMode:
    """One size and frame rate of a camera: the highest rate at this size, or 0 if the camera does not report it."""

    width: int
    height: int
    frames_per_s: float

    @classmethod
    def sorted(cls, modes: Iterable[Self]) -> tuple[Self, ...]:
        """Return each size once with its highest rate, the largest first."""
        highest: dict[tuple[int, int], Self] = {}
        for mode in sorted(modes, key=lambda mode: mode.frames_per_s):
            highest[mode.width, mode.height] = mode
        return tuple(sorted(highest.values(), key=lambda mode: (mode.width * mode.height, mode.width), reverse=True))

    def __str__(self) -> str:
        rate = f" at {self.frames_per_s:.3g} frames a second" if self.frames_per_s else ""
        return f"{self.width}×{self.height}{rate}"


Ask: TypeAlias = Callable[[int, bytearray], object]
"""Function that sends a request to the camera, which writes its answer into the block; `OSError` without an answer."""

# Request codes, and the layout of each request's block up to the last field that we read.
QUERY_CAPABILITIES: Final = 0x80685600
_CAPABILITIES: Final = struct.Struct("=16s32s32sIII12x")  # driver, card, bus, version, flags: device, this node
ENUMERATE_FORMATS: Final = 0xC0405602
_FORMAT: Final = struct.Struct("=III32sI16x")  # index, type, flags, description, pixel format
ENUMERATE_SIZES: Final = 0xC02C564A
_SIZE: Final = struct.Struct("=IIIIIIIII8x")  # index, format, kind; width, height, or: smallest, largest, step of both
ENUMERATE_INTERVALS: Final = 0xC034564B
_INTERVAL: Final = struct.Struct("=IIIIIII24x")  # index, format, size, kind; the shortest interval

_CAPTURES: Final = 0x00000001
_TELLS_OF_THIS_NODE: Final = 0x80000000
_VIDEO_CAPTURE: Final = 1
_DISCRETE: Final = 1


@dataclass(frozen=True, slots=True)
class CameraFound:
    """A camera of this computer.

    Attributes:
        number: number by which users may name it. It may change when devices are plugged in.
        address: name by which the system opens it.
        modes: the largest first; empty if the system does not report them.
    """

    number: int
    name: str
    address: str
    modes: tuple[CameraMode, ...] = ()

    @property
    def title(self) -> str:
        """Name of the camera in messages."""
        return f"camera {self.number} ({self.name})"


def nodes(folder: Path = Path("/dev")) -> Iterator[CameraFound]:
    """Yield all cameras that this user may open, by number. Raise an `UnreadableError` if there are only others."""
    import fcntl  # noqa: PLC0415 - not on Windows, which has no such cameras either

    numbered = [(int(path.name[5:]), path) for path in folder.glob("video*") if re.fullmatch(r"video\d+", path.name)]
    refused: Path | None = None
    answered = False
    for number, path in sorted(numbered):
        try:
            file = os.open(path, os.O_RDWR | os.O_NONBLOCK)
        except PermissionError:
            refused = refused or path
            continue
        except OSError:
            continue  # just unplugged, or not a device
        try:
            described = describe(lambda request, block, file=file: fcntl.ioctl(file, request, block))  # type: ignore[misc]
        finally:
            os.close(file)
        if described is not None:
            answered = True
            name, modes = described
            yield CameraFound(number, name, str(path), modes)
    if refused is not None and not answered:
        raise UnreadableError(
            Phrase(
                "You do not have permission to use the camera {path}: run “sudo usermod -aG video $USER”, "
                "then log in again",
                path=str(refused),
            )
        )


def describe(ask: Ask) -> tuple[str, tuple[CameraMode, ...]] | None:
    """Return a camera's name and modes; None for a node without images, such as a camera's node for metadata."""
    block = bytearray(_CAPABILITIES.size)
    try:
        ask(QUERY_CAPABILITIES, block)
    except OSError:
        return None
    _, card, _, _, device, node = _CAPABILITIES.unpack(block)
    if not (node if device & _TELLS_OF_THIS_NODE else device) & _CAPTURES:
        return None
    return card.partition(b"\0")[0].decode("utf-8", "replace"), CameraMode.sorted(_modes(ask))


def _modes(ask: Ask) -> Iterator[CameraMode]:
    for _, _, _, _, pixel_format in _answers(ask, ENUMERATE_FORMATS, _FORMAT, _VIDEO_CAPTURE, 0, b"", 0):
        for width, height in _sizes(ask, pixel_format):
            yield CameraMode(width, height, _highest_rate(ask, pixel_format, width, height))


def _sizes(ask: Ask, pixel_format: int) -> Iterator[tuple[int, int]]:
    for _, _, kind, first, second, _, _, highest, _ in _answers(ask, ENUMERATE_SIZES, _SIZE, pixel_format, *[0] * 7):
        if kind != _DISCRETE:  # any size up to a largest one
            yield second, highest
            return
        yield first, second


def _highest_rate(ask: Ask, pixel_format: int, width: int, height: int) -> float:
    """Return the highest rate in frames per second, or 0 if the camera does not report it."""
    highest = 0.0
    for answer in _answers(ask, ENUMERATE_INTERVALS, _INTERVAL, pixel_format, width, height, 0, 0, 0):
        *_, kind, seconds, parts = answer
        highest = max(highest, parts / seconds if seconds else 0.0)
        if kind != _DISCRETE:  # the first interval is the shortest, and the only answer
            break
    return highest


def _answers(ask: Ask, request: int, layout: struct.Struct, *fields: int | bytes) -> Iterator[tuple[Any, ...]]:
    """Yield the answers to a request, one for each index from 0 to the last."""
    with suppress(OSError):
        for index in count():
            block = bytearray(layout.pack(index, *fields))
            ask(request, block)
            yield layout.unpack(block)


def list_cameras() -> tuple[CameraFound, ...]:
    """Return all cameras in the order of their numbers, including those that another program uses.

    Raises:
        UnreadableError: there are cameras, but this user may use none of them.
    """
    if sys.platform == "linux":
        return tuple(nodes())
    if sys.platform == "win32":
        return tuple(_list_devices("dshow", "video={}", {"list_options": "true"}))
    # Asked for a rate that no camera has, macOS lists the supported ones.
    return tuple(_list_devices("avfoundation", "{}", {"framerate": "1000"}))


def find_camera(where: str, cameras: Sequence[CameraFound], *, exactly: bool = False) -> CameraFound | None:
    """Return the camera that a user means, by number, address or name.

    Unless it has to match exactly, return the first whose name contains the text, which is then not a number.
    """
    wanted = where.strip().casefold()
    for camera in cameras:
        if wanted in {str(camera.number), camera.address.casefold(), camera.name.casefold()}:
            return camera
    if exactly or not wanted or wanted.isdecimal():
        return None
    return next((camera for camera in cameras if wanted in camera.name.casefold()), None)


def unmistakable_name(camera: CameraFound, cameras: Sequence[CameraFound]) -> str:
    """Return a camera's name if it is unique, and otherwise its address. `find_camera` finds it by either."""
    alone = sum(other.name == camera.name for other in cameras) == 1
    return camera.name if alone else camera.address


def _list_devices(device: str, address: str, asking: dict[str, str]) -> Iterable[CameraFound]:
    found = [camera for camera in av.enumerate_input_devices(device) if "video" in camera.media_types]
    for number, camera in enumerate(found):
        name = camera.description or camera.name
        opened_by = address.format(camera.name)
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
    """Return the sizes and rates in FFmpeg's report about a camera on Windows (dshow) or macOS (avfoundation)."""
    modes = [*_WINDOWS_MODE.findall(text), *_MAC_MODE.findall(text)]
    return CameraMode.sorted({CameraMode(int(width), int(height), float(rate)) for width, height, rate in modes})


class CameraStep(Enum):
    """Quality steps, the best first. The first one leaves the settings unchanged."""

    FULL = "full"
    MIDDLE = "middle"
    SMALL = "small"

    @property
    def mode(self) -> CameraMode | None:
        """The largest size and rate of the step; None if the settings alone decide.

        Five players need 1280 × 720 pixels, and a freeze 10 frames a second.
        """
        modes = {CameraStep.MIDDLE: CameraMode(1280, 720, 30.0), CameraStep.SMALL: CameraMode(1280, 720, 15.0)}
        return modes.get(self)

    @property
    def below(self) -> CameraStep:
        """The next lower step, or the last step itself."""
        return CameraStep.MIDDLE if self is CameraStep.FULL else CameraStep.SMALL

    def limit(self, settings: CameraSettings) -> CameraSettings:
        """Reduce the settings to this step."""
        if self.mode is None:
            return settings
        return settings.model_copy(
            update={name: min(getattr(settings, name), value) for name, value in asdict(self.mode).items()}
        )


def step_file() -> Path:
    """Return the path of the file with the quality step."""
    return user_folder() / "camera_step.toml"


def kept_step() -> CameraStep:
    """Return the step that the last check chose, or `FULL` if none was kept or the file is damaged."""
    try:
        return CameraStep(tomllib.loads(step_file().read_text("utf-8"))["step"])
    except (OSError, ValueError, KeyError):
        return CameraStep.FULL


def keep_step(step: CameraStep) -> None:
    """Keep the step for all cameras opened from now on. Raise an `InputError` if the data folder cannot be written."""
    path = step_file()
    text = f'# Chosen by "bunnymoose calibrate"; full, middle or small.\nstep = "{step.value}"\n'
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with whole_file(path) as part:
            part.write_text(text, "utf-8")
    except OSError as error:
        raise InputError(
            f"What the camera is asked for cannot be kept in {path} ({error.strerror}): "
            "make room, or give yourself the right to write there."
        ) from error
