"""Rounds of the referee: entries, announcements and their order, questions, undo."""

import gc
import logging
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from threading import Event
from typing import Self, TypeAlias
from weakref import ref

import numpy as np
import pytest

from bunnymoose_cv.capture.footage import Footage, HeldFootage
from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.image_geometry import AS_IT_IS
from bunnymoose_cv.capture.jpeg_frame import FrameRun, JpegFrame, pack
from bunnymoose_cv.capture.sound import Sound
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import Settings
from bunnymoose_cv.record.evidence_keeper import EvidenceKeeper
from bunnymoose_cv.record.footage_spool import spool, spool_path, spooled_rounds
from bunnymoose_cv.record.game_file import GameFile
from bunnymoose_cv.record.round_folder import round_folder
from bunnymoose_cv.referee.judged_round import JudgedRound
from bunnymoose_cv.referee.referee import Referee
from bunnymoose_cv.referee.round_reader import NoReadingError
from bunnymoose_cv.rules.cards import Table, parse_table
from bunnymoose_cv.rules.events import Undone
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.vision.video.tracker import Tracker
from bunnymoose_cv.vision.video.window import Window
from tests.doubles import CannedFootage, CannedReader, shrunk
from tests.unit.record.damaged_spools import DAMAGES

CARDS = parse_table("L.WU+1 R.WU+1 HUNTER RABBIT-3 HUNTER HUNTER")
BAM_S = 0.4


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def make_referee(quick_canned_reader: Reader, file: GameFile, said: list[str]) -> Callable[..., Referee]:
    def make(*, asks: bool) -> Referee:
        tracker = Tracker(quick_canned_reader, 2)
        return Referee(file, tracker, quick_canned_reader, say=said.append, keeper=None, notify=said.append, asks=asks)

    return make


def judge_round(referee: Referee, image: Image, cards: Table = CARDS, cue_s: float = BAM_S) -> JudgedRound:
    """Lay cards, say Bam, and judge footage of one image."""
    if cards:
        referee.record_cards(cards)
    referee.bam("test")
    return referee.judge(CannedFootage(image, 0.0, BAM_S, 1.4), cue_s)


@pytest.fixture(scope="module")
def small_party(party: FrameReading) -> FrameReading:
    """Return the party in a small image, to save time when a film is written."""
    return shrunk(party, 0.25)


@pytest.fixture(scope="module")
def small_reader(small_party: FrameReading, quick_settings: Settings) -> Iterator[CannedReader]:
    with CannedReader(small_party, quick_settings) as reader:
        yield reader


def without_green(image: Image) -> Image:
    empty = image.copy()
    empty[:, 640:] = 128
    return empty


def test_the_narrator_copies_after_the_player_and_the_last_catch_up(
    make_referee: Callable[..., Referee], party: FrameReading, said: list[str]
) -> None:
    referee = make_referee(asks=False)
    referee.bet("Blue")
    judged = judge_round(referee, party.image)
    assert [(seat.player, str(seat.pose)) for seat in judged.seats] == [("Blue", "SS TF"), ("Green", "WU WU")]
    assert said == [
        "Blue: rabbit back 3",
        "Red: rabbit back 3",
        "Green: moose ahead 2",
        "Catching up — Red and Blue: rabbit ahead 1",
        "Catching up — Red and Blue: moose ahead 1",
    ]
    assert (referee.game.round_number, referee.game.narrator) == (2, "Green")


def test_announcements_wait_for_the_cards(
    make_referee: Callable[..., Referee], party: FrameReading, said: list[str]
) -> None:
    referee = make_referee(asks=False)
    judge_round(referee, party.image, cards=())
    assert said == []
    referee.record_cards(CARDS)
    assert said[0] == "Blue: rabbit back 3"
    assert len(referee.game.rounds) == 1


def test_an_unseen_player_is_asked_about_and_the_others_are_announced(
    make_referee: Callable[..., Referee], party: FrameReading, said: list[str]
) -> None:
    referee = make_referee(asks=True)
    referee.bet("Green")
    judged = judge_round(referee, without_green(party.image))
    assert [seat.reading is not None for seat in judged.seats] == [True, False]
    assert len(judged.seats[1].unclear) == 11
    assert "Green, please check" in said
    assert "Green" in referee.questions.asked
    if "Blue" not in referee.questions.asked:
        referee.correct_pose("Blue", Pose.parse("-- --"))
        assert said.pop() == "Blue: bush — both back 1"
        referee.undo()
        assert said.pop() == "Blue: rabbit back 3"
    for player, pose in (("Blue", "SS TF"), ("Green", "WU WU")):
        if player in referee.questions.asked:
            referee.correct_pose(player, Pose.parse(pose))
    assert said.count("Blue: rabbit back 3") == 1
    assert said.index("Green: moose ahead 2") + 1 == said.index("Red: moose ahead 2")
    assert referee.game.phase is Phase.BETTING


def test_without_a_frame_all_players_are_asked(make_referee: Callable[..., Referee], party: FrameReading) -> None:
    referee = make_referee(asks=True)
    with pytest.raises(NoReadingError, match="The camera showed nothing at Bam"):
        judge_round(referee, party.image, cue_s=99.0)
    assert referee.questions.asked == ("Blue", "Green")


def test_the_footage_of_a_round_without_a_frame_is_released_at_once(
    quick_canned_reader: Reader,
    file: GameFile,
    party: FrameReading,
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Packed(HeldFootage):
        """Held footage that can be watched."""

    class Camera(CannedFootage):
        def held(self, start_s: float, end_s: float) -> HeldFootage:  # type: ignore[override]
            footage = Packed(FrameRun([pack(frame) for frame in self.frames(0.0, end_s - start_s)]), None)
            packed.append(ref(footage))
            return footage

    caplog.set_level(logging.CRITICAL)  # a captured traceback would hold it
    (file.folder / "rounds").write_text("no folder")  # the disk takes no footage, so that it stays in memory
    packed: list[ref[Packed]] = []
    keeper = EvidenceKeeper(file.folder, pytest.fail)
    referee = Referee(
        file, Tracker(quick_canned_reader, 2), quick_canned_reader, say=pytest.fail, keeper=keeper, notify=pytest.fail
    )
    referee.record_cards(CARDS)
    referee.bam("test")
    with pytest.raises(NoReadingError):
        referee.judge(Camera(party.image, 0.0, BAM_S, 1.4), 99.0)
    keeper._held.finish()
    gc.collect()
    assert [footage() for footage in packed] == [None]
    keeper.finish()


def test_a_dismissed_bam_leaves_the_round_as_it_was(
    make_referee: Callable[..., Referee], party: FrameReading, said: list[str]
) -> None:
    referee = make_referee(asks=False)
    assert not referee.dismiss()
    referee.bet("Blue")
    referee.record_cards(CARDS)
    before = referee.game
    for _ in range(2):
        judge_round(referee, party.image, cards=())
        assert len(referee.game.rounds) == 1
        assert referee.dismiss()
        assert referee.game == before
    assert said.count("Blue: rabbit back 3") == 2


@pytest.fixture
def blind_referee(file: GameFile, said: list[str]) -> Referee:
    """Return a referee without a camera, whose poses are entered by hand."""
    return Referee(file, None, None, say=said.append, keeper=None, notify=said.append)


def enter_round(referee: Referee) -> None:
    referee.record_cards(CARDS)
    referee.bam("test")
    for player in referee.game.seats:
        referee.correct_pose(player, Pose.parse("WU WU"))


@pytest.mark.parametrize(
    "enter",
    [
        lambda referee: referee.correct_pose("Green", Pose.parse("TS TS"), 1),
        lambda referee: referee.correct_table(1, CARDS[::-1]),
        lambda referee: referee.record_cards(CARDS),
        lambda referee: referee.record_cards(CARDS[:1]),
        lambda referee: referee.correct_bet(2, "Red"),
    ],
    ids=["a pose of an older round", "its cards", "the cards", "one card", "the bet"],
)
def test_a_dismissed_bam_undoes_only_poses(blind_referee: Referee, enter: Callable[[Referee], None]) -> None:
    enter_round(blind_referee)
    enter(blind_referee)
    expected = blind_referee.game
    blind_referee.undo()
    blind_referee.bam("test")
    blind_referee.correct_pose("Red", Pose.parse("CD CD"))
    enter(blind_referee)
    blind_referee.correct_pose("Red", Pose.parse("CU CD"))
    assert blind_referee.dismiss()
    assert blind_referee.game == expected


def test_entries_kept_after_a_dismissed_bam_keep_their_authors(blind_referee: Referee, file: GameFile) -> None:
    enter_round(blind_referee)
    blind_referee.bam("test")
    blind_referee.correct_pose("Green", Pose.parse("TS TS"), 1, author="Blue")
    blind_referee.record_cards(CARDS, author="Green")
    reported = file.standing[-2:]
    assert blind_referee.dismiss("Red")
    again = file.standing[-2:]
    assert [replace(entry, number=0) for entry in again] == [replace(entry, number=0) for entry in reported]
    taken_back = [entry for entry in file.entries if isinstance(entry.event, Undone)]
    assert {(entry.who, str(entry.why)) for entry in taken_back} == {("Red", "that was no Bam")}


@pytest.mark.parametrize(
    "begin",
    [
        lambda referee: referee.bet("Red"),
        lambda referee: referee.record_cards(CARDS),
    ],
    ids=["a bet", "cards"],
)
def test_the_bam_of_an_earlier_round_is_not_dismissed(
    blind_referee: Referee, begin: Callable[[Referee], object]
) -> None:
    enter_round(blind_referee)
    begin(blind_referee)
    before = blind_referee.game
    assert not blind_referee.dismiss()
    assert blind_referee.game == before


def test_a_correction_is_announced_and_can_be_undone(
    make_referee: Callable[..., Referee], party: FrameReading, said: list[str]
) -> None:
    referee = make_referee(asks=False)
    judge_round(referee, party.image)
    figures = referee.game.trail
    said.clear()
    referee.correct_pose("Green", Pose.parse("WU CD"))
    referee.correct_pose("Blue", Pose.parse("SS TS"))
    assert said == ["Green: moose ahead 1"]
    said.clear()
    referee.undo()
    referee.undo()
    assert said == ["Green: moose ahead 2"]
    assert referee.game.trail == figures
    with pytest.raises(InputError, match="shows nothing in round 1"):
        referee.correct_pose("Red", Pose.parse("WU WU"), 1)


def test_a_place_is_remembered_from_round_to_round(make_referee: Callable[..., Referee], party: FrameReading) -> None:
    referee = make_referee(asks=False)
    for image, seen in (
        (party.image, [True, True]),
        (np.fliplr(without_green(np.fliplr(party.image))), [False, True]),
    ):
        judged = judge_round(referee, np.ascontiguousarray(image))
        assert [seat.reading is not None for seat in judged.seats] == seen


@pytest.mark.parametrize("afresh", [False, True])
def test_a_row_off_the_middle_keeps_its_seats_until_other_images_come(
    make_referee: Callable[..., Referee], party: FrameReading, *, afresh: bool
) -> None:
    referee = make_referee(asks=False)
    wide = np.full((party.image.shape[0], 2560, 3), 128, np.uint8)
    wide[:, : party.image.shape[1]] = party.image
    without_blue = wide.copy()
    without_blue[:, :640] = 128
    seen = []
    for image in (wide, without_blue):
        seen.append([seat.reading is not None for seat in judge_round(referee, image).seats])
        if afresh:
            referee.reset_tracking()
    assert seen == [[True, True], [True, False] if afresh else [False, True]]


def test_a_bystander_behind_the_row_is_not_a_player(
    quick_settings: Settings, file: GameFile, said: list[str], party: FrameReading
) -> None:
    behind = shrunk(party, 0.6, right_px=896)
    image = np.full((640, 1664, 3), 128, np.uint8)
    image[:, :1280], image[:384, 1280:] = party.image, behind.image[:, 384:]
    with CannedReader(replace(party, players=(*party.players, behind.players[1])), quick_settings) as reader:
        tracker = Tracker(reader, 2)
        referee = Referee(file, tracker, reader, say=said.append, keeper=None, notify=said.append, asks=False)
        assert len(Tracker(reader).read(Frame(image, 0.0)).players) == 3
        judged = judge_round(referee, image)
    assert [(seat.player, str(seat.pose)) for seat in judged.seats] == [("Blue", "SS TF"), ("Green", "WU WU")]


@dataclass
class ForgetfulCamera:
    """Camera whose ring buffer no longer has the footage once `gone` is set."""

    still: CannedFootage
    gone: bool = False
    asked: Event = field(default_factory=Event)

    def wait_for(self, time_s: float, patience_s: float) -> bool:
        return self.still.wait_for(time_s, patience_s)

    def frames(self, start_s: float, end_s: float) -> Iterator[Frame]:
        return iter(()) if self.gone else self.still.frames(start_s, end_s)

    def sound(self, start_s: float, end_s: float) -> Sound | None:
        return None if self.gone else self.still.sound(start_s, end_s)

    def held(self, start_s: float, end_s: float) -> Self | CannedFootage:
        del start_s, end_s
        held = self if self.gone else self.still
        self.asked.set()
        return held


PlayRound: TypeAlias = "Callable[..., tuple[Referee, EvidenceKeeper, JudgedRound]]"


@pytest.fixture
def still(small_party: FrameReading) -> CannedFootage:
    """Return footage of the small party."""
    return CannedFootage(small_party.image, 0.0, BAM_S, 2.0)


@pytest.fixture
def play_round(small_reader: Reader, file: GameFile, said: list[str], still: CannedFootage) -> PlayRound:
    """Return a function that plays a round with evidence; notices of the keeper are announced."""

    def play(
        cards: Table = CARDS, footage: Footage = still, cue_s: float = BAM_S, judged: Callable[[], object] = list
    ) -> tuple[Referee, EvidenceKeeper, JudgedRound]:
        keeper = EvidenceKeeper(file.folder, said.append)
        tracker = Tracker(small_reader, 2)
        referee = Referee(file, tracker, small_reader, say=str, keeper=keeper, notify=said.append, asks=False)
        if cards:
            referee.record_cards(cards)
        referee.bam("key")
        read = referee.judge(footage, cue_s)
        judged()
        referee.watch(footage)
        return referee, keeper, read

    return play


def test_the_footage_is_buffered_from_the_cue_on(
    play_round: PlayRound, file: GameFile, said: list[str], still: CannedFootage
) -> None:
    footage = ForgetfulCamera(still)

    def move_on() -> None:
        assert footage.asked.wait(20)
        footage.gone = True

    _, keeper, _ = play_round(footage=footage, judged=move_on)
    keeper.finish()
    assert said == []
    assert round_folder(file.folder, 1).replay.is_file()


@pytest.mark.parametrize("take_back", ["dismiss", "undo", "nobody says so"])
def test_a_bam_without_a_camera_deletes_the_evidence_of_the_previous_one(
    play_round: PlayRound, file: GameFile, take_back: str
) -> None:
    referee, keeper, _ = play_round()
    keeper._worker._thread.submit(lambda: None).result()
    kept = round_folder(file.folder, 1)
    assert kept.has_film
    if take_back == "dismiss":
        referee.dismiss()
    elif take_back == "undo":
        referee.undo()
        referee.undo()
    else:
        file.append([Undone()] * 2, "undone", "another program")
    if take_back != "nobody says so":
        assert (referee.judged, kept.folder.exists(), spooled_rounds(file.folder)) == (None, False, ())
    referee.bam("key")
    referee.ask_everybody()
    for player in referee.game.seats:
        referee.correct_pose(player, Pose.parse("CD CD"))
    keeper.finish()
    assert not kept.folder.exists()
    assert spooled_rounds(file.folder) == ()


def test_evidence_has_no_verdict_while_the_cards_are_unknown(play_round: PlayRound, file: GameFile) -> None:
    referee, keeper, _ = play_round(cards=())
    keeper.finish()
    read = round_folder(file.folder, 1).read()
    assert read is not None
    assert (read.verdicts, read.said) == ((), ())
    assert sorted(referee.game.poses) == ["Blue", "Green"]


def test_every_frame_of_the_window_is_kept_with_players_if_it_was_read(
    play_round: PlayRound, small_reader: Reader, file: GameFile
) -> None:
    _, keeper, judged = play_round(cue_s=1.0)
    keeper.finish()
    kept = round_folder(file.folder, 1)
    read = kept.read()
    assert read is not None
    frames = read.frames
    window = Window.around(1.0, small_reader.settings.freeze)
    times_s = [frame.time_s for frame in frames]
    assert times_s == sorted(set(times_s))
    assert len(frames) >= len(window.read_s) - 1
    assert {reading.time_s for reading in judged.readings} <= {frame.time_s for frame in frames if frame.players}
    assert len({frame.file for frame in frames if (kept.folder / frame.file).is_file()}) == len(frames)


def test_an_interrupted_film_is_made_again(
    play_round: PlayRound, file: GameFile, said: list[str], still: CannedFootage
) -> None:
    _, keeper, _ = play_round()
    keeper.finish()
    replay = round_folder(file.folder, 1).replay
    replay.unlink()
    again = EvidenceKeeper(file.folder, said.append)
    again.retry_film(1, None)
    assert said == ["Round 1 has no replay: the program ended while it was being written, and its pictures are gone."]
    again.retry_film(1, still)
    again.finish()
    assert replay.is_file()
    assert len(said) == 1


@pytest.mark.parametrize(
    ("left", "recorded"),
    [
        ("evidence without a film", True),
        ("held footage alone", False),
        ("damaged footage", False),
        ("damaged pictures", False),
        ("damaged pictures", True),
        ("nothing", True),
        ("nothing", False),
    ],
)
def test_the_evidence_that_a_killed_program_left_is_completed(  # noqa: PLR0913, PLR0917 - fixtures and a row of the table
    play_round: PlayRound,
    small_reader: Reader,
    file: GameFile,
    said: list[str],
    still: CannedFootage,
    left: str,
    *,
    recorded: bool,
) -> None:
    kept = round_folder(file.folder, 1)
    play_round()[1].finish()
    verdicts = file.game.rounds[0].verdicts
    before = kept.read()
    kept.replay.unlink()
    if left != "evidence without a film":
        shutil.rmtree(kept.folder)
    if left.startswith(("held", "damaged")):
        frames = [JpegFrame(pack(frame).content, frame.time_s, AS_IT_IS) for frame in still.frames(0.0, 2.0)]
        held = spool(HeldFootage(FrameRun(frames), None), BAM_S, spool_path(file.folder, 1), lambda: None)
        if left != "held footage alone":
            DAMAGES["version" if left == "damaged footage" else "1 × 1"](held.path)

    keeper = EvidenceKeeper(file.folder, said.append)
    tracker = Tracker(small_reader, 2)
    again = Referee(file, tracker, small_reader, say=pytest.fail, keeper=keeper, notify=said.append, asks=False)
    again.finish_evidence(lambda _: (still, BAM_S) if recorded else None)
    keeper.finish()
    assert file.game.rounds[0].verdicts == verdicts
    if recorded or left == "held footage alone":
        assert said == []
        assert kept.has_film
        after = kept.read()
        assert before is not None
        assert after is not None
        assert (after.cue_s, after.players, after.said) == (before.cue_s, before.players, before.said)
        assert [verdict.pose for verdict in after.verdicts] == [verdict.pose for verdict in before.verdicts]
        assert spooled_rounds(file.folder) == ((1,) if left == "damaged pictures" else ())
    else:
        assert [line.partition(":")[0] for line in said] == ["Round 1 has no replay"]
