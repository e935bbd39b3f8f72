"""Practice: looks on a thread of its own, and takes that are kept only with consent."""

import json
from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from random import Random
from typing import Self

import pytest

from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.session.practice.practice import PracticeSession, PracticeState
from bunnymoose_cv.session.practice.takes import NOTHING, TAKES_FILE, Consent, Takes, TakesError
from bunnymoose_cv.session.sources.video_source import NoVideoSource
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import PlayerReading
from tests.doubles import PLAYERS
from tests.unit.session.playing import StillCamera

PATIENCE_S = 60.0


class LosableCamera(StillCamera):
    """Camera in front of a player who holds still, until it is lost."""

    is_open = False

    def __enter__(self) -> Self:
        self.is_open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.is_open = False

    @property
    def problem(self) -> str:
        return "The camera is gone." if self.camera is CameraState.LOST else ""

    def newest(self) -> Frame | None:
        return None if self.camera is CameraState.LOST else super().newest()


@pytest.fixture(scope="module")
def image() -> Image:
    """Return a rendered moose."""
    return read_image(PLAYERS / "0009.jpg")


@pytest.fixture
def moose(player: Callable[[str], PlayerReading]) -> PlayerReading:
    """Return the reading of that image."""
    return player("0009")


def wait_for(states: SimpleQueue[PracticeState], shows: Callable[[PracticeState], bool]) -> PracticeState:
    """Return the next state for which a predicate holds."""
    while not shows(state := states.get(timeout=PATIENCE_S)):
        pass
    return state


def test_practice_publishes_readings_and_follows_commands(reader: Reader, image: Image, tmp_path: Path) -> None:
    source = LosableCamera(image, 0.1)
    states: SimpleQueue[PracticeState] = SimpleQueue()
    with PracticeSession(source, reader, Random(1), Takes(tmp_path)) as session:
        stop = session.listen(states.put)
        seen = wait_for(states, lambda state: state.lesson.seen is not None)
        assert session.latest_reading is not None
        assert session.latest_reading.number >= seen.version
        session.skip().result(PATIENCE_S)
        assert session.state.lesson.number == 2
        session.give_consent(Consent(takes=True)).result(PATIENCE_S)
        session.accept_as_shown().result(PATIENCE_S)
        assert (session.state.kept, len(Takes(tmp_path))) == (1, 1)

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


class UnpluggedCamera(LosableCamera):
    """Camera that is lost while its first state is being shown."""

    @property
    def problem(self) -> str:
        problem = super().problem
        self.camera = CameraState.LOST
        return problem


def test_a_camera_is_never_shown_as_lost_without_its_problem(reader: Reader, image: Image, tmp_path: Path) -> None:
    states: SimpleQueue[PracticeState] = SimpleQueue()
    session = PracticeSession(UnpluggedCamera(image, 0.1), reader, Random(1), Takes(tmp_path))
    session.listen(states.put)
    with session:
        lost = wait_for(states, lambda state: state.camera is CameraState.LOST)
    assert lost.problem == "The camera is gone."


ASKED = Pose.parse("WU WU")


@pytest.mark.parametrize(("consent", "files"), [(NOTHING, 0), (Consent(images=True), 0), (Consent(takes=True), 1)])
def test_takes_are_written_only_with_consent(
    tmp_path: Path, moose: PlayerReading, image: Image, consent: Consent, files: int
) -> None:
    takes = Takes(tmp_path / "takes")
    assert takes.keep(consent, ASKED, moose, image) is bool(files)
    assert len(list(tmp_path.rglob("*.*"))) == len(takes) == files


def test_a_take_has_the_label_and_the_landmarks(tmp_path: Path, moose: PlayerReading, image: Image) -> None:
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


def test_takes_are_deleted_on_request(tmp_path: Path, moose: PlayerReading, image: Image) -> None:
    takes = Takes(tmp_path / "takes")
    takes.delete()
    takes.keep(Consent(takes=True, images=True), ASKED, moose, image)
    takes.delete()
    assert not (tmp_path / "takes").exists()
    assert len(takes) == 0


def test_an_unwritable_folder_is_reported_in_one_sentence(tmp_path: Path, moose: PlayerReading, image: Image) -> None:
    (tmp_path / "file").write_text("x")
    takes = Takes(tmp_path / "file" / "takes")
    with pytest.raises(TakesError, match=r"not kept in .*: make room, or practise without"):
        takes.keep(Consent(takes=True), ASKED, moose, image)


class Wanted(Random):
    """Random numbers by which one pose is asked first."""

    def shuffle(self, x: list[Pose]) -> None:  # type: ignore[override]
        x.sort(key=lambda pose: pose != ASKED)


class LaterCamera(StillCamera):
    """Camera that shows an image for one and a half seconds, from the start."""

    is_started = False

    def newest(self) -> Frame | None:
        return super().newest() if self.is_started and self.looks < 6 else None


def show(session: PracticeSession, source: LaterCamera) -> None:
    """Show the image until its pose was held."""
    states: SimpleQueue[PracticeState] = SimpleQueue()
    session.listen(states.put)
    source.is_started = True
    wait_for(states, lambda state: state.lesson.done == 1)


def test_practice_goes_on_after_a_held_pose_and_keeps_its_take(reader: Reader, tmp_path: Path, image: Image) -> None:
    takes, source = Takes(tmp_path / "takes"), LaterCamera(image, 0.25)
    with PracticeSession(source, reader, Wanted(0), takes) as session:
        assert session.state.consent == NOTHING
        show(session, source)
        assert (session.state.kept, len(takes)) == (0, 0)  # nothing is kept without consent
        session.give_consent(Consent(takes=True)).result(PATIENCE_S)
        session.accept_as_shown().result(PATIENCE_S)
        assert (session.state.lesson.number, session.state.kept, len(takes)) == (3, 1, 1)
        session.delete_takes().result(PATIENCE_S)
        assert (session.state.kept, session.state.consent, len(takes)) == (0, NOTHING, 0)


def test_a_full_disk_does_not_stop_practice(reader: Reader, tmp_path: Path, image: Image) -> None:
    (tmp_path / "file").write_text("x")
    source = LaterCamera(image, 0.25)
    with PracticeSession(source, reader, Wanted(0), Takes(tmp_path / "file" / "takes")) as session:
        session.give_consent(Consent(takes=True)).result(PATIENCE_S)
        show(session, source)
        assert "not kept" in session.state.problem


def test_a_pose_of_an_unseen_player_cannot_be_accepted(reader: Reader, tmp_path: Path) -> None:
    with (
        PracticeSession(NoVideoSource(), reader, Random(0), Takes(tmp_path)) as session,
        pytest.raises(InputError, match="Nobody is seen"),
    ):
        session.accept_as_shown().result(PATIENCE_S)
