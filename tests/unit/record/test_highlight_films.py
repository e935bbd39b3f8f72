"""Films cut out of replays: one seat alone, and the highlights of an evening."""

from __future__ import annotations

from shutil import copytree
from typing import TYPE_CHECKING

import numpy as np
import pytest

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.sound import read_sound
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.record.highlight_films import highlights, write_highlights, write_seat_film
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.record.video_file import FilmError
from bunnymoose_cv.rules.events import PoseCorrected, Undone
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bunnymoose_cv.core.errors import InputError

BARE = Pose(None, None)


def test_the_film_of_a_seat_shows_that_player_alone_and_slowly(games: Path) -> None:
    kept = round_folder(GameStore(games).find("last").folder, 1)
    told: list[float] = []
    film, replay = Clip(write_seat_film(kept, 2, told.append), "seat"), Clip(kept.replay, "replay")
    assert told == sorted(told)
    assert [told[0], told[-1]] == pytest.approx([0, 1], abs=0.1)
    assert film.size == replay.size
    # One second before the cue and two after it four times slower, three seconds of the judged image.
    assert film.duration_s == pytest.approx(4 * 1 + 3 + 4 * 2, abs=0.3)
    near, whole = film.frame_at(1.0).image, replay.frame_at(1.0).image
    assert np.abs(near.astype(int) - whole).mean() > 10


@pytest.mark.parametrize(
    ("number", "seat", "sentence"), [(1, 3, "Nobody was seen in seat 3"), (2, 1, "There is no replay in")]
)
def test_what_was_not_kept_is_one_sentence(games: Path, number: int, seat: int, sentence: str) -> None:
    with pytest.raises(FilmError, match=sentence):
        write_seat_film(round_folder(GameStore(games).find("last").folder, number), seat)


def test_highlights_are_big_scores_moves_and_corrections(games: Path, tmp_path: Path) -> None:
    with GameFile.open(GameStore(games).find("last").folder) as game:
        game.append(PoseCorrected(1, "Blue", BARE), "the hand was off the head", "Anna")
        game.append([PoseCorrected(1, "Green", BARE), Undone()], "a mistake", "Anna")
        told: list[float] = []
        found = write_highlights(game, tmp_path / "highlights.mp4", [], tell=told.append)
        captions = [each.caption for each in found]
        totals = [each.score.total for each in game.game.rounds[0].verdicts]
        german = highlights(game, [], Language.GERMAN)[0].caption
    assert german.startswith("1 · Green: Elch ")
    assert [told[0], told[-1]] == pytest.approx([0, 1], abs=0.1)
    assert totals[0] is None
    assert captions == [f"1 · Green: moose back {-(totals[1] or 0)} · Blue: -- --, the hand was off the head", ""]
    lengths_s = [each.end_s - each.start_s for each in found]
    assert all(2 < length_s < 8 for length_s in lengths_s)
    film = Clip(tmp_path / "highlights.mp4", "highlights")
    assert film.duration_s == pytest.approx(sum(lengths_s), abs=0.3)
    assert len(read_sound(tmp_path / "highlights.mp4").samples) / 48_000 > lengths_s[0]


def test_the_biggest_scores_of_all_rounds_are_chosen(games: Path) -> None:
    with GameFile.open(GameStore(games).find("last").folder) as game:
        rounds = game.game.rounds
        biggest = max(abs(each.score.total or 0) for played in rounds for each in played.verdicts)
        assert biggest > 0
        assert any(str(biggest) in each.caption for each in highlights(game, []))


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
    problems: list[InputError] = []
    with GameFile.open(GameStore(games).find("last").folder) as game:
        first, second = (round_folder(game.folder, number).folder for number in (1, 2))
        copytree(first, second)
        whole = (second / file).read_bytes()
        (first / file).write_bytes(broken(whole))
        found = write_highlights(game, tmp_path / "highlights.mp4", problems)
    assert {each.round_number for each in found} == {2}
    assert [str(first / file) in str(problem) for problem in problems] == [True]
    length_s = sum(each.end_s - each.start_s for each in found)
    assert Clip(tmp_path / "highlights.mp4", "highlights").duration_s == pytest.approx(length_s, abs=0.3)
