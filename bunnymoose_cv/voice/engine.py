"""The speech engine as a thing that answers or is replaced: text in, WAV file out.

Each phrase has a worker process (`worker`) of its own; the next worker is started ahead and waits. One that hangs, dies
or writes a file without sound is ended, and the phrase given to the next, until the phrase's deadline has passed.
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
"""Timeout of the first worker's start: a cold computer loads much."""

PHRASE_LIMIT_S = 10.0
"""Timeout of a phrase after it was ordered, whichever part hangs."""

_ATTEMPTS = 2


class VoiceTimeoutError(VoiceError):
    """Timeout of the speech engine; the next phrase may find it well again."""


@dataclass(frozen=True, slots=True)
class Order:
    """One phrase to be rendered.

    Attributes:
        voice: the voice's identifier.
        rate: words per minute.
    """

    text: str
    voice: str
    rate: int
    path: str


class _WorkerFailedError(Exception):
    """The worker did not start, hung until it was ended, died by itself, or wrote no sound; it is of no more use.

    The text is the reason, empty where it is unknown.
    """


class _Worker:
    """One worker process, from its start to its end: it tells its voices, and renders one phrase.

    One that the system does not start fails at what it is asked first.
    """

    def __init__(self) -> None:
        self._process: subprocess.Popen[str] | None = None
        self._refusal = ""
        self._voices: tuple[Voice, ...] | None = None
        try:
            # The script by its path and -P: nothing that lies in the folder the person stands in is ever imported.
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
        """The system's voices; waits until the worker is ready.

        Raises:
            _WorkerFailedError: it did not start, or was not ready within the limit.
            VoiceError: the system's speech engine is missing or does not start.
        """
        if self._voices is None:
            self._voices = self._read_voices(limit_s)
        return self._voices

    def _read_voices(self, limit_s: float) -> tuple[Voice, ...]:
        """The first answer."""
        answer = self._answer(limit_s)
        if "error" in answer:
            raise VoiceError(_cannot_start(answer["error"]))
        return tuple(Voice(identifier, name.strip(), language) for identifier, name, language in answer["voices"])

    def render(self, order: Order, limit_s: float) -> None:
        """Have one phrase rendered.

        Raises:
            _WorkerFailedError: no answer came within the limit, or no sound.
            VoiceError: the engine refused the phrase, or does not start.
        """
        deadline_s = time.monotonic() + limit_s
        self.voices(limit_s)
        answer = self._answer(deadline_s - time.monotonic(), json.dumps(asdict(order)) + "\n")
        if "error" in answer:
            raise VoiceError(
                Phrase("the system's voice could not say “{text}” ({reason})", text=order.text, reason=answer["error"])
            )
        if not _holds_sound(Path(order.path)):
            raise _WorkerFailedError

    def end(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is None:
            return
        self._process.kill()
        with suppress(OSError):  # what was on its way to the worker is lost with it
            self._process.communicate()

    def _answer(self, limit_s: float, order: str = "") -> dict[str, Any]:
        """Send an order, read the answer; a worker that takes too long is killed, which ends the reading too."""
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
    """The computer's own voices, one phrase at a time, from any thread.

    A worker waits from the beginning. Close the engine, or use it as a context, to end it.
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
        """All voices that the system has, as the first worker told them.

        Raises:
            VoiceTimeoutError: the system's speech engine does not answer.
            VoiceError: it is missing or does not start.
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
        """Write what a voice says as a WAV file: 16-bit samples, one channel where the system's engine has one.

        Args:
            rate: words per minute.
            path: the file to write; its folder must exist.

        Raises:
            VoiceTimeoutError: the deadline has passed, or two workers have died.
            VoiceError: the text is empty, the file cannot be written, or the engine is missing or refuses the phrase.
        """
        text = text.encode(errors="ignore").decode()  # bytes from a terminal that are no characters
        if not text.strip():
            raise VoiceError("there is nothing to say: the text is empty")
        part = path.with_suffix(".part.wav")
        order = Order(text, voice.identifier, rate, str(part))
        try:
            part.touch()  # the engine would hang on a place that cannot be written
            with self._one_at_a_time:
                self._fulfil(order)
            part.replace(path)
        except OSError as error:
            raise VoiceError(f"the sound of “{text}” could not be written at {path} ({error.strerror})") from error
        finally:
            with suppress(OSError):
                part.unlink()

    def close(self) -> None:
        """End the worker; nothing can be rendered any more."""
        with self._one_at_a_time:
            self._worker.end()

    def _fulfil(self, order: Order) -> None:
        """Have a phrase rendered, by the next worker where the first one fails; each has its share of the limit."""
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
            Phrase("the computer's voice does not answer: announcements are only shown until it does")
        )

    def _replace_worker(self) -> None:
        """End the worker and start the next."""
        self._worker.end()
        self._worker = _Worker()


def is_sound(path: Path) -> bool:
    """Tell if a rendered file is there and whole."""
    try:
        return _holds_sound(path)
    except OSError:
        return False


def _holds_sound(path: Path) -> bool:
    """Tell if a file holds all the sound that it promises; makes it WAV where the system's engine wrote else."""
    with path.open("rb") as sound:
        beginning = sound.read(4)
    try:
        if beginning != b"RIFF":
            _make_wav(path)
        with wave.open(str(path)) as content:
            promised = content.getnframes() * content.getnchannels() * content.getsampwidth()
            held = len(content.readframes(content.getnframes()))
            return held > 0 and held == promised
    except (ValueError, EOFError, wave.Error):  # cut off, or empty
        return False


def _make_wav(path: Path) -> None:
    """Turn a sound file into WAV in its place (macOS writes AIFF)."""
    import av  # noqa: PLC0415 - a large library, for one system only

    converted = path.with_suffix(".converted")
    with av.open(path) as source, av.open(converted, "w", format="wav") as target:
        sound = source.streams.audio[0]
        stream = target.add_stream("pcm_s16le", rate=sound.rate, layout=sound.layout)
        for frame in source.decode(sound):
            target.mux(stream.encode(frame))
        target.mux(stream.encode())
    converted.replace(path)


def _cannot_start(reason: str) -> Phrase:
    """The sentence about a speech engine that does not start."""
    if sys.platform.startswith("linux"):
        return Phrase(
            "there is no voice: the speech engine espeak-ng is missing or does not start; on Debian and Ubuntu "
            "`sudo apt install libespeak-ng1` brings it ({reason})",
            reason=reason,
        )
    return Phrase("there is no voice: the system's speech engine does not start ({reason})", reason=reason)
