"""Films of one player: view, size limit, and outdating by corrections."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.sound import Sound, read_sound
from bunnymoose_cv.record import video_file
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_folders import StoredGame
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.past_evening import past_evening_of
from bunnymoose_cv.record.round_folder import RoundFolder, round_folder
from bunnymoose_cv.record.short_films import (
    AROUND_CUE_S,
    HIGHLIGHTS_LIMIT,
    LARGEST,
    LONGEST_S,
    SEAT_FILM_LIMIT,
    highlights,
    seat_view,
    write_highlights,
    write_seat_film,
)
from bunnymoose_cv.record.video_file import FilmError, SizeLimit, stamp_of, write_film
from bunnymoose_cv.rules.events import PoseCorrected, PosesJudged
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.rules.round import Verdict
from bunnymoose_cv.vision.geometry import Box

BARE = Pose(None, None)


def birthday(games: Path) -> StoredGame:
    return GameStore(games).find("last")


def first_round(games: Path) -> tuple[RoundFolder, tuple[Verdict, ...]]:
    """Return the evidence of the first round, and its current verdicts."""
    kept = birthday(games)
    with GameFile.open(kept.folder) as file:
        return round_folder(kept.folder, 1), file.game.rounds[0].verdicts


def test_seat_film_is_a_mirrored_close_up_without_drawings(games: Path) -> None:
    (kept, verdicts), reported = first_round(games), list[float]()
    film, replay = Clip(write_seat_film(kept, 2, verdicts[1], reported.append), "seat"), Clip(kept.replay, "replay")
    assert reported == sorted(reported)
    assert [reported[0], reported[-1]] == pytest.approx([0, 1], abs=0.15)
    assert film.duration_s == pytest.approx(2 * AROUND_CUE_S, abs=0.6), "the judged image is left out"
    evidence = kept.read()
    assert evidence is not None
    view = seat_view(evidence, 2)
    left, top, right, bottom = (round(length) for length in (view.x, view.y, view.x + view.width, view.y + view.height))
    whole = replay.frame_at(1.0).image[top:bottom, left:right]
    for time_s in (1.0, 3.5):  # before and after the cue
        seen = film.frame_at(time_s).image
        expected = cv2.resize(cv2.flip(whole, 1), (seen.shape[1], seen.shape[0]))
        above = slice(0, int(0.8 * len(seen)))  # the caption is below
        assert np.abs(seen[above].astype(int) - expected[above]).mean() < 8
    assert len(read_sound(kept.seat_film(2)).samples) / 48_000 == pytest.approx(film.duration_s, abs=0.6)


def test_seat_view_excludes_the_faces_of_neighbours(games: Path) -> None:
    evidence = first_round(games)[0].read()
    assert evidence is not None
    own, neighbour = evidence.agreed.players
    for apart in (3.0, 1.6, 1.3):
        x, y, width, height = own.face_px
        beside = neighbour.model_copy(update={"face_px": (x + apart * height, y, width, height)})
        crowd = evidence.model_copy(update={"agreed": evidence.agreed.model_copy(update={"players": (own, beside)})})
        view, face, other = seat_view(crowd, own.seat), Box(*own.face_px), Box(*beside.face_px)
        assert view.x <= face.x
        assert view.x + view.width >= face.x + face.width
        assert view.x + view.width <= other.x + 0.5
        assert 0 <= view.y <= view.y + view.height <= crowd.size[1]


@pytest.mark.parametrize(
    ("number", "seat", "sentence"), [(1, 3, "Nobody was seen in seat 3"), (2, 1, "There is no replay in")]
)
def test_missing_replay_or_player_is_reported_in_one_sentence(
    games: Path, number: int, seat: int, sentence: str
) -> None:
    with pytest.raises(FilmError, match=sentence):
        write_seat_film(round_folder(birthday(games).folder, number), seat, None)


def test_correction_outdates_films_that_disagree(games: Path) -> None:
    kept, path = birthday(games), birthday(games).highlights
    folder, verdicts = first_round(games)
    for verdict in verdicts:
        write_seat_film(folder, verdict.seat, verdict)
    with GameFile.open(kept.folder) as file:
        write_highlights(file, path, [])
        evening = past_evening_of(kept)
        assert (evening.rounds[0].seat_films, evening.has_highlights) == ((1, 2), True)
        file.append(PoseCorrected(1, "Green", BARE), "the hand was off the head", "Anna")
    evening = past_evening_of(kept)
    assert (evening.rounds[0].seat_films, evening.has_highlights) == ((1,), False)
    before, corrected = folder.seat_film(2).read_bytes(), first_round(games)[1][1]
    write_seat_film(folder, 2, corrected)
    with GameFile.open(kept.folder) as file:
        write_highlights(file, path, [])
    evening = past_evening_of(kept)
    assert (evening.rounds[0].seat_films, evening.has_highlights) == ((1, 2), True)
    assert folder.seat_film(2).read_bytes() != before, "the caption in the pictures is another one"


def test_still_of_a_replay_has_no_drawn_reading(games: Path) -> None:
    kept, times = first_round(games)[0], first_round(games)[0].read_times()
    assert times is not None
    replay, plain = Clip(kept.replay, "replay"), cv2.imread(str(kept.frame(1)))
    assert plain is not None
    stopped = replay.frame_at(times.cue_s + 1).image
    assert np.abs(stopped.astype(int) - cv2.resize(plain, replay.size)).mean() < 4


def test_highlights_are_chosen_by_rank_within_the_duration(games: Path) -> None:
    kept = birthday(games)
    for number in range(2, 9):
        copy = round_folder(kept.folder, number)
        copy.folder.mkdir(exist_ok=True)
        for source in (round_folder(kept.folder, 1).replay, round_folder(kept.folder, 1).times):
            (copy.folder / source.name).write_bytes(source.read_bytes())
    with GameFile.open(kept.folder) as file:
        table, bam, judged = (entry.event for entry in file.standing[-3:])
        assert isinstance(judged, PosesJudged)
        pose = next(iter(judged.poses.values()))
        for _ in range(4):
            poses = PosesJudged(dict.fromkeys(file.game.seats, pose))
            file.append([table, bam, poses], "said at the table", "Red")
        for number in range(1, len(file.game.rounds) + 1):
            seen = file.game.rounds[number - 1].verdicts[0].player
            file.append(PoseCorrected(number, seen, BARE), "a mistake", "Anna")
        found = highlights(file, [])
    assert sum(highlight.length_s for highlight in found) <= LONGEST_S
    assert {highlight.rank for highlight in found} >= {0, 1}
    assert [highlight.round_number for highlight in found] == sorted(highlight.round_number for highlight in found)


def noisy(size: tuple[int, int], lasts_s: float, spread: float = 25.0) -> Iterator[Frame]:
    """Yield frames at 30 a second of a scene that moves, in the noise of a camera in dim light."""
    rng, (width, height) = np.random.default_rng(1), size
    scene = cv2.GaussianBlur(rng.integers(0, 255, (height, width, 3), np.uint8), (0, 0), 9)
    scene = (40 + 170.0 * (scene - scene.min()) / np.ptp(scene)).astype(np.uint8)
    grains = [rng.normal(0, spread, scene.shape).astype(np.int16) for _ in range(7)]
    for number in range(round(30 * lasts_s)):
        image = np.roll(scene, 3 * number, axis=1) + np.roll(grains[number % 7], 11 * number, axis=0)
        yield Frame(np.clip(image, 0, 255).astype(np.uint8), number / 30)


def hiss(lasts_s: float) -> Sound:
    samples = np.random.default_rng(2).normal(0, 9000, round(48_000 * lasts_s))
    return Sound(np.clip(samples, -30_000, 30_000).astype(np.int16), 48_000)


@pytest.mark.parametrize("encoder", ["libx264", "mpeg4"])
@pytest.mark.parametrize("film_kind", [(SEAT_FILM_LIMIT, (512, 640), 1.0), (HIGHLIGHTS_LIMIT, LARGEST, 0.2)])
def test_noisy_film_stays_within_its_size_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoder: str, film_kind: tuple[SizeLimit, tuple[int, int], float]
) -> None:
    """Test the long film with a fifth of its length and of its size limit."""
    limit, size, share = film_kind
    monkeypatch.setattr(video_file, "choose_encoder", lambda *_: encoder)
    lasts_s = limit.longest_s * share
    write_film(tmp_path / "film.mp4", noisy(size, lasts_s), [hiss(lasts_s)], limit=limit, stamp="Blue: ü")
    assert (tmp_path / "film.mp4").stat().st_size <= limit.most_bytes * share
    film = Clip(tmp_path / "film.mp4", "film")
    assert film.duration_s == pytest.approx(lasts_s, abs=0.3)
    assert stamp_of(tmp_path / "film.mp4") == "Blue: ü"


def test_noise_is_filtered_before_it_is_encoded(tmp_path: Path) -> None:
    still = np.full((240, 320, 3), 120, np.uint8)
    rng = np.random.default_rng(3)
    frames = [
        Frame(np.clip(still + rng.normal(0, 10, still.shape), 0, 255).astype(np.uint8), number / 30)
        for number in range(30)
    ]
    for name, limit in (("all", None), ("small", SizeLimit(10_000_000, 1.0))):
        write_film(tmp_path / f"{name}.mp4", frames, limit=limit)
    spread = {
        name: float(np.std(Clip(tmp_path / f"{name}.mp4", name).frame_at(0.5).image)) for name in ("all", "small")
    }
    assert spread["small"] < 0.6 * spread["all"]


def test_foreign_file_has_no_stamp(tmp_path: Path) -> None:
    (tmp_path / "coffee.mp4").write_bytes(b"coffee" * 99)
    write_film(tmp_path / "plain.mp4", noisy((64, 64), 0.2))
    assert [stamp_of(tmp_path / name) for name in ("coffee.mp4", "plain.mp4", "none.mp4")] == [None, None, None]
