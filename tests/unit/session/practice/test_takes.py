"""Takes: written only when asked, images only when asked for those too, and gone when people say so."""

from __future__ import annotations

import json
from random import Random
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.capture.frame import Frame
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.practice.practice import Practice
from bunnymoose_cv.session.practice.takes import NOTHING, TAKES_FILE, Consent, Takes, TakesError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import PlayerReading

ASKED = Pose.parse("WU WU")


@pytest.mark.parametrize(("consent", "files"), [(NOTHING, 0), (Consent(images=True), 0), (Consent(takes=True), 1)])
def test_nothing_is_written_unless_people_asked_for_it(
    tmp_path: Path,
    player: Callable[[str], PlayerReading],
    player_file: Callable[[str], Path],
    consent: Consent,
    files: int,
) -> None:
    takes = Takes(tmp_path / "takes")
    assert takes.keep(consent, ASKED, player("0009"), read_image(player_file("0009"))) is bool(files)
    assert len(list(tmp_path.rglob("*.*"))) == len(takes) == files


def test_a_take_is_the_label_beside_the_landmarks(
    tmp_path: Path, player: Callable[[str], PlayerReading], player_file: Callable[[str], Path]
) -> None:
    takes, image = Takes(tmp_path / "takes"), read_image(player_file("0009"))
    takes.keep(Consent(takes=True), Pose.parse("CU WU"), player("0009"), image)
    takes.keep(Consent(takes=True, images=True), ASKED, player("0009"), image)
    first, second = map(json.loads, (tmp_path / "takes" / TAKES_FILE).read_text("utf-8").splitlines())
    assert (first["asked"], first["read"], first["picture"], first["size"]) == ("CU WU", "WU WU", None, [640, 640])
    assert {side: len(hand["points"]) for side, hand in first["hands"].items()} == {"left": 21, "right": 21}
    assert len(first["face"]) == 478
    x, y, _ = first["hands"]["left"]["points"][8]
    assert (x, y) == pytest.approx(
        (452, 236), abs=20
    )  # where fixtures/players/0009.json has the tip of the index finger
    assert read_image(tmp_path / "takes" / second["picture"]).shape == image.shape


def test_takes_go_when_people_say_so(
    tmp_path: Path, player: Callable[[str], PlayerReading], player_file: Callable[[str], Path]
) -> None:
    takes = Takes(tmp_path / "takes")
    takes.delete()
    takes.keep(Consent(takes=True, images=True), ASKED, player("0009"), read_image(player_file("0009")))
    takes.delete()
    assert not (tmp_path / "takes").exists()
    assert len(takes) == 0


def test_a_place_that_cannot_be_written_is_one_sentence(
    tmp_path: Path, player: Callable[[str], PlayerReading], player_file: Callable[[str], Path]
) -> None:
    (tmp_path / "file").write_text("x")
    takes = Takes(tmp_path / "file" / "takes")
    with pytest.raises(TakesError, match=r"not kept in .*: make room, or practise without"):
        takes.keep(Consent(takes=True), ASKED, player("0009"), read_image(player_file("0009")))


class Wanted(Random):
    """Chance that asks for one pose first."""

    def shuffle(self, x: list[Pose]) -> None:  # type: ignore[override]
        """The wanted one first."""
        x.sort(key=lambda pose: pose != ASKED)


def seen_for(practice: Practice, path: Path, begin_s: float, looks: int) -> None:
    """Look at an image four times a second."""
    image = read_image(path)
    for number in range(looks):
        practice.see(Frame(image, begin_s + number / 4))


def test_practice_holds_goes_on_and_keeps_what_it_was_asked_to(
    reader: Reader, tmp_path: Path, player_file: Callable[[str], Path]
) -> None:
    takes = Takes(tmp_path / "takes")
    practice = Practice(reader, Wanted(0), takes)
    assert practice.state.consent == NOTHING
    seen_for(practice, player_file("0009"), 0.0, 6)
    assert (practice.state.lesson.done, practice.state.kept, len(takes)) == (1, 0, 0)  # unless asked, nothing is kept
    practice.give_consent(Consent(takes=True))
    practice.accept_as_shown()
    assert (practice.state.lesson.number, practice.state.kept, len(takes)) == (3, 1, 1)
    practice.delete_takes()
    assert (practice.state.kept, practice.state.consent, len(takes)) == (0, NOTHING, 0)


def test_a_full_disk_stops_no_practice(reader: Reader, tmp_path: Path, player_file: Callable[[str], Path]) -> None:
    (tmp_path / "file").write_text("x")
    practice = Practice(reader, Wanted(0), Takes(tmp_path / "file" / "takes"))
    practice.give_consent(Consent(takes=True))
    seen_for(practice, player_file("0009"), 0.0, 6)
    assert practice.state.lesson.done == 1
    assert "not kept" in practice.state.problem


def test_nobody_insists_who_is_not_seen(reader: Reader, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Nobody is seen"):
        Practice(reader, Random(0), Takes(tmp_path)).accept_as_shown()
