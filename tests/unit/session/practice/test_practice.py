"""Practice: looks on a thread of its own, and takes that are kept only if people ask for them."""

import json
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Self

import pytest

from bunnymoose_cv.capture.camera_state import CameraState
from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.practice.practice import Practice
from bunnymoose_cv.session.practice.practice_session import PracticeSession, PracticeSessionState
from bunnymoose_cv.session.practice.takes import NOTHING, TAKES_FILE, Consent, Takes, TakesError
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import PlayerReading
from tests.doubles import PLAYERS
from tests.unit.session.playing import StillCamera

PATIENCE_S = 60.0


class LosableCamera(StillCamera):
    """Camera before a player who holds still, until it is lost."""

    is_open = False

    def __enter__(self) -> Self:
        self.is_open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.is_open = False

    @property
    def problem(self) -> str:  # type: ignore[override]
        return "The camera is gone." if self.camera is CameraState.LOST else ""

    def newest(self) -> Frame | None:
        return None if self.camera is CameraState.LOST else super().newest()


@pytest.fixture(scope="module")
def image() -> Image:
    """A rendered moose."""
    return read_image(PLAYERS / "0009.jpg")


@pytest.fixture
def moose(player: Callable[[str], PlayerReading]) -> PlayerReading:
    """Reading of that image."""
    return player("0009")


def wait_for(
    states: SimpleQueue[PracticeSessionState], shows: Callable[[PracticeSessionState], bool]
) -> PracticeSessionState:
    """The next state that shows something."""
    while not shows(state := states.get(timeout=PATIENCE_S)):
        pass
    return state


def test_it_tells_what_it_sees_and_does_what_people_want(reader: Reader, image: Image, tmp_path: Path) -> None:
    source = LosableCamera(image, 0.1)
    states: SimpleQueue[PracticeSessionState] = SimpleQueue()
    with PracticeSession(source, reader, Random(1), Takes(tmp_path)) as session:
        stop = session.listen(states.put)
        seen = wait_for(states, lambda state: state.practice.lesson.seen is not None)
        assert session.latest_reading is not None
        assert session.latest_reading.number >= seen.version
        session.skip().result(PATIENCE_S)
        assert session.state.practice.lesson.number == 2
        session.give_consent(Consent(takes=True)).result(PATIENCE_S)
        session.accept_as_shown().result(PATIENCE_S)
        assert (session.state.practice.kept, len(Takes(tmp_path))) == (1, 1)

        source.camera = CameraState.LOST
        lost = wait_for(states, lambda state: state.camera is CameraState.LOST)
        assert lost.problem == "The camera is gone."
        source.camera = CameraState.WATCHING
        back = wait_for(states, lambda state: state.camera is CameraState.WATCHING)
        assert back.problem == ""
        stop()
    assert session.state.over
    assert not source.is_open
    with pytest.raises(InputError, match="The mirror is closed"):
        session.skip().result(PATIENCE_S)


ASKED = Pose.parse("WU WU")


@pytest.mark.parametrize(("consent", "files"), [(NOTHING, 0), (Consent(images=True), 0), (Consent(takes=True), 1)])
def test_nothing_is_written_unless_people_asked_for_it(
    tmp_path: Path, moose: PlayerReading, image: Image, consent: Consent, files: int
) -> None:
    takes = Takes(tmp_path / "takes")
    assert takes.keep(consent, ASKED, moose, image) is bool(files)
    assert len(list(tmp_path.rglob("*.*"))) == len(takes) == files


def test_a_take_is_the_label_beside_the_landmarks(tmp_path: Path, moose: PlayerReading, image: Image) -> None:
    takes = Takes(tmp_path / "takes")
    takes.keep(Consent(takes=True), Pose.parse("CU WU"), moose, image)
    takes.keep(Consent(takes=True, images=True), ASKED, moose, image)
    first, second = map(json.loads, (tmp_path / "takes" / TAKES_FILE).read_text("utf-8").splitlines())
    assert (first["asked"], first["read"], first["picture"], first["size"]) == ("CU WU", "WU WU", None, [640, 640])
    assert {side: len(hand["points"]) for side, hand in first["hands"].items()} == {"left": 21, "right": 21}
    assert len(first["face"]) == 478
    x, y, _ = first["hands"]["left"]["points"][8]
    assert (x, y) == pytest.approx((452, 236), abs=20)  # the tip of the index finger in fixtures/players/0009.json
    assert read_image(tmp_path / "takes" / second["picture"]).shape == image.shape


def test_takes_go_when_people_say_so(tmp_path: Path, moose: PlayerReading, image: Image) -> None:
    takes = Takes(tmp_path / "takes")
    takes.delete()
    takes.keep(Consent(takes=True, images=True), ASKED, moose, image)
    takes.delete()
    assert not (tmp_path / "takes").exists()
    assert len(takes) == 0


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path, moose: PlayerReading, image: Image) -> None:
    (tmp_path / "file").write_text("x")
    takes = Takes(tmp_path / "file" / "takes")
    with pytest.raises(TakesError, match=r"not kept in .*: make room, or practise without"):
        takes.keep(Consent(takes=True), ASKED, moose, image)


class Wanted(Random):
    """Chance that asks for one pose first."""

    def shuffle(self, x: list[Pose]) -> None:  # type: ignore[override]
        """The wanted one first."""
        x.sort(key=lambda pose: pose != ASKED)


def show(practice: Practice, image: Image) -> None:
    """Show an image for one and a half seconds."""
    for number in range(6):
        practice.see(Frame(image, number / 4))


def test_practice_holds_goes_on_and_keeps_what_it_was_asked_to(reader: Reader, tmp_path: Path, image: Image) -> None:
    takes = Takes(tmp_path / "takes")
    practice = Practice(reader, Wanted(0), takes)
    assert practice.state.consent == NOTHING
    show(practice, image)
    assert (practice.state.lesson.done, practice.state.kept, len(takes)) == (1, 0, 0)  # unless asked, nothing is kept
    practice.give_consent(Consent(takes=True))
    practice.accept_as_shown()
    assert (practice.state.lesson.number, practice.state.kept, len(takes)) == (3, 1, 1)
    practice.delete_takes()
    assert (practice.state.kept, practice.state.consent, len(takes)) == (0, NOTHING, 0)


def test_a_full_disk_stops_no_practice(reader: Reader, tmp_path: Path, image: Image) -> None:
    (tmp_path / "file").write_text("x")
    practice = Practice(reader, Wanted(0), Takes(tmp_path / "file" / "takes"))
    practice.give_consent(Consent(takes=True))
    show(practice, image)
    assert practice.state.lesson.done == 1
    assert "not kept" in practice.state.problem


def test_nobody_insists_who_is_not_seen(reader: Reader, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Nobody is seen"):
        Practice(reader, Random(0), Takes(tmp_path)).accept_as_shown()
