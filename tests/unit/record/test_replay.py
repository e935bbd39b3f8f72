"""The replay of a round, its captions, and the highlights."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from shutil import copytree
from typing import Self

import numpy as np
import pytest

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.footage import ClipFootage
from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.sound import Sound, read_sound
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.evidence_json import FilmShape, RepeatShape
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.replay import HOLD_S, SLOWER, Mover, captions, close_up, write_round_film
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.record.short_films import highlights, write_highlights
from bunnymoose_cv.record.video_file import FilmError
from bunnymoose_cv.rules.events import PoseCorrected, Undone
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.geometry import Box

RATE = 8000
CUE_S = 103.0
STILL = np.full((480, 640, 3), 250, np.uint8)


def shade(value: float) -> Image:
    return np.full((240, 320, 3), round(value), np.uint8)


@dataclass(frozen=True)
class Footage:
    """Five seconds of footage that brightens from 20 to 120, with silence before the cue and a tone after it."""

    listens: bool = True

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        return time_s + patience_s > 0

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        for number in range(101):
            time_s = 100 + number / 20
            if start_s <= time_s <= end_s:
                yield Frame(shade(20 + number), time_s)

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        if not self.listens:
            return None
        times_s = np.arange(start_s, end_s, 1 / RATE)
        tone = 12_000 * np.sin(times_s * 2000) * (times_s >= CUE_S) * (times_s < 105)
        return Sound(tone.astype(np.int16), RATE, start_s)

    def held(self, start_s: float, end_s: float) -> Self:
        del start_s, end_s
        return self


def brightness(film: Clip, time_s: float) -> int:
    return int(film.frame_at(time_s).image[120, 160, 0])


def loudness(path: Path, start_s: float, end_s: float) -> float:
    sound = read_sound(path)
    heard = sound.samples[round(start_s * sound.rate) : round(end_s * sound.rate)]
    return float(np.std(heard / 32768.0))


def test_replay_stops_at_the_cue_and_resumes(tmp_path: Path) -> None:
    path = tmp_path / "replay.mp4"
    times = write_round_film(path, Footage(), CUE_S, STILL)
    assert times.cue_s == pytest.approx(3.0)
    assert (times.hold_s, times.repeats) == (HOLD_S, ())
    film = Clip(path, "replay.mp4")
    assert film.size == (320, 240)
    for time_s, expected in ((0.0, 20), (1.0, 40), (2.9, 78), (3.1, 250), (5.9, 250), (6.1, 80), (7.9, 118)):
        assert abs(brightness(film, time_s) - expected) <= 4, time_s
    assert film.duration_s == pytest.approx(8.0, abs=0.1)
    assert loudness(path, 0.2, 2.9) < 0.01
    assert loudness(path, 3.1, 5.9) < 0.01
    assert loudness(path, 6.1, 7.9) > 0.2


def test_replay_without_sound_has_a_silent_track(tmp_path: Path) -> None:
    path = tmp_path / "replay.mp4"
    write_round_film(path, Footage(listens=False), CUE_S, STILL)
    assert len(read_sound(path).samples) > 5 * RATE


def test_move_is_repeated_in_close_up_and_slow_motion(tmp_path: Path) -> None:
    path = tmp_path / "replay.mp4"
    movers = [
        Mover(1, "Blue moved", Box(100, 100, 40, 40), 104.0),
        Mover(2, "Green moved", Box(200, 100, 40, 40), 103.5),
    ]
    times = write_round_film(path, Footage(), CUE_S, STILL, movers)
    assert [repeat.seat for repeat in times.repeats] == [1, 2]
    blue, green = times.repeats
    assert blue.start_s == pytest.approx(8.04, abs=0.02)
    assert blue.end_s - blue.start_s == pytest.approx(SLOWER * 1.6, abs=0.3)
    assert green.start_s > blue.end_s
    film = Clip(path, "replay.mp4")
    halfway = (blue.start_s + blue.end_s) / 2
    assert abs(brightness(film, halfway) - 100) <= 4, "at 104.0 s the footage has this shade"
    assert film.frame_at(halfway).image[-10:, :].max() > 200, "the caption names who moved"


def test_move_without_footage_is_not_repeated(tmp_path: Path) -> None:
    late = Mover(1, "Blue moved", Box(100, 100, 40, 40), 300.0)
    times = write_round_film(tmp_path / "replay.mp4", Footage(), CUE_S, STILL, [late])
    assert times.repeats == ()


def test_footage_without_images_is_reported_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(FilmError, match=r"no pictures of that time for replay\.mp4"):
        write_round_film(tmp_path / "replay.mp4", Footage(), 2.0, STILL)
    assert not list(tmp_path.iterdir())


def test_clip_is_valid_footage(tmp_path: Path) -> None:
    write_round_film(tmp_path / "first.mp4", Footage(), CUE_S, STILL)
    footage = ClipFootage(Clip(tmp_path / "first.mp4", "first.mp4"))
    assert footage.wait_for(1e9, 0.0)
    times = write_round_film(tmp_path / "again.mp4", footage, 6.5, STILL)
    assert times.cue_s == pytest.approx(6.5)
    assert loudness(tmp_path / "again.mp4", 6.1, 6.4) > 0.2
    assert loudness(tmp_path / "again.mp4", 6.6, 9.4) < 0.01
    assert loudness(tmp_path / "again.mp4", 9.6, 10.9) > 0.2


@pytest.mark.parametrize(
    ("face", "within"),
    [
        (Box(300, 200, 40, 50), True),
        (Box(0, 0, 40, 50), False),
        (Box(600, 430, 40, 50), False),
        (Box(0, 0, 600, 470), True),
    ],
)
def test_a_close_up_stays_in_the_image(face: Box, *, within: bool) -> None:
    image = np.zeros((480, 640, 3), np.uint8)
    x, y = (round(value) for value in face.centre)
    image[max(0, y - 6) : y + 6, max(0, x - 6) : x + 6] = 255
    near = close_up(image, face, (320, 240))
    assert near.shape == (240, 320, 3)
    rows, columns = np.nonzero(near[:, :, 0] > 128)
    assert len(rows)
    if within:
        assert abs(columns.mean() - 160) < 12
        assert rows.mean() >= 115, "hands stand above the face"


SAID = ("Red: moose ahead 3", "Blue: bush", "<b>Ann</b> & Bo: rabbit\n--> back 1")


def test_captions_follow_the_judged_image() -> None:
    assert captions(SAID, FilmShape(cue_s=2.0, hold_s=3.0)) == (
        "WEBVTT\n\n"
        "00:00:02.000 --> 00:00:04.258\nRed: moose ahead 3\nBlue: bush\n\n"
        "00:00:04.258 --> 00:00:07.000\n&lt;b&gt;Ann&lt;/b&gt; &amp; Bo: rabbit --&gt; back 1\n"
    )


def test_captions_end_before_a_repeated_move() -> None:
    times = FilmShape(cue_s=58.5, hold_s=3.0, repeats=(RepeatShape(seat=1, start_s=62.25, end_s=66.0),))
    assert captions(("דנה: moose ahead 3",), times).splitlines()[3] == "\u200e\u2068דנה\u2069: moose ahead 3"
    assert captions(SAID[:2], times).splitlines()[2] == "00:00:58.500 --> 00:01:02.250"


@pytest.mark.parametrize("said", [(), ("",)])
def test_round_without_announcements_has_no_captions(said: tuple[str, ...]) -> None:
    assert "moose" not in captions(said, FilmShape(cue_s=2.0, hold_s=3.0))
    assert captions(said, FilmShape(cue_s=2.0, hold_s=3.0)).startswith("WEBVTT\n")


BARE = Pose(None, None)


def test_highlights_are_big_scores_moves_and_corrections(games: Path, tmp_path: Path) -> None:
    with GameFile.open(GameStore(games).find("last").folder) as game:
        game.append(PoseCorrected(1, "Blue", BARE), "the hand was off the head", "Anna")
        game.append([PoseCorrected(1, "Green", BARE), Undone()], "a mistake", "Anna")
        reported: list[float] = []
        found = write_highlights(game, tmp_path / "highlights.mp4", [], report=reported.append)
        captions = [scene.caption for scene in found]
        totals = [verdict.score.total for verdict in game.game.rounds[0].verdicts]
        german = highlights(game, [], Language.GERMAN)[0].caption
    assert german.startswith("1 · Green: Elch ")
    assert [reported[0], reported[-1]] == pytest.approx([0, 1], abs=0.1)
    assert totals[0] is None
    assert captions == [f"1 · Green: moose back {-(totals[1] or 0)} · Blue: -- --, the hand was off the head", ""]
    lengths_s = [scene.end_s - scene.start_s for scene in found]
    assert all(2 < length_s < 8 for length_s in lengths_s)
    film = Clip(tmp_path / "highlights.mp4", "highlights")
    assert film.duration_s == pytest.approx(sum(lengths_s), abs=0.3)
    assert len(read_sound(tmp_path / "highlights.mp4").samples) / 48_000 > lengths_s[0]


def test_the_biggest_scores_of_all_rounds_are_chosen(games: Path) -> None:
    with GameFile.open(GameStore(games).find("last").folder) as game:
        rounds = game.game.rounds
        biggest = max(abs(verdict.score.total or 0) for played in rounds for verdict in played.verdicts)
        assert biggest > 0
        assert any(str(biggest) in scene.caption for scene in highlights(game, []))


def test_without_replays_there_are_no_highlights(games: Path, tmp_path: Path) -> None:
    with GameFile.open(GameStore(games).find("last").folder) as game:
        round_folder(game.folder, 1).replay.unlink()
        with pytest.raises(FilmError, match=r"^The evening has no highlights: no replay shows"):
            write_highlights(game, tmp_path / "highlights.mp4", [])
    assert not (tmp_path / "highlights.mp4").exists()


@pytest.mark.parametrize(
    ("file", "broken"),
    [
        ("replay.mp4", lambda _: b""),
        ("replay.mp4", lambda _: b"coffee" * 1000),
        ("replay.mp4", lambda film: film[: len(film) // 5]),
        ("replay.json", lambda _: b"{"),
    ],
)
def test_a_damaged_replay_is_named_and_the_others_are_shown(
    games: Path, tmp_path: Path, file: str, broken: Callable[[bytes], bytes]
) -> None:
    problems = list[InputError]()
    with GameFile.open(GameStore(games).find("last").folder) as game:
        first, second = (round_folder(game.folder, number).folder for number in (1, 2))
        copytree(first, second)
        whole = (second / file).read_bytes()
        (first / file).write_bytes(broken(whole))
        found = write_highlights(game, tmp_path / "highlights.mp4", problems)
    assert {scene.round_number for scene in found} == {2}
    assert [str(first / file) in str(problem) for problem in problems] == [True]
    length_s = sum(scene.end_s - scene.start_s for scene in found)
    assert Clip(tmp_path / "highlights.mp4", "highlights").duration_s == pytest.approx(length_s, abs=0.3)
