"""Queue of announcements, said one after the other while the caller goes on."""

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

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.voice.engine import Engine, VoiceTimeoutError, is_sound
from bunnymoose_cv.voice.phrases import spoken
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
    """Tell a person something that stops nothing."""
    sys.stderr.write(f"{sentence}\n")


_SPOKEN: Final = {
    Language.ENGLISH: Phrase("English"),
    Language.GERMAN: Phrase("German"),
    Language.FRENCH: Phrase("French"),
    Language.SPANISH: Phrase("Spanish"),
    Language.CZECH: Phrase("Czech"),
}
"""Names of the voices' languages."""


class Speaker:
    """A voice at the table: what it is given to say is heard in that order, while the caller goes on.

    What hinders it (no engine, no sound device, no voice for a language) is told once and stops nobody; every phrase
    tries again, and what is lost again after it was well is told again. Where the voice or the device hangs, what waits
    behind is forgotten: it would be said long after it was shown. Each phrase is rendered once and kept until the
    speaker is closed; a sound that somebody else took away, as those who tidy temporary files, is rendered once more.

    Args:
        voice: name or language code of the voice that says everything; None takes each language's own.
        rate: words per minute.
        tell: how a person is told what hinders the voice.
        engine: the speech engine, which is closed with the speaker; None starts one with the first phrase.

    Raises:
        VoiceError: nobody speaks at that rate.
    """

    def __init__(
        self,
        voice: str | None = None,
        rate: int = USUAL_RATE,
        tell: Callable[[str], None] = print_to_stderr,
        engine: Engine | None = None,
    ) -> None:
        if not SLOWEST_RATE <= rate <= FASTEST_RATE:
            raise VoiceError(f"a voice speaks {SLOWEST_RATE} to {FASTEST_RATE} words per minute, not {rate}")
        self.audible = True
        """True where the latest phrase could be heard, and before the first."""
        self._voice = voice
        self._rate = rate
        self._tell = tell
        self._told: set[InputError] = set()
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

    def say(self, text: str, language: Language = Language.ENGLISH) -> Event:
        """Say something as soon as all before it has been said; returns at once.

        Returns:
            What is set when its first word is heard, and where it becomes known that none will be.
        """
        begun = Event()
        said = self._actor.submit(partial(self._speak, text, language, begun))
        said.add_done_callback(lambda _: begun.set())
        return begun

    def listen(self, callback: Callable[[float], None]) -> Callable[[], None]:
        """Call somebody just before each phrase is heard, with how long it lasts in seconds; on the voice's thread.

        Returns:
            What stops the listening.
        """
        return self._heard.listen(callback)

    def render(self, text: str, language: Language = Language.ENGLISH) -> Path:
        """Render the sound that `say` would play.

        Returns:
            A WAV file that lasts as long as the speaker isn't closed; don't change it.

        Raises:
            VoiceError: there is no engine, no voice for the language, or no place for the sound.
        """
        with self._rendering:
            voice = self._voice_for(language)
            phrase = (text, voice)
            path = self._rendered.get(phrase)
            if path is None or not is_sound(path):
                path = self._place() / f"{next(self._numbers)}.wav"
                self._engine.render(spoken(text), voice, self._rate, path)
                self._rendered[phrase] = path
            return path

    def _place(self) -> Path:
        """Folder of the sounds, which is made where it is missing."""
        if self._folder is None or not Path(self._folder.name).is_dir():
            self._remove_sounds()
            try:
                self._folder = TemporaryDirectory(prefix="bunnymoose-voice-")
            except OSError as error:
                raise VoiceError(
                    Phrase(
                        "there is no place for the sounds of the voice ({reason}): make room where temporary files lie",
                        reason=error.strerror or str(error),
                    )
                ) from error
        return Path(self._folder.name)

    def _remove_sounds(self) -> None:
        if self._folder is not None:
            self._folder.cleanup()
            self._folder = None

    def wait(self) -> None:
        """Wait until all has been said."""
        futures.wait([self._actor.submit(lambda: None)])

    def silence(self) -> None:
        """Forget what has not been begun yet."""
        self._actor.cancel_waiting()

    def close(self) -> None:
        """Say what is left, then end the engine and forget what was rendered."""
        self._actor.finish()
        self._engine.close()
        self._remove_sounds()
        self._actor.raise_fault()

    def _speak(self, text: str, language: Language, begun: Event) -> None:
        try:
            self._let_hear(text, language, begun)
        except (VoiceError, SoundError) as error:
            self.audible = False
            _logger.warning("an announcement is not heard", exc_info=True)
            self._tell_once(error)
            if isinstance(error, VoiceTimeoutError | SoundTimeoutError):
                self.silence()
        else:
            self.audible = True
            self._told = {told for told in self._told if not isinstance(told, SoundError | VoiceTimeoutError)}

    def _let_hear(self, text: str, language: Language, begun: Event) -> None:
        sound = self.render(text, language)
        try:
            self._heard.tell(seconds(sound))
            begun.set()
            play(sound)
        except (OSError, EOFError, wave.Error) as error:  # the file is gone, or damaged
            raise SoundError(
                Phrase("the system's voice could not say “{text}” ({reason})", text=text, reason=str(error))
            ) from error

    def _tell_once(self, fault: InputError) -> None:
        if str(fault) not in map(str, self._told):
            self._told.add(fault)
            self._tell(fault.sentence)

    def _voice_for(self, language: Language) -> Voice:
        voices = self._engine.voices()
        if self._voice is not None:
            return voice_called(self._voice, voices)
        voice = voice_of_language(language, voices)
        if voice is None:
            raise VoiceError(
                Phrase(
                    "this computer has no {language} voice; add one in the system's settings, or name another "
                    "with --voice",
                    language=_SPOKEN[language],
                )
            )
        return voice
