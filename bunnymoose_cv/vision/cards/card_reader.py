"""Entry point of card reading: one image → the cards on its places."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.vision.cards.card_reading import CardsReading, RememberedPlaces
    from bunnymoose_cv.vision.cards.deal import DealKnowledge
    from bunnymoose_cv.vision.cards.enrolment import Enrolment


class CardReader:
    """Reader of the cards of one enrolled deck; building it prepares the features (seconds), reading is reentrant."""

    def __init__(self, enrolment: Enrolment) -> None:
        self._enrolment = enrolment

    def read(
        self, image: Picture, remembered: RememberedPlaces | None = None, deal: DealKnowledge | None = None
    ) -> CardsReading:
        """Read the cards in an image.

        Args:
            image: upright, blue-green-red, any size; it is scaled down to 2048 pixels.
            remembered: places of an earlier image of the same camera, used where no mat is seen.
            deal: what is known of the deal.
        """
        raise NotImplementedError
