"""Playback of a WAV file by the system's own player."""

from __future__ import annotations

import shutil
import subprocess
import sys
import wave
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from pathlib import Path

_PLAYERS = (("afplay",),) if sys.platform == "darwin" else (("aplay", "-q"), ("paplay",))
_PATIENCE_S = 5.0
"""Time beyond the sound's own length that a player may take."""


class SoundError(InputError):
    """Error of playback: there is no sound device, or nothing that plays on it."""


class SoundTimeoutError(SoundError):
    """Timeout of a sound device that takes the sound and does not come to its end."""


def seconds(sound: Path) -> float:
    """Length of a WAV file."""
    with wave.open(str(sound), "rb") as content:
        return float(content.getnframes() / content.getframerate())


def play(sound: Path) -> None:
    """Play a WAV file and wait until it has been heard.

    Raises:
        SoundTimeoutError: the player has not come to its end in time, and was ended.
        SoundError: there is no sound device, or no player.
    """
    if sys.platform == "win32":
        _play_on_windows(sound)
    else:
        _play_with(_player(), sound)


def _player() -> tuple[str, ...]:
    """The command line of the first player that this computer has."""
    for command, *options in _PLAYERS:
        path = shutil.which(command)
        if path is not None:
            return (path, *options)
    raise SoundError(
        Phrase("nothing can be heard: the player `aplay` is missing; `sudo apt install alsa-utils` brings it")
    )


def _play_with(player: tuple[str, ...], sound: Path) -> None:
    limit_s = seconds(sound) + _PATIENCE_S
    try:
        subprocess.run(  # noqa: S603 - the system's player and our own file
            [*player, str(sound)],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=limit_s,
            check=True,
        )
    except subprocess.TimeoutExpired as error:
        raise SoundTimeoutError(Phrase("nothing can be heard: the sound device hangs")) from error
    except (subprocess.CalledProcessError, OSError) as error:
        raise SoundError(Phrase("nothing can be heard: this computer has no sound device that works")) from error


def _play_on_windows(sound: Path) -> None:
    if sys.platform == "win32":
        import winsound  # noqa: PLC0415 - exists on Windows only

        try:
            winsound.PlaySound(str(sound), winsound.SND_FILENAME | winsound.SND_NODEFAULT)
        except RuntimeError as error:
            raise SoundError(Phrase("nothing can be heard: this computer has no sound device that works")) from error
