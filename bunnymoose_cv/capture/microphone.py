"""A microphone on the clock of the images."""

from __future__ import annotations

import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final, Self

import numpy as np

from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.phrase import Phrase

if TYPE_CHECKING:
    from collections.abc import Callable

_logger = logging.getLogger(__name__)

_BLOCK_S: Final = 0.02
"""Length of one block of sound. A cue is stamped by its samples, so this affects only the delay."""

_SILENT_AFTER_S: Final = 1.5
"""Watchdog timeout. An unplugged microphone is not reported by the system: its blocks just stop."""

_FIRST_PAUSE_S: Final = 0.5
_LONGEST_PAUSE_S: Final = 8.0
_LEAVING_S: Final = 2.0


class Microphone:
    """Microphone that is reopened with back-off whenever it drops out, until it is closed.

    Args:
        where: its name, part of it, or its number among the sound devices. Empty for the computer's default one.
        hear: callback for every piece of sound, on a thread of the sound system. It must return at once.
    """

    def __init__(self, where: str, hear: Callable[[Sound], None]) -> None:
        self._where, self._hear = where, hear
        self._stream: Any = None
        self._heard_s = 0.0
        self._pause_s = _FIRST_PAUSE_S
        self._actor = ActorThread(
            "microphone", self._keep_hearing, first_turn_s=_FIRST_PAUSE_S, ended=lambda _: self._let_go()
        )

    def __enter__(self) -> Self:
        """Open it, or raise an `UnreadableError` if it does not exist."""
        self._open()
        self._heard_s = time.monotonic()
        self._actor.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Close it. A sound system that hangs is abandoned."""
        self._actor.stop(_LEAVING_S)
        self._actor.raise_fault()

    @property
    def has_sound(self) -> bool:
        """Return whether sound comes."""
        return time.monotonic() - self._heard_s < _SILENT_AFTER_S

    def _open(self) -> None:
        try:
            import sounddevice  # noqa: PLC0415 - loads the sound system, which a computer without sound may lack

            # The sound system knows only the devices that were present when it was initialised.
            if sounddevice._initialized:  # noqa: SLF001 - not so where it woke badly the last time
                sounddevice._terminate()  # noqa: SLF001 - the only way to wake it anew
            sounddevice._initialize()  # noqa: SLF001 - likewise
            wanted = int(self._where) if self._where.isdecimal() else self._where or None
            device = sounddevice.query_devices(wanted, "input")
            rate = int(device["default_samplerate"])
            self._stream = sounddevice.InputStream(
                samplerate=rate,
                blocksize=round(rate * _BLOCK_S),
                device=device["index"],
                channels=1,
                dtype="int16",
                callback=lambda block, _count, times, _status: self._take(block, rate, times),
            )
            self._stream.start()
            if self._where.isdecimal():  # numbers change when devices are plugged in
                self._where = f"{device['name']}, {sounddevice.query_hostapis(device['hostapi'])['name']}"
        except Exception as error:  # many kinds of errors of the sound system become one sentence
            self._let_go()
            silence = Phrase("There is no sound from a microphone: plug it in, or play without one")
            if self._where:
                silence = Phrase(
                    "There is no sound from the microphone “{name}”: plug it in, or play without one", name=self._where
                )
            raise UnreadableError(silence) from error

    def _take(self, block: Any, rate: int, times: Any) -> None:
        """Take a block from the sound system, whose clock says how long ago it began."""
        now_s = time.monotonic()
        samples = np.array(block[:, 0], np.int16)
        age_s = times.currentTime - times.inputBufferAdcTime
        if not 0 < age_s < 1:  # some systems do not report it
            age_s = len(samples) / rate
        self._heard_s = now_s
        self._hear(Sound(samples, rate, now_s - age_s))

    def _keep_hearing(self) -> float:
        """Reopen the microphone whenever it has fallen silent (watchdog with back-off)."""
        if self.has_sound:
            self._pause_s = _FIRST_PAUSE_S
        else:
            self._pause_s = min(2 * self._pause_s, _LONGEST_PAUSE_S)
            self._let_go()
            try:
                self._open()
            except UnreadableError:
                _logger.info("the microphone is silent; next try in %.0f s", self._pause_s, exc_info=True)
        return self._pause_s

    def _let_go(self) -> None:
        stream, self._stream = self._stream, None
        if stream is not None:
            with suppress(Exception):  # an unplugged device cannot be closed properly
                stream.close(ignore_errors=True)
