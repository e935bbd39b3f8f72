"""Camera, sound and voices: facts and their checks.

Facts about the camera are its name, its permission, other programs at it, and one image.
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Finding, Level, good
from bunnymoose_cv.capture.camera_list import find_camera, list_cameras
from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.live import address_of, is_stored
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.voice.engine import Engine
from bunnymoose_cv.voice.voices import VoiceError, voice_of_language

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from bunnymoose_cv.capture.camera_list import CameraFound
    from bunnymoose_cv.core.user_settings import CameraSettings


class SourceKind(Enum):
    """Kind of a source of images."""

    CAMERA = auto()  # connected to this computer
    STREAM = auto()  # identified by an address
    OTHER = auto()  # a file, a folder, or an unknown name


@dataclass(frozen=True, slots=True)
class CameraFacts:
    """Cameras of this computer, and one attempt at an image.

    Attributes:
        asked: the source tried: a camera's name or a stream's address; empty without one.
        size: width and height of the image in pixels; None without an image.
        problem: the reason why no image came, one sentence.
        owner: the group that may use the camera (Linux), or the program that macOS asks about; empty if unknown.
        permitted: False if the system refuses this user.
        holders: the names of other programs that hold a camera.
    """

    found: tuple[str, ...] = ()
    asked: str = ""
    size: tuple[int, int] | None = None
    problem: str = ""
    owner: str = ""
    permitted: bool = True
    holders: tuple[str, ...] = ()
    kind: SourceKind = SourceKind.CAMERA


def camera_facts(where: str | None, settings: CameraSettings) -> CameraFacts:
    """Look for cameras, and take an image from the named source; None takes the first camera."""
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
    """Return the kind of a named source; without the right to list cameras, an unknown name counts as a camera."""
    if address_of(where) is not None:
        return SourceKind.STREAM
    if is_stored(where) or (permitted and find_camera(where, found) is None):
        return SourceKind.OTHER
    return SourceKind.CAMERA


def _tried(facts: CameraFacts, settings: CameraSettings) -> CameraFacts:
    """Add the image's size, or the reason why no image came."""
    try:
        with Watcher(facts.asked, View.of(settings), settings) as watcher:
            frame = watcher.newest()
    except InputError as error:
        return replace(facts, problem=f"{str(error).removesuffix('.')}.")
    return replace(facts, size=None if frame is None else frame.size)


def _owner() -> str:
    """Return the group of the first camera (Linux), or the program to which macOS grants the permission."""
    if sys.platform == "darwin":
        return os.environ.get("TERM_PROGRAM", "")
    node = next(iter(sorted(Path("/dev").glob("video*"))), None)
    try:
        return "" if node is None else f"the group {node.group()}"
    except (KeyError, OSError):  # a group without a name, or a camera that has just been unplugged
        return ""


def programs_with_a_camera(processes: Path) -> tuple[str, ...]:
    """Return the names of other programs that hold a camera, if visible to this user in `/proc` (Linux)."""
    names: set[str] = set()
    for process in processes.glob("[0-9]*"):
        if process.name != str(os.getpid()) and _holds_camera(process):
            with suppress(OSError):
                names.add((process / "comm").read_text("utf-8").strip())
    return tuple(sorted(names))


def _holds_camera(process: Path) -> bool:
    try:
        return any(str(file.readlink()).startswith("/dev/video") for file in (process / "fd").iterdir())
    except OSError:  # another user's process, or one that has ended
        return False


def sound_player() -> str:
    """Return the system's program that plays sounds; empty without one."""
    if sys.platform == "win32":
        return "winsound"
    names = ("afplay",) if sys.platform == "darwin" else ("aplay", "paplay")
    return next((name for name in names if shutil.which(name)), "")


def sound_devices() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of outputs and inputs; empty without a sound system."""
    try:
        import sounddevice

        devices: list[Any] = list(sounddevice.query_devices())
    except Exception:  # noqa: BLE001 - the sound system is missing or fails in its own ways
        return (), ()
    outputs = tuple(device["name"] for device in devices if device["max_output_channels"] > 0)
    return outputs, tuple(device["name"] for device in devices if device["max_input_channels"] > 0)


def installed_voices() -> tuple[dict[Language, str], str]:
    """Return the voice of each language, and the reason if the speech engine does not start."""
    try:
        with Engine() as engine:
            all_voices = engine.voices()
    except VoiceError as error:
        sentence = str(error)
        return {}, f"{sentence[:1].upper()}{sentence[1:]}."
    found = ((language, voice_of_language(language.value, all_voices)) for language in Language)
    return {language: voice.name for language, voice in found if voice is not None}, ""


_UNSEEN: Final = {
    SourceKind.CAMERA: "Plug the camera in again, close other programs that use it, and check its permission.",
    SourceKind.STREAM: "Restart the camera, and open the address in a player on this computer: it must show there.",
    SourceKind.OTHER: "Name a camera by its number or name, a stream by its address, a clip or a folder of pictures.",
}
"""Remedies for a source without an image."""

_SMALL: Final = {
    SourceKind.CAMERA: (
        "Choose a larger size in your settings file profile.toml ([camera] width, height), or another camera."
    ),
    SourceKind.STREAM: "Choose a larger size where the stream is made, or another camera.",
    SourceKind.OTHER: "Name a clip or a folder with larger pictures.",
}
"""Remedies for a source with a small image."""

_SMALLEST_HEIGHT_PX: Final = 720
"""Threshold of the image height in pixels, below which five faces are too small to read spread and tongue."""


def check_camera(camera: CameraFacts) -> Finding:
    """Check that there is a camera."""
    if camera.found:
        return good(CheckLine.CAMERA, f"There is {', '.join(camera.found)}.")
    sentence, remedy = "A camera is here, but may not be asked.", "Mend its permission first."
    if camera.permitted:
        sentence = "This computer sees no camera."
        remedy = "Plug one in, name a phone's stream with --camera http://…, or judge photographs and clips."
    return Finding(CheckLine.CAMERA, Level.BAD, sentence, remedy)


def check_camera_permission(camera: CameraFacts, system: str) -> Finding:
    """Check the permission to use the camera, and name its owner."""
    owner = f"the permission is that of {camera.owner}" if camera.owner else ""
    if camera.permitted:
        return good(CheckLine.CAMERA_PERMISSION, f"The camera may be used{owner and f'; {owner}'}.")
    remedies = {
        "linux": f"sudo usermod -aG {camera.owner.removeprefix('the group ') or 'video'} $USER, then log in again.",
        "darwin": f"Allow {camera.owner or 'your terminal'} in System Settings → Privacy & Security → Camera.",
        "win32": "Allow desktop apps in Settings → Privacy & security → Camera.",
    }
    sentence = f"You may not use the camera: {owner or 'the system refuses it'}."
    remedy = remedies.get(system, "Allow it in the system's settings.")
    return Finding(CheckLine.CAMERA_PERMISSION, Level.BAD, sentence, remedy)


def check_camera_free(camera: CameraFacts) -> Finding:
    """Check that no other program holds the camera."""
    if not camera.holders:
        return good(CheckLine.CAMERA_IN_USE, "No other program is seen holding the camera.")
    # Some drivers share a camera; only a missing image is proof.
    level = Level.WEAK if camera.size else Level.BAD
    programs = ", ".join(camera.holders)
    return Finding(CheckLine.CAMERA_IN_USE, level, f"The camera is held by {programs}.", f"Close {programs}.")


def check_camera_image(camera: CameraFacts) -> Finding:
    """Check that the camera gives an image, and the image's size."""
    if camera.size is None:
        sentence = camera.problem or "The camera gives no picture."
        return Finding(CheckLine.CAMERA_IMAGE, Level.BAD, sentence, _UNSEEN[camera.kind])
    width, height = camera.size
    if min(width, height) < _SMALLEST_HEIGHT_PX:
        sentence = f"The picture has only {width}×{height} pixels."
        return Finding(CheckLine.CAMERA_IMAGE, Level.WEAK, sentence, _SMALL[camera.kind])
    return good(CheckLine.CAMERA_IMAGE, f"Pictures of {width}×{height} pixels come.")


def check_sound_out(player: str, outputs: Sequence[str], system: str) -> Finding:
    """Check sound player and loudspeaker; without them verdicts are only shown."""
    if player and outputs:
        return good(CheckLine.SOUND_OUT, f"Sound goes to {outputs[0]}.")
    sentence = "There is no loudspeaker; verdicts are only shown."
    remedy = "Connect a loudspeaker or headphones."
    if not player:
        sentence = "There is no program that plays sounds."
        remedy = "sudo apt install alsa-utils brings aplay." if system == "linux" else "Repair the system's sound."
    return Finding(CheckLine.SOUND_OUT, Level.WEAK, sentence, remedy)


def check_sound_in(inputs: Sequence[str]) -> Finding:
    """Check the microphone; without one, Bam is entered by a key."""
    if inputs:
        return good(CheckLine.SOUND_IN, f"Sound comes from {inputs[0]}.")
    remedy = "Connect one, or use the space bar, a clicker or the dealer."
    return Finding(CheckLine.SOUND_IN, Level.WEAK, "There is no microphone; “Bam!” is not heard.", remedy)


def check_installed_voice(voices: Mapping[Language, str], silence: str, language: Language) -> Finding:
    """Check that the system has a voice for a language.

    Args:
        voices: the voice that speaks each language; languages without one are missing.
        silence: the reason why the speech engine does not start; empty if it does.
    """
    line = CheckLine(f"voice {language.value}")
    if language in voices:
        return good(line, f"{language.own_name} is spoken by {voices[language]}.")
    sentence = silence or f"No voice speaks {language.own_name}; what is said in it is only shown."
    remedy = "Add a voice for it in the system's settings (Linux: sudo apt install libespeak-ng1)."
    return Finding(line, Level.WEAK, sentence, remedy)
