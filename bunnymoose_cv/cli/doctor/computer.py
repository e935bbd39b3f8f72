"""Facts about the computer: asked of the system in `facts`, judged in the checks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from bunnymoose_cv.i18n.language import Language


@dataclass(frozen=True, slots=True)
class Platform:
    """Operating system.

    Attributes:
        system: `linux`, `darwin` or `win32`, as `sys.platform` names it.
        machine: the processor: `x86_64`, `arm64`, `AMD64`.
        version: of glibc on Linux, of macOS on a Mac; empty where unknown or of no interest.
    """

    system: str
    machine: str
    version: tuple[int, ...] = ()


class SourceKind(Enum):
    """Kind of a source of images."""

    CAMERA = auto()  # of this computer
    STREAM = auto()  # named by an address
    OTHER = auto()  # a file, a folder, or nothing that there is


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """Cameras of this computer, and one attempt at an image.

    Attributes:
        asked: the source tried: a camera's name or a stream's address; empty where there was none to try.
        size: width and height of the image in pixels; None where none came.
        problem: the reason why no image came, one sentence.
        owner: the group that may use the camera (Linux), or the program that macOS asks about; empty where unknown.
        permitted: False where the system refuses this user.
        kind: of the source tried.
    """

    found: tuple[str, ...] = ()
    asked: str = ""
    size: tuple[int, int] | None = None
    problem: str = ""
    owner: str = ""
    permitted: bool = True
    holders: tuple[str, ...] = ()
    kind: SourceKind = SourceKind.CAMERA


@dataclass(frozen=True, slots=True)
class SoundFacts:
    """Sound devices and voices.

    Attributes:
        player: the system's program that plays sounds; empty where there is none.
        voices: the voice that speaks each language; languages without one are missing.
        silence: the reason why nothing can be said in any language; empty where the engine starts.
    """

    player: str
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    voices: Mapping[Language, str]
    silence: str = ""


@dataclass(frozen=True, slots=True)
class StorageFacts:
    """Folders that the program writes to."""

    folder: Path
    free_bytes: int
    unwritable: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True)
class NetworkFacts:
    """Ways in for the players' phones.

    Attributes:
        firewall: the name of an active firewall; empty where none is seen.
    """

    addresses: tuple[str, ...]
    port: int
    firewall: str = ""


@dataclass(frozen=True, slots=True)
class SpeedFacts:
    """Time of a full reading of the demo clip's freeze at 1080p.

    Attributes:
        seconds: median of the readings, without the first.
        problem: the reason why nothing could be read, one sentence.
    """

    players: int = 0
    seconds: float = 0.0
    problem: str = ""
