"""Sources of images and sound: a script's clips, each new frame once, and the last seconds that were heard."""

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.cue import Cue, Maker
from bunnymoose_cv.record.video_file import write_film
from bunnymoose_cv.referee.script import Script, ScriptedRound
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.events import Bam, GameStarted
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Game
from bunnymoose_cv.session.source_actor import SAME_FRAME_S, NewFrames
from bunnymoose_cv.session.source_choice import watched_camera
from bunnymoose_cv.session.sources.script_video_source import ScriptVideoSource
from bunnymoose_cv.session.sources.table_checker import RecentSound
from bunnymoose_cv.session.sources.video_source import LiveVideoSource
from tests.media import MjpegCamera

PLAYERS = ("Red", "Blue", "Green")
START = fold([GameStarted(PLAYERS, rules_for())])
CUE = Cue(500.0, Maker.KEY)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Script:
    """Return two clips of two seconds and five frames; frame n is grey by 20 n, in the second clip by 20 n + 100."""
    folder = tmp_path_factory.mktemp("clips")
    for number in range(2):
        greys = (20 * (frame + 1) + 100 * number for frame in range(5))
        images = (np.full((64, 64, 3), grey, np.uint8) for grey in greys)
        write_film(folder / f"{number}.mp4", (Frame(image, frame / 2.5) for frame, image in enumerate(images)))
    rounds = [ScriptedRound(folder / f"{number}.mp4", 1.0, None, None, {}) for number in range(2)]
    return Script(PLAYERS, rules_for(), tuple(rounds), 0)


@pytest.mark.parametrize(
    ("maker", "microphone", "may_be_late"),
    [
        (Maker.KEY, False, True),
        (Maker.BUTTON, False, True),
        (Maker.DEALER, True, True),
        (Maker.SOUND, True, True),
        (Maker.SOUND, False, False),
        (Maker.SCRIPT, False, False),
    ],
)
@pytest.mark.parametrize("unknown", [True, False])
def test_a_cue_from_the_stream_itself_is_never_early_for_it(
    *, maker: Maker, microphone: bool, may_be_late: bool, unknown: bool
) -> None:
    watcher: Any = SimpleNamespace(may_be_late=unknown, hears_microphone=microphone)
    assert LiveVideoSource(watcher).moment(Cue(1.0, maker)).may_be_late is (may_be_late and unknown)


@pytest.mark.parametrize(("setting_s", "measured_s", "expected_s"), [(-1, None, None), (-1, 0.7, 0.7), (0, 0.7, 0.0)])
def test_a_setting_overrides_the_measured_delay(
    data_folder: Path, setting_s: float, measured_s: float | None, expected_s: float | None
) -> None:
    del data_folder
    camera = MjpegCamera()
    settings = load_settings().camera.model_copy(update={"delay_s": setting_s})
    if measured_s is not None:
        default_profile_files().keep_delay(camera.address, (96, 64), measured_s)
    with watched_camera(camera.address, settings) as watcher:
        assert watcher.delay_s == expected_s
    camera.stop()


class Clock:
    now_s = 100.0

    def __call__(self) -> float:
        return self.now_s


def grey_at(source: ScriptVideoSource, clock: Clock, time_s: float) -> int:
    """Return the grey level that is shown at a time, in steps of 20."""
    clock.now_s = time_s
    newest = source.newest()
    assert newest is not None
    assert 0 <= time_s - newest.time_s < 1.2
    return round(float(newest.image.mean()) / 20) * 20


def in_round(number: int) -> Game:
    return replace(START, rounds=(None,) * (number - 1))  # type: ignore[arg-type]


def test_a_clip_loops_before_bam_and_continues_at_bam(evening: Script) -> None:
    clock = Clock()
    with ScriptVideoSource(evening, clock) as source:
        source.follow(START)
        assert [grey_at(source, clock, 100 + 0.4 * step + 0.01) for step in range(7)] == [20, 40, 60, 20, 40, 60, 20]
        clock.now_s = 200.0
        source.follow(fold([GameStarted(PLAYERS, rules_for()), Bam()]))
        assert [grey_at(source, clock, 200 + 0.4 * step + 0.01) for step in range(2)] == [80, 100]
        moment = source.moment(CUE)
        assert moment is not None
        assert (moment.cue_s, moment.script) == (1.0, evening.rounds[0])
        assert len(list(moment.footage.frames(0.0, 1.0))) == 3


def test_each_round_has_its_clip_until_the_script_is_over(evening: Script) -> None:
    clock = Clock()
    source = ScriptVideoSource(evening, clock)
    assert source.camera is CameraState.ENDED
    source.follow(in_round(2))
    assert (grey_at(source, clock, 100.01), source.camera, source.problem) == (120, CameraState.WATCHING, "")
    source.follow(in_round(3))
    assert (source.newest(), source.moment(CUE), source.camera) == (None, None, CameraState.ENDED)
    assert source.problem.startswith("The script shows no further round")


def test_a_clip_must_last_until_its_bam(evening: Script) -> None:
    late = replace(evening, rounds=(replace(evening.rounds[0], bam_s=9.0),))
    with pytest.raises(InputError, match="has no moment 9 s"):
        ScriptVideoSource(late)


IMAGE = np.zeros((2, 2, 3), np.uint8)


@pytest.mark.parametrize(
    ("times_s", "taken"),
    [
        ((1.0, 1.0, 2.0), (True, False, True)),
        ((1.0, None, 1.0), (True, False, False)),
        ((2.0, 1.0, 3.0), (True, False, True)),
        ((1.0, 1.0 + SAME_FRAME_S / 2, 1.0 + 2 * SAME_FRAME_S), (True, False, True)),
    ],
    ids=["the same again", "nothing between", "an older one", "nearly the same"],
)
def test_each_frame_is_taken_once(times_s: tuple[float | None, ...], taken: tuple[bool, ...]) -> None:
    shown = [None if time_s is None else Frame(IMAGE, time_s) for time_s in times_s]
    source: Any = SimpleNamespace(newest=iter(shown).__next__)
    frames = NewFrames(source)
    assert [frames.take() for _ in shown] == [frame if new else None for frame, new in zip(shown, taken, strict=True)]


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([], None),
        ([(48_000, 0.0), (48_000, 1.0)], (20, 0.0)),
        ([(48_000, 0.0), (48_000, 1.0), (48_000, 3.5)], (20, 1.0)),
        ([(44_100, 0.0), (48_000, 1.0)], (10, 1.0)),
    ],
    ids=["nothing", "together", "the oldest is forgotten", "another rate"],
)
def test_the_last_seconds_are_kept(pieces: list[tuple[int, float]], expected: tuple[int, float] | None) -> None:
    recent = RecentSound(3.0)
    recent.begin()
    for rate, time_s in pieces:
        recent.hear(np.zeros(10, np.int16), rate, time_s)
    whole = recent.whole
    assert (None if whole is None else (len(whole.samples), whole.start_s)) == expected
    assert (recent.newest is None) == (not pieces)


def test_sound_is_kept_only_between_beginning_and_end() -> None:
    recent, piece = RecentSound(3.0), np.zeros(10, np.int16)
    recent.hear(piece, 48_000, 0.0)
    for _ in range(2):
        recent.begin()
        assert (recent.newest, recent.whole) == (None, None)
        recent.hear(piece, 48_000, 0.0)
        recent.end()
        recent.hear(piece, 48_000, 1.0)
        assert recent.whole is not None
        assert len(recent.whole.samples) == len(piece)
