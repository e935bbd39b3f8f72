"""Checks of camera, sound and voices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Finding, Level, good
from bunnymoose_cv.cli.doctor.computer import SourceKind

if TYPE_CHECKING:
    from bunnymoose_cv.cli.doctor.computer import CameraFacts, SoundFacts
    from bunnymoose_cv.i18n.language import Language

_UNSEEN: Final = {
    SourceKind.CAMERA: "Plug the camera in anew, close other programs that use it, and check its permission.",
    SourceKind.STREAM: "Start the camera anew, and open the address in a player on this computer: it must show there.",
    SourceKind.OTHER: "Name a camera by its number or name, a stream by its address, a clip or a folder of pictures.",
}
"""Remedies where a source gives no image."""

_SMALL: Final = {
    SourceKind.CAMERA: (
        "Choose a larger size in your settings file profile.toml ([camera] width, height), or another camera."
    ),
    SourceKind.STREAM: "Choose a larger size where the stream is made, or another camera.",
    SourceKind.OTHER: "Name a clip or a folder with larger pictures.",
}
"""Remedies where a source gives a small image."""

_SMALLEST_HEIGHT_PX: Final = 720
"""Threshold of the image height: below, five faces have too few pixels for spread and tongue."""


def check_camera(camera: CameraFacts) -> Finding:
    """Check that there is a camera."""
    if camera.found:
        return good(CheckLine.CAMERA, f"There is {', '.join(camera.found)}.")
    if not camera.permitted:
        return Finding(
            CheckLine.CAMERA, Level.BAD, "A camera is here, but may not be asked.", "Mend its permission first."
        )
    return Finding(
        CheckLine.CAMERA,
        Level.BAD,
        "This computer sees no camera.",
        "Plug one in, name a phone's stream with --camera http://…, or judge photographs and clips.",
    )


def check_camera_permission(camera: CameraFacts, system: str) -> Finding:
    """Check the right to use the camera, and name its owner."""
    if camera.permitted:
        owner = f"; the permission is that of {camera.owner}" if camera.owner else ""
        return good(CheckLine.CAMERA_PERMISSION, f"The camera may be used{owner}.")
    remedies = {
        "linux": f"sudo usermod -aG {camera.owner.removeprefix('the group ') or 'video'} $USER, then log in again.",
        "darwin": f"Allow {camera.owner or 'your terminal'} in System Settings → Privacy & Security → Camera.",
        "win32": "Allow desktop apps in Settings → Privacy & security → Camera.",
    }
    owner = f"the permission is that of {camera.owner}" if camera.owner else "the system refuses it"
    return Finding(
        CheckLine.CAMERA_PERMISSION,
        Level.BAD,
        f"You may not use the camera: {owner}.",
        remedies.get(system, "Allow it in the system's settings."),
    )


def check_camera_free(camera: CameraFacts) -> Finding:
    """Check that no other program holds the camera."""
    if not camera.holders:
        return good(CheckLine.CAMERA_IN_USE, "No other program is seen holding the camera.")
    # Some drivers share a camera; only a missing image is proof.
    state = Level.WEAK if camera.size else Level.BAD
    programs = ", ".join(camera.holders)
    return Finding(CheckLine.CAMERA_IN_USE, state, f"The camera is held by {programs}.", f"Close {programs}.")


def check_camera_image(camera: CameraFacts) -> Finding:
    """Check that an image comes, and its size."""
    if camera.size is None:
        return Finding(
            CheckLine.CAMERA_IMAGE,
            Level.BAD,
            camera.problem or "The camera gives no picture.",
            _UNSEEN[camera.kind],
        )
    width, height = camera.size
    if min(width, height) < _SMALLEST_HEIGHT_PX:
        return Finding(
            CheckLine.CAMERA_IMAGE,
            Level.WEAK,
            f"The picture has only {width}×{height} pixels.",
            _SMALL[camera.kind],
        )
    return good(CheckLine.CAMERA_IMAGE, f"Pictures of {width}×{height} pixels come.")


def check_sound_out(sound: SoundFacts, system: str) -> Finding:
    """Check player and loudspeaker; without them verdicts are only shown."""
    if not sound.player:
        install = "sudo apt install alsa-utils brings aplay." if system == "linux" else "Repair the system's sound."
        return Finding(CheckLine.SOUND_OUT, Level.WEAK, "There is no program that plays sounds.", install)
    if not sound.outputs:
        return Finding(
            CheckLine.SOUND_OUT,
            Level.WEAK,
            "There is no loudspeaker; verdicts are only shown.",
            "Connect a loudspeaker or headphones.",
        )
    return good(CheckLine.SOUND_OUT, f"Sound goes to {sound.outputs[0]}.")


def check_sound_in(sound: SoundFacts) -> Finding:
    """Check the microphone; without one Bam is a key."""
    if not sound.inputs:
        return Finding(
            CheckLine.SOUND_IN,
            Level.WEAK,
            "There is no microphone; “Bam!” is not heard.",
            "Connect one, or use the space bar, a clicker or the dealer.",
        )
    return good(CheckLine.SOUND_IN, f"Sound comes from {sound.inputs[0]}.")


def check_installed_voice(sound: SoundFacts, language: Language) -> Finding:
    """Check that the system has a voice for a language."""
    name = CheckLine(f"voice {language.value}")
    voice = sound.voices.get(language)
    if voice is not None:
        return good(name, f"{language.own_name} is spoken by {voice}.")
    return Finding(
        name,
        Level.WEAK,
        sound.silence or f"No voice speaks {language.own_name}; what is said in it is only shown.",
        "Add a voice for it in the system's settings (Linux: sudo apt install libespeak-ng1).",
    )
