"""The script of an evening, and the frames of clips and footage that are judged."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import FreezeSettings, load_settings
from bunnymoose_cv.record.video_file import write_film
from bunnymoose_cv.referee.freeze_frames import FootageFrames, freeze_frames, stepped_frames
from bunnymoose_cv.referee.script import ScriptError, read_script
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.pose import Pose
from tests.doubles import CannedFootage

CARDS = "L.WU+1 B.CD+1/-1 REVERSE HUNTER R.?F-1 MOOSE*2"
EVENING = f"""
edition = "second"
advanced = true
players = ["Red", "Blue", "Green", "Yellow"]
[[round]]
clip = "round1.mp4"
bet = "Blue"
cards = "{CARDS}"
bam_s = 4.2
correct = {{ Green = "WU CD t" }}
[[round]]
clip = "round1.mp4"
deal = true
bam_s = 4
"""


@pytest.fixture
def script(tmp_path: Path) -> Path:
    (tmp_path / "round1.mp4").touch()
    path = tmp_path / "evening.toml"
    path.write_text(EVENING)
    return path


def test_a_script_is_read(script: Path) -> None:
    evening = read_script(script)
    assert evening.players == ("Red", "Blue", "Green", "Yellow")
    assert (evening.rules.edition.name, evening.rules.advanced) == ("second", True)
    first, second = evening.rounds
    assert (first.clip, first.bet, first.bam_s) == (script.parent / "round1.mp4", "Blue", 4.2)
    assert first.cards == parse_table(CARDS)
    assert first.corrections == {"Green": Pose.parse("WU CD t")}
    assert (second.cards, second.bet, second.bam_s, second.corrections) == (None, None, 4.0, {})


@pytest.mark.parametrize(
    ("written", "instead", "problem"),
    [
        ('players = ["Red"', "players = [Red", "is no valid TOML"),
        ("bam_s = 4.2", "", "round 1, bam_s is missing, write it"),
        ("bam_s = 4.2", 'bam_s = "4.2"', "round 1, bam_s has to be a number, not “4.2”"),
        ("bam_s = 4.2", "bam_s = -1.0", "round 1, bam_s has to be at least 0, not -1"),
        ("bam_s = 4\n", "bam_s = 4\ntempo = 2\n", "round 2, tempo is nothing that a script has, take it out"),
        ("deal = true", "", "round 2: tells either the cards or deal = true"),
        ("L.WU+1 B", "L.WX+1 B", "round 1, cards: "),
        (CARDS, "L.WU+1", "round 1: 6 cards are on the table, one per pile, not 1"),
        ('"WU CD t"', '"WU"', "round 1, correct, Green: a pose needs the left and the right headgear"),
        ('{ Green = "WU CD t" }', '{ Red = "WU CD t" }', "round 1: “Red” shows nothing in round 1"),
        ('bet = "Blue"', 'bet = "Red"', "round 1: Nobody can bet on “Red” in this round"),
        ('"Blue", "Green", "Yellow"', '"Blue"', "3 to 6 people can play, not 2"),
        ('"Yellow"]', '"red "]', "Every player needs a name of their own: Red, Blue, Green, red"),
        ('"Yellow"]', '"Yell,ow"]', "“Yell,ow” cannot be a player’s name"),
        ('edition = "second"', 'edition = "third"', "There is no edition “third”"),
        ("advanced = true", 'variants = ["five-lines"]', "there is no variant “five-lines”"),
        ('clip = "round1.mp4"\ndeal', 'clip = "round2.mp4"\ndeal', "round 2: there is no clip"),
    ],
)
def test_every_mistake_is_reported_before_the_first_round(
    script: Path, written: str, instead: str, problem: str
) -> None:
    assert written in EVENING
    script.write_text(EVENING.replace(written, instead, 1))
    with pytest.raises(ScriptError, match=re.escape(problem)) as raised:
        read_script(script)
    assert str(script) in str(raised.value)


def test_a_script_that_is_not_text_is_reported(tmp_path: Path) -> None:
    (tmp_path / "picture.toml").write_bytes(b"\xff\xd8")
    with pytest.raises(ScriptError, match="is no text"):
        read_script(tmp_path / "picture.toml")


def test_address_instead_of_a_clip_is_reported_without_its_password(script: Path) -> None:
    script.write_text(EVENING.replace("round1.mp4", "rtsp://ida:geheim@10.0.0.5/live"))
    with pytest.raises(ScriptError, match="there is no clip") as raised:
        read_script(script)
    assert "geheim" not in str(raised.value)


def test_names_are_normalised_everywhere(script: Path) -> None:
    names = {'"Blue", "': '"Zo\u00eb ", "', 'bet = "Blue"': 'bet = "Zoe\u0308"', "{ Green": '{ "Green "'}
    text = EVENING
    for written, instead in names.items():
        assert written in text
        text = text.replace(written, instead)
    script.write_text(text, "utf-8")
    evening = read_script(script)
    assert evening.players == ("Red", "Zo\u00eb", "Green", "Yellow")
    assert evening.rounds[0].bet == "Zo\u00eb"
    assert list(evening.rounds[0].corrections) == ["Green"]


def test_too_many_rounds_are_reported(script: Path) -> None:
    first = (
        EVENING[EVENING.index("[[round]]") : EVENING.rindex("[[round]]")]
        .replace('bet = "Blue"\n', "")
        .replace('correct = { Green = "WU CD t" }\n', "")
    )
    script.write_text(EVENING[: EVENING.index("[[round]]")] + 9 * first)
    with pytest.raises(ScriptError, match=r"round 9: the game has 8 rounds, so leave this one out"):
        read_script(script)


def clip_of(folder: Path, times_s: Sequence[float]) -> Clip:
    """Write a clip whose frames begin at the given times."""
    path = folder / "clip.mp4"
    write_film(path, (Frame(np.full((32, 32, 3), 8 * number, np.uint8), time) for number, time in enumerate(times_s)))
    return Clip(path, "clip.mp4")


def settings(before_s: float, after_s: float, frames: int) -> FreezeSettings:
    usual = load_settings().freeze
    return usual.model_copy(update={"before_s": before_s, "after_s": after_s, "frames": frames})


TENTHS = [number / 10 for number in range(20)]


@pytest.mark.parametrize("sizes", [(64, 32), (32, 64), (32, 64, 48)])
def test_all_frames_of_the_freeze_have_the_largest_size(
    tmp_path: Path, sizes: tuple[int, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    clip = clip_of(tmp_path, TENTHS)
    shown = [Frame(np.zeros((size, size, 3), np.uint8), 0.6 + number / 5) for number, size in enumerate(sizes)]
    monkeypatch.setattr(clip, "frames", lambda *_: iter(shown))
    frames = freeze_frames(clip, 1.0, settings(0.2, 0.6, 5))
    assert [frame.size for frame in frames] == [(64, 64)] * len(sizes)


@pytest.mark.parametrize(
    ("times_s", "cue_s", "window", "expected_s"),
    [
        (TENTHS, 1.0, (0.2, 0.6, 5), [0.6, 0.8, 1.0, 1.2, 1.4, 1.6]),
        (TENTHS, 0.0, (0.2, 0.6, 5), [0.0, 0.2, 0.4, 0.6]),
        (TENTHS, 1.9, (0.2, 0.6, 5), [1.5, 1.7, 1.9]),
        (TENTHS, 1.0, (0.0, 0.1, 9), [0.8, 0.9, 1.0, 1.1]),
        ([0.0, 0.1, 1.0], 0.5, (0.1, 0.1, 5), [0.1]),
    ],
    ids=["spread over the window", "cut at the beginning", "cut at the end", "fewer frames than wanted", "a gap"],
)
def test_frames_of_the_freeze_are_spread_over_its_window(
    tmp_path: Path, times_s: Sequence[float], cue_s: float, window: tuple[float, float, int], expected_s: list[float]
) -> None:
    frames = freeze_frames(clip_of(tmp_path, times_s), cue_s, settings(*window))
    assert [frame.time_s for frame in frames] == pytest.approx(expected_s, abs=0.001)


def test_a_cue_outside_the_clip_is_reported(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no moment 9 s: it lasts from 0 to"):
        freeze_frames(clip_of(tmp_path, TENTHS), 9.0, settings(0.1, 0.6, 5))


@pytest.mark.parametrize(
    ("times_s", "step_s", "expected"),
    [
        (TENTHS, 0.5, [(0.0, 0.0), (0.5, 0.5), (1.0, 1.0), (1.5, 1.5)]),
        ([0.0, 0.4, 1.3], 0.5, [(0.0, 0.0), (0.4, 0.5), (0.4, 1.0)]),
        (TENTHS, 9.0, [(0.0, 0.0)]),
    ],
    ids=["every half second", "what is shown at the step", "longer than the clip"],
)
def test_each_step_through_a_clip_has_its_frame(
    tmp_path: Path, times_s: Sequence[float], step_s: float, expected: list[tuple[float, float]]
) -> None:
    steps = [(frame.time_s, time_s) for frame, time_s in stepped_frames(clip_of(tmp_path, times_s), step_s)]
    assert steps == [pytest.approx(step, abs=0.001) for step in expected]


IMAGE = np.zeros((2, 2, 3), np.uint8)


@dataclass(frozen=True)
class EndedFootage(CannedFootage):
    """Footage that ends at a time; it records the times that were waited for in vain."""

    missed_s: list[float] = field(default_factory=list)

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        has_come = super().wait_for(time_s, patience_s)
        self.missed_s.extend([] if has_come else [time_s])
        return has_come


def test_each_time_has_the_first_frame_that_is_not_older() -> None:
    frames = FootageFrames(CannedFootage(IMAGE, 0.0, 0.5, 2.0), 0.15)
    times_s = [frame.time_s for frame in frames.each((-0.3, 0.11, 0.12, 0.45, 3.0))]
    assert times_s == pytest.approx([0.2, 0.5])  # the footage starts later, and has no frame at 3 s


def test_frames_are_scaled_to_one_size() -> None:
    (frame,) = FootageFrames(CannedFootage(IMAGE, 0.0, 0.5, 2.0), 0.15, (90, 60)).each((0.45,))
    assert frame.size == (90, 60)


def test_after_a_missing_frame_later_ones_are_not_waited_for() -> None:
    footage = EndedFootage(IMAGE, 0.0, 0.5, 1.0)
    frames = FootageFrames(footage, 0.15)
    there = [frames.at(time_s) is not None for time_s in (1.2, 0.9, 1.05, 1.5, 2.0)]
    assert there == [False, True, False, False, False]
    assert footage.missed_s == [1.2, 1.05]
