"""Speech engine in worker processes that are replaced when they fail: text in, WAV file out.

Each phrase has a worker process (`worker`) of its own, and the next worker is started in advance. A worker that hangs,
dies or writes a file without sound is ended, and the phrase goes to the next one until its deadline has passed.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import time
import wave
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock, Timer
from typing import Any, Self

from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.voice.voices import Voice, VoiceError

_logger = logging.getLogger(__name__)

START_LIMIT_S = 20.0
"""Timeout of the first worker's start, which is slow after a reboot."""

PHRASE_LIMIT_S = 10.0
"""Timeout of a phrase from its order, including all attempts."""

_ATTEMPTS = 2


class VoiceTimeoutError(VoiceError):
    """Timeout of the speech engine; the next phrase may succeed."""


@dataclass(frozen=True, slots=True)
class Order:
    """Phrase to be rendered, with the identifier of its voice and the rate in words per minute."""

    text: str
    voice: str
    rate: int
    path: str


class _WorkerFailedError(Exception):
    """Failure of a worker, which cannot be used any more; the text is the reason, empty if it is unknown."""


class _Worker:
    """Worker process, which reports its voices and renders one phrase. If it cannot start, the first request fails."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._refusal = ""
        self._voices: tuple[Voice, ...] | None = None
        try:
            # The script's path and -P keep files of the current folder from being imported.
            self._process = subprocess.Popen(  # noqa: S603 - our own script
                [sys.executable, "-P", str(Path(__file__).with_name("worker.py"))],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                encoding="utf-8",
            )
        except OSError as error:
            _logger.warning("no worker can be started", exc_info=True)
            self._refusal = error.strerror or str(error)

    def voices(self, limit_s: float) -> tuple[Voice, ...]:
        """Return the system's voices once the worker is ready, or raise a `VoiceError` without a speech engine."""
        if self._voices is None:
            answer = self._answer(limit_s)
            if "error" in answer:
                raise VoiceError(_cannot_start(answer["error"]))
            self._voices = tuple(Voice(voice, name.strip(), language) for voice, name, language in answer["voices"])
        return self._voices

    def render(self, order: Order, limit_s: float) -> None:
        """Render one phrase; raise a `VoiceError` if the engine refuses it or does not start."""
        deadline_s = time.monotonic() + limit_s
        self.voices(limit_s)
        answer = self._answer(deadline_s - time.monotonic(), json.dumps(asdict(order)) + "\n")
        if "error" in answer:
            raise VoiceError(
                Phrase("The system's voice could not say “{text}” ({reason})", text=order.text, reason=answer["error"])
            )
        if not _holds_sound(Path(order.path)):
            raise _WorkerFailedError

    def end(self) -> None:
        """Kill the process."""
        if self._process is None:
            return
        self._process.kill()
        with suppress(OSError):  # pending input is lost with the worker
            self._process.communicate()

    def _answer(self, limit_s: float, order: str = "") -> dict[str, Any]:
        """Send an order and read the answer; a worker that takes too long is killed, which also ends the reading."""
        if self._process is None:
            raise _WorkerFailedError(self._refusal)
        if self._process.stdin is None or self._process.stdout is None:
            raise AssertionError("the worker has both pipes")
        watchdog = Timer(max(0.0, limit_s), self._process.kill)
        watchdog.daemon = True
        watchdog.start()
        try:
            self._process.stdin.write(order)
            self._process.stdin.flush()
            line = self._process.stdout.readline()
        except (OSError, ValueError) as error:  # the pipes of an ended worker are closed
            raise _WorkerFailedError from error
        finally:
            watchdog.cancel()
        if not line:
            raise _WorkerFailedError
        content: dict[str, Any] = json.loads(line)
        return content


class Engine:
    """Thread-safe access to the computer's voices, one phrase at a time.

    A worker is started at once. Close the engine, or use it as a context manager, to end it.
    """

    def __init__(self, phrase_limit_s: float = PHRASE_LIMIT_S) -> None:
        self._phrase_limit_s = phrase_limit_s
        self._worker = _Worker()
        self._voices: tuple[Voice, ...] | None = None
        self._one_at_a_time = Lock()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def voices(self) -> tuple[Voice, ...]:
        """Return all voices of the system, as the first worker reported them.

        Raise a `VoiceError` if the speech engine is missing or does not start, a `VoiceTimeoutError` if it does not
        answer.
        """
        with self._one_at_a_time:
            if self._voices is None:
                try:
                    self._voices = self._worker.voices(START_LIMIT_S)
                except BaseException as error:
                    _logger.warning("the speech engine is replaced", exc_info=True)
                    self._replace_worker()
                    if isinstance(error, _WorkerFailedError):
                        raise VoiceTimeoutError(_cannot_start(str(error) or Phrase("it gives no answer"))) from error
                    raise
            return self._voices

    def render(self, text: str, voice: Voice, rate: int, path: Path) -> None:
        """Render a text as a WAV file: 16-bit samples, one channel if the system's engine uses one.

        Args:
            rate: the speed in words per minute.
            path: the file to write, in an existing folder.

        Raises:
            VoiceTimeoutError: the deadline has passed, or two workers have died.
            VoiceError: the text is empty, the file cannot be written, or the engine is missing or refuses the phrase.
        """
        text = text.encode(errors="ignore").decode()  # bytes from a terminal that are not characters
        if not text.strip():
            raise VoiceError("there is nothing to say: the text is empty")
        part = path.with_suffix(".part.wav")
        order = Order(text, voice.identifier, rate, str(part))
        try:
            part.touch()  # the engine would hang on a path that cannot be written
            with self._one_at_a_time:
                self._render_with_retry(order)
            part.replace(path)
        except OSError as error:
            raise VoiceError(f"the sound of “{text}” could not be written at {path} ({error.strerror})") from error
        finally:
            with suppress(OSError):
                part.unlink()

    def close(self) -> None:
        """End the worker; further phrases fail."""
        with self._one_at_a_time:
            self._worker.end()

    def _render_with_retry(self, order: Order) -> None:
        """Render a phrase, with the next worker if the first one fails; each has its share of the limit."""
        for _ in range(_ATTEMPTS):
            try:
                self._worker.render(order, self._phrase_limit_s / _ATTEMPTS)
            except _WorkerFailedError:
                _logger.warning("a phrase is not rendered", exc_info=True)
                continue
            else:
                return
            finally:
                self._replace_worker()
        raise VoiceTimeoutError(
            Phrase("The computer's voice does not answer: announcements are only shown until it does")
        )

    def _replace_worker(self) -> None:
        self._worker.end()
        self._worker = _Worker()


def is_sound(path: Path) -> bool:
    """Return whether a rendered file exists and is complete."""
    try:
        return _holds_sound(path)
    except OSError:
        return False


def _holds_sound(path: Path) -> bool:
    """Return whether a file has all the sound that its header promises, after a conversion to WAV if necessary."""
    with path.open("rb") as sound:
        beginning = sound.read(4)
    try:
        if beginning != b"RIFF":
            _make_wav(path)
        with wave.open(str(path)) as content:
            promised = content.getnframes() * content.getnchannels() * content.getsampwidth()
            present = len(content.readframes(content.getnframes()))
            return present > 0 and present == promised
    except (ValueError, EOFError, wave.Error):  # cut off, or empty
        return False


def _make_wav(path: Path) -> None:
    """Convert a sound file to WAV in place (macOS writes AIFF)."""
    import av  # noqa: PLC0415 - a large library, needed on one system only

    converted = path.with_suffix(".converted")
    with av.open(path) as source, av.open(converted, "w", format="wav") as target:
        sound = source.streams.audio[0]
        stream = target.add_stream("pcm_s16le", rate=sound.rate, layout=sound.layout)
        for frame in source.decode(sound):
            target.mux(stream.encode(frame))
        target.mux(stream.encode())
    converted.replace(path)


def _cannot_start(reason: str) -> Phrase:
    if sys.platform.startswith("linux"):
        return Phrase(
            "There is no voice: the speech engine espeak-ng is missing or does not start; on Debian and Ubuntu "
            "`sudo apt install libespeak-ng1` installs it ({reason})",
            reason=reason,
        )
    return Phrase("There is no voice: the system's speech engine does not start ({reason})", reason=reason)
