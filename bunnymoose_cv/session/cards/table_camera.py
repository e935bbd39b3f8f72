"""Table camera: a second camera, or the stream of a phone, that detects laid cards by votes of still frames."""

from __future__ import annotations

from collections import Counter, deque
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

import cv2
import numpy as np

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.cards import HunterCard, parse_card
from bunnymoose_cv.rules.game import BEFORE_BAM
from bunnymoose_cv.session.cards.card_photo import HUNTER_FACE, hunters_apart
from bunnymoose_cv.session.cards.table_card_reader import deal_knowledge
from bunnymoose_cv.session.play.table_cards import LaidMeanwhileError
from bunnymoose_cv.session.source_actor import NewFrames
from bunnymoose_cv.vision.cards.card_settings import WATCHING
from bunnymoose_cv.vision.motion import StillScene

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.capture.watcher import Watcher
    from bunnymoose_cv.rules.cards import Card, Table
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.cards.table_card_reader import TableCardReader
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.vision.cards.card_reading import CardsReading, RememberedPlaces

APART = 0
"""Number of the question about the hunter beside the row; piles begin at 1."""


@dataclass(frozen=True, slots=True)
class LaidCardResult:
    """Findings of the newest frame: the card laid on the next pile, and the piles that changed without their turn.

    `hunter` says whether the hunter lies apart from the row.
    """

    card: Card | None = None
    missed: tuple[int, ...] = ()
    hunter: bool = False


class LaidCardDetector:
    """Vote over the readings of the newest five still frames, of which three must agree about a pile or the hunter."""

    def __init__(self) -> None:
        self._votes: dict[int, deque[Card | None]] = {}

    @property
    def settled(self) -> bool:
        """Return whether further frames of the same still table would add nothing."""
        return max(map(len, self._votes.values()), default=0) >= WATCHING.frames

    def moved(self) -> None:
        """Clear the votes of earlier frames, since a hand moved."""
        self._votes.clear()

    def take(self, reading: CardsReading, piles: int, known: Mapping[int, Card], next_pile: int) -> LaidCardResult:
        """Add the reading of a frame, given the top card of each pile that has one."""
        apart, row = hunters_apart(reading, piles)
        votes = {number: None if face is None else parse_card(face) for number, face in row.items()}
        for number, card in {**votes, APART: HunterCard() if apart else None}.items():
            self._votes.setdefault(number, deque(maxlen=WATCHING.frames)).append(card)
        agreed = {}
        for number, cards in self._votes.items():
            card, times = Counter(cards).most_common(1)[0]
            if card is not None and times >= WATCHING.agreeing:
                agreed[number] = card
        others = {number: card for number, card in agreed.items() if number != APART and card != known.get(number)}
        fell = others.pop(next_pile, None)
        return LaidCardResult(fell, tuple(sorted(others)), hunter=APART in agreed)


STILL_S: Final = 0.3
"""Stillness after which a hand has left, seconds."""

LOOKS_S: Final = 0.05

TABLE_CAMERA: Final = Phrase("table camera")
"""Author of cards that the camera saw, in the game file."""

_MAT_MARGIN: Final = 0.8
"""Margin of the mat around the row of places, in card heights; a hunter apart lies outside it."""


class TableCamera:
    """Watch over the piles of a session, from `with` to its end, on a thread of its own.

    `deck` returns the cards of the open round. A failure of the camera or the reader is reported by `notify`, and does
    not stop the game.
    """

    def __init__(
        self,
        watcher: Watcher,
        reader: TableCardReader,
        session: Session,
        deck: Callable[[Game], Table],
        notify: Callable[[str], None],
    ) -> None:
        self._watcher, self._reader, self._session = watcher, reader, session
        self._deck, self._notify = deck, notify
        self._scene, self._detector = StillScene(), LaidCardDetector()
        self._remembered: RememberedPlaces | None = None
        self._frames = NewFrames(watcher)
        self._reported_missed: tuple[int, ...] = ()
        self._reported = ""
        self._actor = ActorThread("table camera", self._watch, first_turn_s=LOOKS_S)

    def __enter__(self) -> Self:
        """Open the camera and start; raise an `InputError` if it cannot be opened."""
        self._watcher.__enter__()
        self._actor.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._actor.stop()
        self._watcher.__exit__()
        self._actor.raise_fault()

    def _watch(self) -> float:
        """Look for a new frame; a failure of the reader is reported once, and the next frame is tried."""
        frame = self._frames.take()
        if frame is not None:
            try:
                self._look(frame)
            except InputError as error:
                if error.sentence != self._reported:
                    self._notify(error.sentence)
                self._reported = error.sentence
        return LOOKS_S

    def _look(self, frame: Frame) -> None:
        """Read a frame if the table is still and more frames can add something."""
        if self._scene.seconds(frame.image, frame.time_s) < STILL_S:
            self._detector.moved()
            return
        game = self._session.state.game
        if game.phase not in BEFORE_BAM or self._detector.settled:
            return
        next_pile = game.laid % game.rules.piles + 1
        deal = deal_knowledge(self._deck(game), next_place=next_pile)
        reading = self._reader.read(frame.image, deal, self._remembered)
        if reading.mat_found:  # without it, only places with a card are known
            self._remembered = reading.remembered or self._remembered
        laid = self._detector.take(reading, game.rules.piles, dict(enumerate(game.table, 1)), next_pile)
        self._submit(laid, game, frame.time_s)
        if reading.mat_found and not game.first_pass and not laid.hunter and self._sees_hunter(frame, reading):
            self._session.expect_bam(frame.time_s)

    def _submit(self, laid: LaidCardResult, game: Game, time_s: float) -> None:
        if laid.card is not None:
            with suppress(LaidMeanwhileError):  # the next frames show whether this card is another one
                self._session.submit_cards((laid.card,), TABLE_CAMERA, after=game.laid).result()
            self._detector.moved()  # the next pile is another one
        if laid.missed and laid.missed != self._reported_missed:
            piles = ", ".join(map(str, laid.missed))
            self._notify(Phrase("The table camera missed a card on pile {piles}: enter the cards.", piles=piles))
        self._reported_missed = laid.missed
        if laid.hunter and not game.first_pass:
            self._session.expect_bam(time_s)

    def _sees_hunter(self, frame: Frame, reading: CardsReading) -> bool:
        """Return whether a hunter lies beside the mat, on which only the places are read."""
        beside = self._reader.read(_without_mat(frame.image, reading))
        return any(place.face == HUNTER_FACE for place in beside.places)


def _without_mat(image: Image, reading: CardsReading) -> Image:
    """Return an image in which the mat is painted over with the colour around it."""
    corners = np.concatenate([place.corners_px for place in reading.places])
    box = cv2.minAreaRect(corners)
    (x, y), (width, height), angle = box
    margin = 2 * _MAT_MARGIN * min(width, height)
    outline = cv2.boxPoints(((x, y), (width + margin, height + margin), angle))
    colour = np.median(image[:8].reshape(-1, 3), axis=0)
    painted = image.copy()
    cv2.fillConvexPoly(painted, outline.astype(np.int32), colour.tolist())
    return painted
