"""Table camera: a hand lays cards on a rendered mat, one by one."""

from threading import Semaphore
from typing import Any

import cv2
import numpy as np
import pytest

from bunnymoose_cv.capture.frame import Frame, Image
from bunnymoose_cv.capture.image_geometry import View
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.cues.cue import Maker
from bunnymoose_cv.rules.cards import HunterCard, parse_card, parse_table
from bunnymoose_cv.rules.game import Phase
from bunnymoose_cv.session.cards.table_camera import TABLE_CAMERA, LaidCardDetector, TableCamera
from bunnymoose_cv.session.cards.table_card_reader import TableCardReader
from bunnymoose_cv.session.session import Session
from bunnymoose_cv.vision.cards.card_reading import CardsReading, PlaceReading
from bunnymoose_cv.vision.motion import StillScene
from tests.unit.session.cards.test_card_photo import place
from tests.unit.session.conftest import Watch
from tests.unit.session.playing import StillCamera, done
from tests.unit.web.marker_reader import MarkerReader
from tests.unit.web.photographs import laid_out, photograph, printed_card
from tests.unit.web.serving import enrolled

CARDS = parse_table("L.WU+2 B.CD+1 REVERSE R.?D+2 MOOSE+2 RABBIT-2")


class Row:
    """Row of piles with known cards, read by a detector."""

    def __init__(self, *known: str) -> None:
        self.falling = LaidCardDetector()
        self.known = dict(enumerate(known, 1))

    def frames(self, times: int, *places: PlaceReading, next_pile: int) -> list[str]:
        """Return the findings of some frames: the card, missed piles, the hunter."""
        known = {pile: parse_card(card) for pile, card in self.known.items()}
        reported = []
        for _ in range(times):
            fallen = self.falling.take(CardsReading(places, (1000, 600), mat_found=False), 6, known, next_pile)
            reported.append(f"{fallen.card} {fallen.missed} {fallen.hunter}")
        return reported


def test_a_change_on_the_next_pile_is_laid_and_one_elsewhere_was_missed() -> None:
    row = Row()
    assert row.frames(3, place(1, "HUNTER"), next_pile=1) == ["None () False"] * 2 + ["HUNTER () False"]
    row.known[1] = "HUNTER"
    row.falling.moved()
    assert row.frames(3, place(1, "REVERSE"), place(2, "MOOSE+2"), next_pile=2)[-1] == "MOOSE+2 (1,) False"
    row.falling.moved()
    assert row.frames(5, place(1, "HUNTER"), place(2, "MOOSE+1", "MOOSE+2"), next_pile=2)[-1] == "None () False"
    assert row.falling.settled


def test_three_of_five_frames_must_agree() -> None:
    row = Row()
    faces = (("HUNTER",), ("HUNTER", "REVERSE"), ("REVERSE",), ("HUNTER",), ("HUNTER",))
    found = [row.frames(1, place(1, *face), next_pile=1)[0] for face in faces]
    assert found == ["None () False"] * 4 + ["HUNTER () False"]
    row.falling.moved()
    assert not row.falling.settled
    assert row.frames(1, place(1, "HUNTER"), next_pile=1) == ["None () False"]


def test_piles_are_voted_on_separately_over_recent_frames() -> None:
    row = Row()
    faces = ("REVERSE", *("MOOSE+2",) * 5)
    found = [row.frames(1, place(1, "HUNTER"), place(2, face), next_pile=2)[0] for face in faces]
    assert found[2] == "None (1,) False"
    assert found[-1] == "MOOSE+2 (1,) False"
    assert row.falling.settled


def test_the_hunter_apart_from_the_row_is_seen() -> None:
    row = Row(*map(str, CARDS))
    piles = [place(number, str(card)) for number, card in enumerate(CARDS, 1)]
    assert row.frames(3, *piles, next_pile=1)[-1] == "None () False"
    row.falling.moved()
    assert row.frames(3, *piles, place(7, "HUNTER", at=(380, 40)), next_pile=1)[-1] == "None () True"


@pytest.mark.parametrize("shift", [0, 25])
def test_a_hand_is_a_movement_but_noise_and_exposure_are_not(shift: int) -> None:
    random = np.random.default_rng(3)
    scene, table = StillScene(), cv2.resize(photograph(CARDS), (1024, 576)).astype(np.uint8)

    def noisy(image: Image, brighter: int = 0) -> Image:
        noise = random.normal(brighter, 6, image.shape)
        return np.clip(image // 2 + 40 + noise, 0, 255).astype(np.uint8)

    assert scene.seconds(noisy(table), 1.0) == 0
    assert scene.seconds(noisy(table, shift), 2.0) == 1.0
    assert scene.seconds(noisy(with_hand(table, 400)), 3.0) == 0
    assert scene.seconds(noisy(with_hand(table, 430)), 4.0) == 0


def with_hand(image: Image, x: int) -> Image:
    hand = image.copy()
    width, height = image.shape[1] // 17, image.shape[0] // 3
    cv2.ellipse(hand, (x, 2 * height), (width, height), 10, 0, 360, (120, 150, 200), -1)
    return hand


class Table(StillCamera):
    """Camera over a table, which a moving hand may cover."""

    def __init__(self) -> None:
        super().__init__(photograph(()), 0.1)
        self.is_covered = False
        self.looked = Semaphore(0)

    def newest(self) -> Frame | None:
        frame = super().newest()
        self.looked.release()
        if frame is None or not self.is_covered:
            return frame
        return Frame(with_hand(frame.image, 300 + 40 * (self.looks % 20)), frame.time_s)


def test_every_card_of_the_deal_is_recognised_when_it_is_laid(session: Session, watch: Watch) -> None:
    seen, table = watch(session), Table()
    watcher: Any = table
    with TableCamera(watcher, MarkerReader(), session, lambda _: CARDS, pytest.fail):
        for count in range(1, 3):
            table.is_covered, table.image = True, photograph(CARDS[:count])
            for _ in range(10):
                assert table.looked.acquire(timeout=30.0)
            assert session.state.game.laid == count - 1, "nothing is read below a hand"
            table.is_covered = False
            seen.until(lambda state: state.game.laid >= count)  # noqa: B023 - called before the next one
            assert session.state.game.table == CARDS[:count]
    laid = [entry.who for entry in session.state.entries][1:]
    assert laid == [TABLE_CAMERA] * 2


def test_a_seen_hunter_becomes_bam_only_by_a_press(session: Session) -> None:
    done(session.expect_bam(10.0))
    assert not session.state.hunter, "in the first pass a hunter is a card like any other"
    done(session.submit_cards(CARDS[:1], "people"))
    done(session.expect_bam(10.0))
    assert not session.state.hunter, "nor once the deal has begun"
    done(session.submit_cards(CARDS, "people"))
    done(session.expect_bam(10.0))
    assert session.state.hunter
    assert session.state.game.phase is Phase.DEALING
    done(session.bam(Maker.KEY, "screen"))
    assert not session.state.hunter
    assert session.state.game.phase is Phase.FROZEN


def test_the_hunter_beside_the_mat_announces_bam(session: Session) -> None:
    done(session.submit_cards(CARDS, "people"))
    reader = TableCardReader(lambda: enrolled((*CARDS, HunterCard())))
    camera = TableCamera(NO_WATCHER, reader, session, lambda _: (*CARDS, HunterCard()), pytest.fail)
    table = photograph(CARDS)
    look_at(camera, table, 1.0)
    done(session.pause(False))
    assert not session.state.hunter
    card = cv2.resize(printed_card(HunterCard()), (126, 176))
    table[960:1136, 950:1076] = card
    look_at(camera, table, 3.0)
    done(session.pause(False))
    assert session.state.hunter
    assert session.state.game.table == CARDS
    assert session.state.game.phase is Phase.DEALING


def test_without_a_mat_the_next_card_is_searched_for(session: Session) -> None:
    reader = TableCardReader(lambda: enrolled(CARDS))
    camera = TableCamera(NO_WATCHER, reader, session, lambda _: CARDS, pytest.fail)
    done(session.submit_cards(CARDS[:1], "people"))
    for look in range(3):
        look_at(camera, laid_out(CARDS[:2]), 10.0 + look)
    assert session.state.game.table == CARDS[:2]


class SlowReader(MarkerReader):
    """Reader during whose third frame a phone enters the card that the frame shows."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session, self._frames = session, 0

    def read(self, *arguments: Any) -> CardsReading:
        self._frames += 1
        if self._frames == 3:
            done(self._session.submit_cards(CARDS[:1], "phone"))
        return super().read(*arguments)


def test_a_card_entered_during_a_reading_is_laid_once(session: Session) -> None:
    camera = TableCamera(NO_WATCHER, SlowReader(session), session, lambda _: CARDS, pytest.fail)
    for count in (1, 2):
        for since_s in (2.0 * count, 2.0 * count + 1):
            look_at(camera, photograph(CARDS[:count]), since_s)
        assert session.state.game.table == CARDS[:count]


def test_a_failing_reader_is_reported_once_per_reason(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = iter(map(InputError, ("no deck", "no deck", "no memory")))

    def read(*_: object) -> CardsReading:
        raise next(faults)

    reported, reader = list[str](), MarkerReader()
    monkeypatch.setattr(reader, "read", read)
    camera = TableCamera(NO_WATCHER, reader, session, lambda _: CARDS, reported.append)
    frames = [Frame(photograph(()), float(time_s)) for time_s in range(4)]  # the first is not a still scene yet
    monkeypatch.setattr(camera._frames, "take", lambda: frames.pop(0))
    while frames:
        camera._watch()
    assert reported == ["no deck", "no memory"]


NO_WATCHER = Watcher("nowhere", View.of(load_settings().camera), load_settings().camera)
"""Watcher that is never opened, since the tests supply the frames."""


def look_at(camera: TableCamera, image: Image, since_s: float) -> None:
    """Show the same still table in two frames."""
    for time_s in (since_s, since_s + 0.5):
        camera._look(Frame(image, time_s))
