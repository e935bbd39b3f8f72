"""Table camera: a second camera, or a phone as a stream, for the cards as they are laid."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final, Self

import cv2
import numpy as np

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.session.card_photo import HUNTER_FACE
from bunnymoose_cv.session.laid_card_detector import LaidCardDetector, LaidCardResult
from bunnymoose_cv.session.new_frames import NewFrames
from bunnymoose_cv.session.table_card_reader import deal_knowledge
from bunnymoose_cv.session.table_cards import LaidMeanwhileError
from bunnymoose_cv.session.table_cues import BEFORE_BAM
from bunnymoose_cv.vision.cards.still_scene import StillScene

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.frame import Frame, Image
    from bunnymoose_cv.capture.watcher import Watcher
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.game import Game
    from bunnymoose_cv.session.session import Session
    from bunnymoose_cv.session.table_card_reader import TableCardReader
    from bunnymoose_cv.vision.cards.card_reading import CardsReading, RememberedPlaces

STILL_S: Final = 0.3
"""Stillness after which a hand has left."""

LOOKS_S: Final = 0.05
"""Pause between two looks for a new frame."""

TABLE_CAMERA: Final = Phrase("table camera")
"""Author of cards that the camera saw fall, in the game file."""

_MAT_MARGIN: Final = 0.8
"""Margin of the mat around the row of places, in card heights: there no hunter lies apart."""


class TableCamera:
    """Watch over the piles of a session, from `with` to its end, on a thread of its own.

    Args:
        deck: tells the cards of the open round.
        tell: how people are told that the camera or the reader fails; nothing of it stops the game.
    """

    def __init__(
        self,
        watcher: Watcher,
        reader: TableCardReader,
        session: Session,
        deck: Callable[[Game], Table],
        tell: Callable[[str], None],
    ) -> None:
        self._watcher, self._reader, self._session = watcher, reader, session
        self._deck, self._tell = deck, tell
        self._scene, self._detector = StillScene(), LaidCardDetector()
        self._remembered: RememberedPlaces | None = None
        self._frames = NewFrames(watcher)
        self._told_missed: tuple[int, ...] = ()
        self._told = ""
        self._actor = ActorThread("table camera", self._watch, first_turn_s=LOOKS_S)

    def __enter__(self) -> Self:
        """Open the camera, and begin.

        Raises:
            InputError: it cannot be opened.
        """
        self._watcher.__enter__()
        self._actor.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._actor.stop()
        self._watcher.__exit__()
        self._actor.raise_fault()

    def _watch(self) -> float:
        """Look for a new frame; a reader that fails is told once and tried again with the next frame."""
        frame = self._frames.take()
        if frame is not None:
            try:
                self._look(frame)
            except InputError as error:
                if error.sentence != self._told:
                    self._tell(error.sentence)
                self._told = error.sentence
        return LOOKS_S

    def _look(self, frame: Frame) -> None:
        """Read a frame where the table is still and more frames can tell more."""
        if self._scene.seconds(frame.image, frame.time_s) < STILL_S:
            self._detector.moved()
            return
        game = self._session.state.game
        if game.phase not in BEFORE_BAM or self._detector.settled:
            return
        next_pile = game.laid % game.rules.piles + 1
        deal = deal_knowledge(self._deck(game), next_place=next_pile)
        reading = self._reader.read(frame.image, deal, self._remembered)
        if reading.mat_found:  # without it only those places are known that have a card already
            self._remembered = reading.remembered or self._remembered
        laid = self._detector.take(reading, game.rules.piles, dict(enumerate(game.table, 1)), next_pile)
        self._tell_session(laid, game, frame.time_s)
        if reading.mat_found and not game.first_pass and not laid.hunter and self._sees_hunter(frame, reading):
            self._session.expect_bam(frame.time_s)

    def _tell_session(self, laid: LaidCardResult, game: Game, time_s: float) -> None:
        if laid.card is not None:
            with suppress(LaidMeanwhileError):  # the next frames show if this card is another one
                self._session.lay((laid.card,), TABLE_CAMERA, after=game.laid).result()
            self._detector.moved()  # the next pile is another one
        if laid.missed and laid.missed != self._told_missed:
            piles = ", ".join(map(str, laid.missed))
            self._tell(Phrase("The table camera missed a card on pile {piles}: tell which lie.", piles=piles))
        self._told_missed = laid.missed
        if laid.hunter and not game.first_pass:
            self._session.expect_bam(time_s)

    def _sees_hunter(self, frame: Frame, reading: CardsReading) -> bool:
        """Look for a hunter beside the mat, whose own places are all that is read on it."""
        beside = self._reader.read(_without_mat(frame.image, reading))
        return any(place.face == HUNTER_FACE for place in beside.places)


def _without_mat(image: Image, reading: CardsReading) -> Image:
    """Paint the mat over, in the colour around it."""
    corners = np.concatenate([place.corners_px for place in reading.places])
    box = cv2.minAreaRect(corners)
    (x, y), (width, height), angle = box
    margin = 2 * _MAT_MARGIN * min(width, height)
    outline = cv2.boxPoints(((x, y), (width + margin, height + margin), angle))
    colour = np.median(image[:8].reshape(-1, 3), axis=0)
    painted = image.copy()
    cv2.fillConvexPoly(painted, outline.astype(np.int32), colour.tolist())
    return painted
