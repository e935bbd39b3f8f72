"""Card reader of the table, opened with the enrolled deck at the first use."""

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
    """Thread-safe reader of images of the cards; `enrolment` opens the deck of the game."""

    def __init__(self, enrolment: Callable[[], Enrolment]) -> None:
        self._enrolment = enrolment
        self._opening = Lock()
        self._reader: CardReader | None = None

    def read(
        self, image: Image, deal: DealKnowledge | None = None, remembered: RememberedPlaces | None = None
    ) -> CardsReading:
        """Read an image like `CardReader.read`; raise an `InputError` if the enrolled deck cannot be read."""
        return self._open_once().read(image, remembered, deal)

    def open_soon(self) -> None:
        """Open the deck in the background, since that takes seconds, so that Bam does not wait for it."""
        if self._reader is None and not self._opening.locked():
            # No actor thread: a single call needs none, and an earlier user of the deck waits for the lock.
            Thread(target=self._open_quietly, name="card reader", daemon=True).start()

    def forget(self) -> None:
        """Forget the deck, since its enrolment has changed."""
        with self._opening:
            self._reader = None

    def _open_quietly(self) -> None:
        with suppress(InputError):  # reported with the next photograph
            self._open_once()

    def _open_once(self) -> CardReader:
        with self._opening:
            if self._reader is None:
                self._reader = CardReader(self._enrolment())
            return self._reader


def deal_knowledge(deck: Table, known_cards: Table = (), next_place: int | None = None) -> DealKnowledge:
    """Return the knowledge of the deal: the entered cards, from pile 1 on, and the only pile that may change."""
    copies = Counter(CardFaceId(str(card)) for card in deck)
    known = {pile: KnownCard(CardFaceId(str(card)), entered=True) for pile, card in enumerate(known_cards, 1)}
    return DealKnowledge(copies, known, next_place=next_place)
