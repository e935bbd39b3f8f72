"""Card reader of this table, opened with the enrolled deck when it is first needed."""

from __future__ import annotations

from collections import Counter
from contextlib import suppress
from threading import Lock, Thread
from typing import TYPE_CHECKING

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.vision.cards.card_reader import CardReader
from bunnymoose_cv.vision.cards.card_reading import CardFaceId
from bunnymoose_cv.vision.cards.deal import DealKnowledge, KnownCard

if TYPE_CHECKING:
    from collections.abc import Callable

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.vision.cards.card_reading import CardsReading, RememberedPlaces
    from bunnymoose_cv.vision.cards.enrolment import Enrolment


class TableCardReader:
    """Thread-safe reader of images of the cards.

    Args:
        enrolment: opens the deck that is played with.
    """

    def __init__(self, enrolment: Callable[[], Enrolment]) -> None:
        self._enrolment = enrolment
        self._opening = Lock()
        self._reader: CardReader | None = None

    def read(
        self, image: Image, deal: DealKnowledge | None = None, remembered: RememberedPlaces | None = None
    ) -> CardsReading:
        """Read an image; see `CardReader.read`.

        Raises:
            InputError: the enrolled deck cannot be read.
        """
        return self._open_once().read(image, remembered, deal)

    def open_soon(self) -> None:
        """Open the deck on a thread of its own: that takes seconds, and nobody waits for it at Bam then."""
        if self._reader is None and not self._opening.locked():
            # No actor thread: one call that nobody waits for; who needs the deck before waits for the lock.
            Thread(target=self._open_quietly, name="card reader", daemon=True).start()

    def forget(self) -> None:
        """Open the deck anew: it was enrolled anew."""
        with self._opening:
            self._reader = None

    def _open_quietly(self) -> None:
        with suppress(InputError):  # said when a photograph comes
            self._open_once()

    def _open_once(self) -> CardReader:
        with self._opening:
            if self._reader is None:
                self._reader = CardReader(self._enrolment())
            return self._reader


def deal_knowledge(deck: Table, told: Table = (), next_place: int | None = None) -> DealKnowledge:
    """Knowledge of the deal, for the reader.

    Args:
        told: the cards that people told, from pile 1 on.
        next_place: the only pile that can have changed since.
    """
    copies = Counter(CardFaceId(str(card)) for card in deck)
    known = {pile: KnownCard(CardFaceId(str(card)), told=True) for pile, card in enumerate(told, 1)}
    return DealKnowledge(copies, known, next_place=next_place)
