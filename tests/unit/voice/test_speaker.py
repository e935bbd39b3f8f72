"""The computer's real voices, rendered and measured, and the queue of announcements with a canned engine.

Nothing here needs a sound device.
"""

import os
import select
import shutil
import signal
import sys
import tempfile
import wave
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from threading import Event

import av
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from bunnymoose_cv.announcements.phrases import announce, spoken
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.pose import Animal
from bunnymoose_cv.voice import player
from bunnymoose_cv.voice.engine import Engine, _holds_sound
from bunnymoose_cv.voice.player import seconds
from bunnymoose_cv.voice.speaker import Speaker
from bunnymoose_cv.voice.voices import Voice, VoiceError, voice_of_language
from tests.doubles import CannedSpeechEngine
from tests.program import run_python

PATIENCE_S = 20.0
ANNOUNCEMENTS = [(Animal.MOOSE, 3), (Animal.RABBIT, -2), (Animal.MOOSE, 0), (Animal.BUSH, None)]


def say(speaker: Speaker, text: str) -> bool:
    """Say a text to its end, and return whether it could be heard."""
    speaker.say(text)
    speaker.wait()
    return speaker.audible


@pytest.fixture(scope="module")
def speaker() -> Iterator[Speaker]:
    with Speaker() as speaker:
        yield speaker


def samples(path: Path) -> tuple[NDArray[np.float64], int]:
    """Return the samples of a WAV file from -1 to 1, and their rate."""
    with wave.open(str(path)) as sound:
        assert (sound.getnchannels(), sound.getsampwidth()) == (1, 2)
        content = np.frombuffer(sound.readframes(sound.getnframes()), np.int16)
        return content / 32768.0, sound.getframerate()


def loudness(content: NDArray[np.float64]) -> float:
    return float(np.sqrt(np.mean(content**2)))


@pytest.mark.parametrize("language", Language)
def test_every_announcement_can_be_heard_in_every_language(speaker: Speaker, language: Language) -> None:
    heard = set()
    for species, total in ANNOUNCEMENTS:
        path = speaker.render(announce(species, total, language=language), language)
        content, rate = samples(path)
        assert rate >= 16000
        assert 0.4 < len(content) / rate < 5
        assert loudness(content) > 0.01
        heard.add(path.read_bytes())
    assert len(heard) == len(ANNOUNCEMENTS)


def test_each_language_has_its_own_voice(speaker: Speaker) -> None:
    assert len({speaker.render("Moose ahead 3", language).read_bytes() for language in Language}) == len(Language)


def test_names_are_spoken(speaker: Speaker) -> None:
    alone, _ = samples(speaker.render(announce(Animal.MOOSE, 3)))
    together, _ = samples(speaker.render(announce(Animal.MOOSE, 3, ["Red", "Blue"])))
    assert len(together) > 1.3 * len(alone)


def test_the_dash_is_spoken_as_a_comma(speaker: Speaker) -> None:
    written = announce(Animal.BUSH, None)
    assert speaker.render(written).read_bytes() == speaker.render(spoken(written)).read_bytes()


def test_a_slower_voice_takes_longer() -> None:
    with Speaker(rate=90) as slow, Speaker(rate=400) as fast:
        assert len(samples(slow.render("Moose ahead 3"))[0]) > 3 * len(samples(fast.render("Moose ahead 3"))[0])


def test_a_requested_voice_is_used_for_every_language() -> None:
    with Speaker(voice="Czech") as asked_for, Speaker() as of_the_language, Speaker() as another:
        said = asked_for.render("Moose", Language.GERMAN)
        assert said.read_bytes() == of_the_language.render("Moose", Language.CZECH).read_bytes()
        assert said.read_bytes() != another.render("Moose", Language.GERMAN).read_bytes()


def test_rendered_sounds_are_kept(speaker: Speaker) -> None:
    first = speaker.render("Moose ahead 7")
    written = first.stat().st_mtime_ns
    assert speaker.render("Moose ahead 7") == first
    assert first.stat().st_mtime_ns == written


@pytest.mark.parametrize("text", ["", "  \n", "\udcff"])
def test_an_empty_text_is_refused(speaker: Speaker, text: str) -> None:
    with pytest.raises(VoiceError, match="nothing to say"):
        speaker.render(text)


@settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(min_size=1, max_size=40).filter(str.strip))
def test_any_text_is_rendered_or_refused_in_a_sentence(speaker: Speaker, text: str) -> None:
    try:
        path = speaker.render(text)
    except VoiceError:
        return
    assert len(samples(path)[0]) > 0


def english(engine: Engine) -> Voice:
    voice = voice_of_language("en", engine.voices())
    assert voice is not None
    return voice


def worker_of(engine: Engine) -> int:
    assert engine._worker._process is not None
    return engine._worker._process.pid


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no signal that stops a process")
@pytest.mark.parametrize("name", ["SIGSTOP", "SIGTERM"])
def test_an_engine_that_hangs_or_dies_is_replaced(tmp_path: Path, name: str) -> None:
    with Engine() as engine:
        voice, first = english(engine), worker_of(engine)
        os.kill(first, getattr(signal, name))
        engine.render("Moose ahead 3", voice, 160, tmp_path / "a.wav")
        assert worker_of(engine) != first
        assert loudness(samples(tmp_path / "a.wav")[0]) > 0.01


def test_a_phrase_sounds_the_same_whatever_was_said_before(tmp_path: Path) -> None:
    with Engine() as engine:
        voices = {language: voice_of_language(language, engine.voices()) for language in ("en", "de", "cs")}
        heard = set()
        for number in range(6):
            for language, voice in voices.items():
                assert voice is not None
                path = tmp_path / "a.wav"
                engine.render("3", voice, 160 + number % 3 * 40, path)
                heard.add((language, number % 3, path.read_bytes()))
                assert loudness(samples(path)[0]) > 0.01
    assert len(heard) == 9


def test_a_phrase_takes_no_longer_than_its_limit(tmp_path: Path) -> None:
    with Engine(phrase_limit_s=0) as engine:
        voice = english(engine)
        with pytest.raises(VoiceError, match="does not answer"):
            engine.render("Moose ahead 3 " * 2000, voice, 160, tmp_path / "a.wav")
    assert list(tmp_path.iterdir()) == []


def test_an_unwritable_path_is_reported_and_the_engine_goes_on(tmp_path: Path) -> None:
    with Engine() as engine:
        voice = english(engine)
        with pytest.raises(VoiceError):
            engine.render("Moose", voice, 160, tmp_path / "missing" / "a.wav")
        engine.render("Moose", voice, 160, tmp_path / "a.wav")
    assert loudness(samples(tmp_path / "a.wav")[0]) > 0.01


def test_aiff_of_the_system_is_converted_to_wav(tmp_path: Path, speaker: Speaker) -> None:
    said = speaker.render("Moose ahead 3")
    path = tmp_path / "a.wav"
    with av.open(said) as source, av.open(path, "w", format="aiff") as target:
        stream = target.add_stream("pcm_s16be", rate=22050, layout="mono")
        for frame in source.decode(audio=0):
            target.mux(stream.encode(frame))
        target.mux(stream.encode())
    assert _holds_sound(path)
    np.testing.assert_array_equal(samples(path)[0], samples(said)[0])


@pytest.mark.parametrize("content", [b"", b"RIFF", b"RIFF\x24\0\0\0WAVE", b"FORM\0\0\0\0AIFF", b"no sound at all"])
def test_a_file_without_sound_is_detected(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "a.wav"
    path.write_bytes(content)
    assert not _holds_sound(path)


@pytest.fixture
def heard(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file to which a fake system player appends the sounds that it plays."""
    if sys.platform != "linux":
        pytest.skip("the stand-in is for the player of Linux")
    heard = tmp_path / "heard"
    stand_in = tmp_path / "aplay"
    stand_in.write_text(f'#!{shutil.which("sh")}\ncat "$2" >> "{heard}"\n')
    stand_in.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    return heard


def test_everything_is_heard_in_the_order_it_was_given(heard: Path) -> None:
    phrases = [
        ("Moose ahead 3", Language.ENGLISH),
        ("Elch 3 vor", Language.GERMAN),
        ("Moose ahead 3", Language.ENGLISH),
    ]
    with Speaker(engine=CannedSpeechEngine()) as speaker:
        for text, language in phrases:
            speaker.say(text, language)
        speaker.wait()
        assert heard.read_bytes() == b"".join(speaker.render(*phrase).read_bytes() for phrase in phrases)
        assert speaker.audible


def test_listeners_get_the_length_before_each_phrase(heard: Path) -> None:
    reported: list[tuple[float, int]] = []
    with Speaker(engine=CannedSpeechEngine()) as speaker:
        speaker.listen(lambda lasting_s: reported.append((lasting_s, heard.stat().st_size if heard.exists() else 0)))
        for text in ("Moose ahead 3", "Bush"):
            speaker.say(text)
        speaker.wait()
        sounds = [speaker.render(text) for text in ("Moose ahead 3", "Bush")]
        assert reported == [(seconds(sounds[0]), 0), (seconds(sounds[1]), sounds[0].stat().st_size)]


def test_closing_says_the_rest_of_the_queue(heard: Path) -> None:
    with Speaker(engine=CannedSpeechEngine()) as speaker:
        speaker.say("Moose ahead 3")
    assert heard.stat().st_size > 10_000


def test_an_exception_silences_the_rest_of_the_queue(heard: Path) -> None:
    begun, silenced = Event(), Future[Event]()

    def begin_and_wait() -> bool:
        begun.set()
        return silenced.result(PATIENCE_S).wait(PATIENCE_S)

    def say_much_and_fail() -> None:
        with Speaker(engine=CannedSpeechEngine()) as speaker:
            speaker.say("Moose ahead 0", is_wanted=begin_and_wait)
            assert begun.wait(PATIENCE_S)
            waiting = [speaker.say(f"Moose ahead {number}") for number in range(1, 100)]
            silenced.set_result(waiting[-1])
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        say_much_and_fail()
    assert heard.read_bytes().count(b"RIFF") == 1


@pytest.fixture
def stopped(tmp_path: Path) -> Path:
    """Return a program that stops itself (SIGSTOP) at its start, so that it neither answers nor ends."""
    path = tmp_path / "stopped"
    path.write_text(f"#!{shutil.which('sh')}\nkill -STOP $$\n")
    path.chmod(0o755)
    return path


def test_a_hanging_voice_blocks_no_caller_and_the_next_phrase_retries(
    heard: Path, stopped: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[str] = []
    engine = Engine(phrase_limit_s=2 * PATIENCE_S)
    with Speaker(notify=reported.append, engine=engine) as speaker:
        speaker.render("Moose")
        os.kill(worker_of(engine), signal.SIGSTOP)
        with monkeypatch.context() as every_new_worker_hangs:
            every_new_worker_hangs.setattr(sys, "executable", str(stopped))
            every_new_worker_hangs.setattr(engine, "_phrase_limit_s", 1.0)
            for number in range(1000):  # waiting for every deadline would take too long
                speaker.say(f"Moose ahead {number}")
            speaker.wait()
        assert not speaker.audible
        assert not heard.exists()
        assert say(speaker, "Moose")
        assert heard.read_bytes() == speaker.render("Moose").read_bytes()
        os.kill(worker_of(engine), signal.SIGKILL)  # waiting for its deadline would take too long, too
        speaker.say("Rabbit back 2")
    assert len(reported) == 1
    assert "does not answer" in reported[0]
    assert heard.read_bytes().count(b"RIFF") == 2


def test_a_worker_that_cannot_start_silences_only_its_phrase(
    heard: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reported: list[str] = []
    with Speaker(notify=reported.append) as speaker:
        with monkeypatch.context() as no_worker_starts:
            no_worker_starts.setattr(sys, "executable", str(tmp_path / "missing"))
            for text, audible in (("Moose", True), ("Bush", False), ("Rabbit", False)):  # the first had its worker
                assert say(speaker, text) is audible
        assert say(speaker, "Bush")
    assert len(reported) == 1
    assert "does not answer" in reported[0]
    assert heard.read_bytes().count(b"RIFF") == 2


def test_a_first_worker_that_cannot_start_is_reported_once_and_the_voice_recovers(
    heard: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reported: list[str] = []
    with monkeypatch.context() as no_worker_starts:
        no_worker_starts.setattr(sys, "executable", str(tmp_path / "missing"))
        speaker = Speaker(notify=reported.append)
        assert not say(speaker, "Moose")
        assert not say(speaker, "Bush")
    with speaker:
        say(speaker, "Bush")  # ends what could not be started
        assert say(speaker, "Rabbit")
    (sentence,) = reported
    assert sentence.startswith("There is no voice: ")
    assert sentence.endswith("(No such file or directory)")
    assert heard.read_bytes().count(b"RIFF") >= 1


@pytest.mark.parametrize(
    "harm",
    [
        Path.unlink,
        lambda rendered: rendered.write_bytes(b""),
        lambda rendered: rendered.write_bytes(b"no sound at all"),
        lambda rendered: rendered.write_bytes(rendered.read_bytes()[:-100]),
        lambda rendered: shutil.rmtree(rendered.parent),
    ],
    ids=["gone", "empty", "another", "cut off", "its folder is gone"],
)
def test_a_rendered_file_that_is_gone_or_damaged_is_rendered_again(heard: Path, harm: Callable[[Path], object]) -> None:
    with Speaker(notify=pytest.fail, engine=CannedSpeechEngine()) as speaker:
        first, other = speaker.render("Moose"), speaker.render("Rabbit").read_bytes()
        content = first.read_bytes()
        harm(first)
        assert all(say(speaker, text) for text in ("Moose", "Bush", "Rabbit"))
        assert speaker.render("Moose").read_bytes() == content
        assert speaker.render("Rabbit").read_bytes() == other
    assert heard.read_bytes().count(b"RIFF") == 3


def test_without_a_folder_for_sounds_the_voice_is_silent(
    heard: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    reported: list[str] = []
    with Speaker(notify=reported.append, engine=CannedSpeechEngine()) as speaker:
        with monkeypatch.context() as full:
            full.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
            assert not any(say(speaker, "Moose") for _ in range(2))
        assert say(speaker, "Moose")
    assert len(reported) == 1
    assert reported[0].startswith("The sounds of the voice cannot be stored (No such file or directory)")
    assert heard.read_bytes().count(b"RIFF") == 1


def test_a_lost_sound_device_is_reported_once_and_retried(heard: Path, tmp_path: Path) -> None:
    (tmp_path / "aplay").write_text(f'#!{shutil.which("sh")}\n[ ! -e "{tmp_path}/lost" ] && cat "$2" >> "{heard}"\n')
    reported: list[str] = []
    with Speaker(notify=reported.append, engine=CannedSpeechEngine()) as speaker:
        for losses in (1, 2):
            for lost in (False, True, True):
                (tmp_path / "lost").touch() if lost else (tmp_path / "lost").unlink(missing_ok=True)
                assert say(speaker, "Moose ahead 3") is not lost
            assert len(reported) == losses
            assert heard.read_bytes().count(b"RIFF") == losses
    assert set(reported) == {"The voice cannot be heard: this computer has no sound device that works"}


def test_a_hanging_sound_device_times_out(
    heard: Path, stopped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "_PATIENCE_S", 0.5)
    stopped.replace(tmp_path / "aplay")
    reported: list[str] = []
    with Speaker(notify=reported.append, engine=CannedSpeechEngine()) as speaker:
        for number in range(1000):
            speaker.say(f"Moose ahead {number}")
    assert reported == ["The voice cannot be heard: the sound device hangs"]
    assert not heard.exists()


def test_a_missing_player_is_reported_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    reported: list[str] = []
    with Speaker(notify=reported.append, engine=CannedSpeechEngine()) as speaker:
        for number in range(3):
            speaker.say(f"Moose ahead {number}")
        speaker.wait()
        assert not speaker.audible
    assert len(reported) == 1
    assert reported[0].startswith("The voice cannot be heard")


@pytest.mark.skipif(sys.platform != "linux", reason="breaks espeak-ng, the engine of Linux")
def test_a_missing_engine_is_reported_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("libespeak-ng.so.1", "libespeak.so.1"):
        (tmp_path / name).write_text("no library")
    monkeypatch.setenv("LD_LIBRARY_PATH", str(tmp_path))
    reported: list[str] = []
    with Speaker(notify=reported.append) as speaker:
        speaker.say("Moose ahead 3")
        speaker.say("Rabbit back 2")
        speaker.wait()
        with pytest.raises(VoiceError, match="libespeak-ng1"):
            speaker.render("Moose ahead 3")
    assert len(reported) == 1
    assert "libespeak-ng1" in reported[0]


def test_an_unknown_voice_is_refused_in_one_sentence() -> None:
    with Speaker(voice="no such voice") as silent, pytest.raises(VoiceError, match="no such voice"):
        silent.render("Moose")


@pytest.mark.parametrize("language", Language)
def test_a_language_without_a_voice_is_named(language: Language, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(CannedSpeechEngine, "voices", lambda _: ())
    with (
        Speaker(engine=CannedSpeechEngine()) as silent,
        pytest.raises(VoiceError, match=f"no {language.name.capitalize()} voice; add one"),
    ):
        silent.render("Moose", language)


@pytest.mark.parametrize("rate", [0, -5, 79, 451])
def test_a_rate_out_of_range_is_refused(rate: int) -> None:
    with pytest.raises(VoiceError, match=str(rate)):
        Speaker(rate=rate)


@pytest.mark.skipif(not hasattr(os, "pidfd_open"), reason="only Linux tells the end of a process that is no child")
def test_the_worker_ends_with_its_parent() -> None:
    script = (
        "import os\n"
        "from bunnymoose_cv.voice.engine import Engine\n"
        "engine = Engine()\n"
        "engine.voices()\n"
        "print(engine._worker._process.pid, flush=True)\n"
        "os._exit(0)\n"
    )
    done = run_python(script)
    try:
        process = os.pidfd_open(int(done.stdout))
    except ProcessLookupError:
        return
    try:
        ended, _, _ = select.select([process], [], [], PATIENCE_S)
    finally:
        os.close(process)
    assert ended


def test_unwanted_phrases_are_skipped_or_broken_off(
    heard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(player, "_LOOK_S", 0.01)
    (tmp_path / "aplay").write_text(
        f'#!{shutil.which("sh")}\ncat "$2" >> "{heard}"\nexec {shutil.which("sleep")} 600\n'
    )
    with Speaker(engine=CannedSpeechEngine()) as speaker:
        sound = speaker.render("Blue: is your left an ear?").read_bytes()
        speaker.say("Blue: is your left an ear?", is_wanted=lambda: not heard.exists() or heard.read_bytes() != sound)
        speaker.say("Green: is your tongue out?", is_wanted=lambda: False)
        speaker.wait()
        assert speaker.audible
    assert heard.read_bytes() == sound
