"""Playback of a WAV file by the system's own player."""

from __future__ import annotations

import shutil
import subprocess
import sys
import wave
from contextlib import suppress
from time import monotonic
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_PLAYERS = (("afplay",),) if sys.platform == "darwin" else (("aplay", "-q"), ("paplay",))
_PATIENCE_S = 5.0
"""Time beyond the length of the sound that a player may take."""

_LOOK_S = 0.1
"""Interval of the checks whether the sound is still wanted."""

_NO_DEVICE = Phrase("The voice cannot be heard: this computer has no sound device that works")


class SoundError(InputError):
    """Error of playback: the sound device or the player is missing."""


class SoundTimeoutError(SoundError):
    """Timeout of a sound device that does not finish a sound."""


def seconds(sound: Path) -> float:
    """Return the length of a WAV file in seconds."""
    with wave.open(str(sound), "rb") as content:
        return float(content.getnframes() / content.getframerate())


def play(sound: Path, is_wanted: Callable[[], bool] = lambda: True) -> None:
    """Play a WAV file and wait until it has been heard; except on Windows, it is broken off once it is not wanted.

    Raise a `SoundError` if the sound device or the player is missing, a `SoundTimeoutError` if the player does not
    finish.
    """
    if sys.platform == "win32":
        import winsound  # noqa: PLC0415 - exists on Windows only

        try:
            winsound.PlaySound(str(sound), winsound.SND_FILENAME | winsound.SND_NODEFAULT)
        except RuntimeError as error:
            raise SoundError(_NO_DEVICE) from error
    else:
        _play_with(_player(), sound, is_wanted)


def _player() -> tuple[str, ...]:
    """Return the command line of the first player that is installed."""
    for command, *options in _PLAYERS:
        path = shutil.which(command)
        if path is not None:
            return (path, *options)
    raise SoundError(
        Phrase("The voice cannot be heard: the player `aplay` is missing; `sudo apt install alsa-utils` installs it")
    )


def _play_with(player: tuple[str, ...], sound: Path, is_wanted: Callable[[], bool]) -> None:
    silent = subprocess.DEVNULL
    until_s = monotonic() + seconds(sound) + _PATIENCE_S
    try:
        with subprocess.Popen([*player, str(sound)], stdin=silent, stdout=silent, stderr=silent) as process:  # noqa: S603 - the system's player and our own file
            try:
                is_heard = _has_ended(process, until_s, is_wanted)
            finally:
                process.kill()
    except OSError as error:
        raise SoundError(_NO_DEVICE) from error
    if is_heard and process.returncode != 0:
        raise SoundError(_NO_DEVICE)


def _has_ended(process: subprocess.Popen[bytes], until_s: float, is_wanted: Callable[[], bool]) -> bool:
    """Wait for the end of a player; return False if its sound is no longer wanted."""
    while is_wanted():
        with suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK_S)
            return True
        if monotonic() >= until_s:
            raise SoundTimeoutError(Phrase("The voice cannot be heard: the sound device hangs"))
    return False
