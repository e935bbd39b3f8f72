"""Fast reader of printed cards on the mat by their markers, for tests of the use of readings."""

import cv2
import numpy as np

from bunnymoose_cv.capture.frame import Image
from bunnymoose_cv.rules.deck import face_numbers, load_deck
from bunnymoose_cv.session.cards.table_card_reader import TableCardReader
from bunnymoose_cv.vision.cards.card_reading import (
    CardCandidate,
    CardFaceId,
    CardsReading,
    PlaceReading,
    PlaceState,
    RememberedPlaces,
)
from bunnymoose_cv.vision.cards.deal import DealKnowledge
from bunnymoose_cv.vision.cards.enrolment import Enrolment
from bunnymoose_cv.vision.cards.mat import CARD_SIZE_MM, MARKER_DICTIONARY, mat_of

PX_PER_MM = 4.0
INK = 25.0
"""Standard deviation of grey levels above which a place is not empty."""


class MarkerReader(TableCardReader):
    """Reader by markers; a card with a damaged marker is unsure between the last and the first face."""

    def __init__(self) -> None:
        super().__init__(Enrolment)
        self._faces = [CardFaceId(str(card)) for card in face_numbers(load_deck("second"))]
        self._detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(MARKER_DICTIONARY))

    def open_soon(self) -> None:
        """Do nothing, since there are no models to open."""

    def read(
        self, image: Image, deal: DealKnowledge | None = None, remembered: RememberedPlaces | None = None
    ) -> CardsReading:
        del deal, remembered
        corners, ids, _ = self._detector.detectMarkers(image)
        found = (
            {} if ids is None else {int(marker): corner for marker, corner in zip(ids.flatten(), corners, strict=True)}
        )
        mat = mat_of(6)
        size = (image.shape[1], image.shape[0])
        if any(marker.id not in found for marker in mat.markers):
            return CardsReading((), size, mat_found=False)
        flat = np.concatenate([marker.square.corners for marker in mat.markers])
        seen = np.concatenate([found[marker.id].reshape(4, 2) for marker in mat.markers])
        turn = cv2.findHomography(flat, seen)[0]
        places = []
        for number, place in enumerate(mat.places, 1):
            quad = cv2.perspectiveTransform(place.corners[None], turn)[0].astype(np.float32)
            here = [
                marker
                for marker, corner in found.items()
                if marker < len(self._faces)
                and cv2.pointPolygonTest(quad, corner.reshape(4, 2).mean(axis=0).tolist(), False) > 0
            ]
            places.append(self._place(number, quad, here, image))
        return CardsReading(tuple(places), size, mat_found=True)

    def _place(self, number: int, quad: np.ndarray, here: list[int], image: Image) -> PlaceReading:
        if here:
            return PlaceReading(number, quad, PlaceState.CARD, (CardCandidate(self._faces[here[0]], 1.0),))
        width, height = (round(side * PX_PER_MM) for side in CARD_SIZE_MM)
        flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
        crop = cv2.warpPerspective(image, cv2.getPerspectiveTransform(quad, flat), (width, height))
        if float(crop[20:-20, 20:-20].std()) < INK:
            return PlaceReading(number, quad, PlaceState.EMPTY)
        two = (CardCandidate(self._faces[-1], 0.6), CardCandidate(self._faces[0], 0.4))
        return PlaceReading(number, quad, PlaceState.UNSURE, two)
