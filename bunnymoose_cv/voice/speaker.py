"""Queue of announcements, which are said in sequence in the background."""

from __future__ import annotations

import logging
import sys
import wave
from concurrent import futures
from functools import partial
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock
from typing import TYPE_CHECKING, Final, Self

from bunnymoose_cv.announcements.phrases import spoken
from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.voice.engine import Engine, VoiceTimeoutError, is_sound
from bunnymoose_cv.voice.player import SoundError, SoundTimeoutError, play, seconds
from bunnymoose_cv.voice.voices import Voice, VoiceError, voice_called, voice_of_language

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.core.errors import InputError

_logger = logging.getLogger(__name__)

USUAL_RATE = 160
SLOWEST_RATE = 80
FASTEST_RATE = 450


def print_to_stderr(sentence: str) -> None:
    """Print a sentence about a fault that stops nothing."""
    sys.stderr.write(f"{sentence}\n")


_SPOKEN: Final = {
    Language.ENGLISH: Phrase("English"),
    Language.GERMAN: Phrase("German"),
    Language.FRENCH: Phrase("French"),
    Language.SPANISH: Phrase("Spanish"),
    Language.CZECH: Phrase("Czech"),
}


class Speaker:
    """Voice at the table, which says its phrases in order in the background.

    A fault (no engine, no sound device, no voice for a language) is reported once and does not stop the caller. Every
    phrase tries again, and a fault that returns is reported again. If the voice or the device hangs, the queue is
    cleared, since its phrases would be heard long after they were shown. Each phrase is rendered once and kept until
    the speaker is closed; a sound that was deleted, for example by a cleaner of temporary files, is rendered again.
    Raise a `VoiceError` if the rate is out of range.

    Args:
        voice: the name or language code of the voice for all languages; None uses a voice of each language.
        rate: the speed in words per minute.
        notify: called with a sentence about each fault.
        engine: the speech engine, which is closed with the speaker; None starts one.
    """

    def __init__(
        self,
        voice: str | None = None,
        rate: int = USUAL_RATE,
        notify: Callable[[str], None] = print_to_stderr,
        engine: Engine | None = None,
    ) -> None:
        if not SLOWEST_RATE <= rate <= FASTEST_RATE:
            raise VoiceError(f"a voice speaks {SLOWEST_RATE} to {FASTEST_RATE} words per minute, not {rate}")
        self.audible = True
        """True if the latest phrase could be heard, and before the first."""
        self._voice = voice
        self._rate = rate
        self._notify = notify
        self._reported: set[InputError] = set()
        self._heard: Observable[float] = Observable()
        self._engine = engine or Engine()
        self._folder: TemporaryDirectory[str] | None = None
        self._numbers = count()
        self._rendered: dict[tuple[str, Voice], Path] = {}
        self._rendering = Lock()
        self._actor = ActorThread("voice")
        self._actor.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            self.silence()
        self.close()

    def say(
        self, text: str, language: Language = Language.ENGLISH, is_wanted: Callable[[], bool] = lambda: True
    ) -> Event:
        """Queue a text, and return at once.

        The event is set when the first word is heard, or when the text turns out not to be heard. A text that is not
        wanted any more is skipped or broken off; `is_wanted` is called on the voice's thread.
        """
        heard = Event()
        said = self._actor.submit(partial(self._speak, text, language, heard, is_wanted))
        said.add_done_callback(lambda _: heard.set())
        return heard

    def listen(self, callback: Callable[[float], None]) -> Callable[[], None]:
        """Register a listener for each phrase's length in seconds, called just before it on the voice's thread."""
        return self._heard.listen(callback)

    def render(self, text: str, language: Language = Language.ENGLISH) -> Path:
        """Render the sound that `say` would play, a WAV file that exists until the speaker is closed; don't change it.

        Raise a `VoiceError` if the engine, a voice for the language, or space for the sound is missing.
        """
        with self._rendering:
            voice = self._voice_for(language)
            phrase = (text, voice)
            path = self._rendered.get(phrase)
            if path is None or not is_sound(path):
                path = self._sound_folder() / f"{next(self._numbers)}.wav"
                self._engine.render(spoken(text), voice, self._rate, path)
                self._rendered[phrase] = path
            return path

    def _sound_folder(self) -> Path:
        """Return the folder of the sounds, which is created if it is missing."""
        if self._folder is None or not Path(self._folder.name).is_dir():
            self._remove_sounds()
            try:
                self._folder = TemporaryDirectory(prefix="bunnymoose-voice-")
            except OSError as error:
                raise VoiceError(
                    Phrase(
                        "The sounds of the voice cannot be stored ({reason}): make room in the folder of "
                        "temporary files",
                        reason=error.strerror or str(error),
                    )
                ) from error
        return Path(self._folder.name)

    def _remove_sounds(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def wait(self) -> None:
        """Wait until the queue is empty."""
        futures.wait([self._actor.submit(lambda: None)])

    def silence(self) -> None:
        """Clear the queue."""
        self._actor.cancel_waiting()

    def close(self) -> None:
        """Say the rest of the queue, then end the engine and delete the sounds."""
        self._actor.finish()
        self._engine.close()
        self._remove_sounds()
        self._actor.raise_fault()

    def _speak(self, text: str, language: Language, heard: Event, is_wanted: Callable[[], bool]) -> None:
        if not is_wanted():
            return
        try:
            self._play(text, language, heard, is_wanted)
        except (VoiceError, SoundError) as error:
            self.audible = False
            _logger.warning("an announcement is not heard", exc_info=True)
            if str(error) not in map(str, self._reported):
                self._reported.add(error)
                self._notify(error.sentence)
            if isinstance(error, VoiceTimeoutError | SoundTimeoutError):
                self.silence()
        else:
            self.audible = True
            lasting = (fault for fault in self._reported if not isinstance(fault, SoundError | VoiceTimeoutError))
            self._reported = set(lasting)

    def _play(self, text: str, language: Language, heard: Event, is_wanted: Callable[[], bool]) -> None:
        sound = self.render(text, language)
        try:
            self._heard.notify(seconds(sound))
            heard.set()
            play(sound, is_wanted)
        except (OSError, EOFError, wave.Error) as error:  # the file is gone, or damaged
            raise SoundError(
                Phrase("The system's voice could not say “{text}” ({reason})", text=text, reason=str(error))
            ) from error

    def _voice_for(self, language: Language) -> Voice:
        voices = self._engine.voices()
        if self._voice is not None:
            return voice_called(self._voice, voices)
        voice = voice_of_language(language, voices)
        if voice is None:
            raise VoiceError(
                Phrase(
                    "This computer has no {language} voice; add one in the system's settings, or choose another "
                    "with --voice",
                    language=_SPOKEN[language],
                )
            )
        return voice
