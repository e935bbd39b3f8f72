"""Decision on one place, by two readers of an aligned crop and a printed marker: a card, candidates, or no card."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from bunnymoose_cv.vision.cards import hog_lda, templates
from bunnymoose_cv.vision.cards.card_alignment import SCALE, GridAlignment, KeypointIndex
from bunnymoose_cv.vision.cards.card_frame import (
    CROP_SIZE,
    FRAME_CORNERS,
    Corners,
    Homography,
    from_frame,
    moved,
    rectified,
)
from bunnymoose_cv.vision.cards.card_markers import CardMarkers
from bunnymoose_cv.vision.cards.card_reading import CardCandidate, PlaceReading, PlaceState
from bunnymoose_cv.vision.cards.card_settings import DECISION, MATCHING
from bunnymoose_cv.vision.cards.retake_cause import cause_of_unsure, cause_without_card, is_plain

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_reading import CardFaceId
    from bunnymoose_cv.vision.cards.enrolment import EnrolledCard

_ALIGNED_TIMES: Final = 2
"""Number of alignments. In a coarse place only one corner may match; a second look from there sees the whole card."""


@dataclass(frozen=True, slots=True, eq=False)
class _Reading:
    """Answers of both readers for one alignment. Faces are given by index.

    Attributes:
        correlation: correlation with the likeliest face.
        first: the likeliest face by the first reader, which wins every pair comparison.
        second: the likeliest face by the second reader.
        pairs: comparison of the first face with each runner-up.
        blur: blur of the templates that fit best, pixels of an aligned crop.
    """

    frame_to_image: Homography
    correlation: float
    first: int
    second: int
    pairs: Mapping[int, templates.PairComparison]
    probabilities: npt.NDArray[np.float64]
    blur: float

    @property
    def margin(self) -> float:
        """Smallest lead of the first face in any pair comparison."""
        return min((pair.margin for pair in self.pairs.values()), default=1.0)

    @property
    def worst_fit(self) -> float:
        """Smallest correlation of the first face in any pair comparison."""
        return min((pair.first for pair in self.pairs.values()), default=1.0)

    def is_card(self, least: float) -> bool:
        """Return whether a card of the deck lies there: it correlates well, or both readers name the same face."""
        agreed = self.first == self.second or self.correlation >= DECISION.sure
        return agreed and self.correlation >= least

    @property
    def is_sure(self) -> bool:
        """Return whether the card counts without a question."""
        fits = min(self.correlation, self.worst_fit) >= DECISION.sure
        return self.first == self.second and fits and self.margin >= DECISION.margin

    def agrees_with_marker(self, marked: int) -> bool:
        """Return whether a card counts by its marker: the artwork agrees, or cannot distinguish it from its twin."""
        if self.correlation < DECISION.sure:
            return False
        return marked == self.first or (marked in self.pairs and self.pairs[marked].margin < DECISION.margin)


class CardClassifier:
    """Readers of one place, prepared for the faces of an enrolment."""

    def __init__(self, faces: Sequence[EnrolledCard]) -> None:
        crops = [enrolled.crop for enrolled in faces]
        self._faces = tuple(enrolled.face for enrolled in faces)
        self.keypoints = KeypointIndex(crops)
        self._markers = CardMarkers([enrolled.marker for enrolled in faces])
        self._grid = GridAlignment(crops)
        self._templates = templates.CardTemplates(crops, [enrolled.marker is not None for enrolled in faces])
        self._discriminant = hog_lda.HogLda(crops)

    def read(
        self,
        image: Image,
        place: int,
        corners_px: Corners,
        possible: Collection[CardFaceId] | None = None,
        least: float = DECISION.card,
    ) -> PlaceReading:
        """Read one place.

        Args:
            corners_px: approximate corners of a card lying there straight, either way up.
            possible: the faces that may lie there; None for all.
            least: correlation with the likeliest face below which it is not a card of the deck.
        """
        onto = from_frame(corners_px)
        allowed = np.array([possible is None or face in possible for face in self._faces])
        reading = self._read(image, onto, allowed)
        if reading is not None and reading.is_card(least):
            return self._answer(image, place, reading, allowed)
        if is_plain(image, onto):
            return PlaceReading(place, corners_px, PlaceState.EMPTY)
        return PlaceReading(place, corners_px, PlaceState.COVERED, (), cause_without_card(image, onto))

    def _read(self, image: Image, onto: Homography, allowed: npt.NDArray[np.bool_]) -> _Reading | None:
        """Align by keypoints if they match, and by the grid unless that is sure, and return the better reading."""
        if not allowed.any():
            return None
        reading = None
        for _ in range(_ALIGNED_TIMES):
            start = onto if reading is None else reading.frame_to_image
            matched = self.keypoints.align(rectified(image, start, SCALE, MATCHING.place_margin), MATCHING.place_margin)
            if matched is None:
                break
            reading = self._compare_at(image, start @ matched.onto, allowed)
            if reading.correlation >= DECISION.sure:
                return reading
        by_grid = self._compare_at(image, self._grid.align(image, onto, MATCHING.place_margin), allowed)
        return by_grid if reading is None or by_grid.correlation > reading.correlation else reading

    def _compare_at(self, image: Image, onto: Homography, allowed: npt.NDArray[np.bool_]) -> _Reading:
        flat = templates.flattened(rectified(image, onto, templates.SIZE[0] / CROP_SIZE[0]))
        correlations, blur = self._templates.correlations(flat)
        correlations = np.where(allowed, correlations, -1)
        likeliest = np.argsort(-correlations)[: DECISION.compared]
        first, pairs = self._compare_pairs(flat, [int(face) for face in likeliest if allowed[face]], blur)
        scores = self._discriminant.scores(rectified(image, onto, hog_lda.SIZE[0] / CROP_SIZE[0]))
        scores = np.where(allowed, scores, scores.min() - 100)
        return _Reading(
            onto,
            float(correlations.max()),
            first,
            int(scores.argmax()),
            pairs,
            _probabilities(first, pairs, scores, allowed),
            blur,
        )

    def _compare_pairs(
        self, flat: npt.NDArray[np.float32], faces: Sequence[int], blur: float
    ) -> tuple[int, dict[int, templates.PairComparison]]:
        """Compare the likeliest face with each other one. A face that beats it replaces it, once."""

        def compare_with_others(face: int) -> dict[int, templates.PairComparison]:
            return {other: self._templates.compare_pair(flat, face, other, blur) for other in faces if other != face}

        pairs = compare_with_others(faces[0])
        stronger = min(pairs, key=lambda face: pairs[face].margin, default=faces[0])
        if not pairs or pairs[stronger].margin >= 0:
            return faces[0], pairs
        return stronger, compare_with_others(stronger)

    def _answer(self, image: Image, place: int, reading: _Reading, allowed: npt.NDArray[np.bool_]) -> PlaceReading:
        """Return the answer for a card. A visible marker may confirm it, decide between twins, or make it unsure."""
        corners = moved(FRAME_CORNERS, reading.frame_to_image)
        marked = self._markers.read(image, reading.frame_to_image)
        if marked is None and reading.is_sure:
            return PlaceReading(place, corners, PlaceState.CARD, self._candidates(reading.probabilities)[:1])
        if marked is not None and allowed[marked] and reading.agrees_with_marker(marked):
            return PlaceReading(place, corners, PlaceState.CARD, (CardCandidate(self._faces[marked], 1.0),))
        probabilities = reading.probabilities
        if marked is not None and allowed[marked]:
            probabilities = (probabilities + np.eye(len(probabilities))[marked]) / 2
        likeliest = self._templates.face(reading.first, reading.blur)
        cause = cause_of_unsure(image, reading.frame_to_image, likeliest, reading.blur)
        return PlaceReading(place, corners, PlaceState.UNSURE, self._candidates(probabilities), cause)

    def _candidates(self, probabilities: npt.NDArray[np.float64]) -> tuple[CardCandidate, ...]:
        """Return the likeliest faces, at least two."""
        order = np.argsort(-probabilities)
        return tuple(
            CardCandidate(self._faces[index], float(probabilities[index]))
            for rank, index in enumerate(map(int, order[: DECISION.most_candidates]))
            if probabilities[index] > (0 if rank < 2 else DECISION.least_probability)
        )


def _probabilities(
    first: int,
    pairs: Mapping[int, templates.PairComparison],
    scores: npt.NDArray[np.float32],
    allowed: npt.NDArray[np.bool_],
) -> npt.NDArray[np.float64]:
    """Return the probabilities of the allowed faces, from the leads of the pair comparisons and the discriminant."""
    evidence = np.full(len(scores), -8.0)
    evidence += np.clip((scores - scores.max()) * 0.1, -6, 0)
    evidence[first] += 8.0
    for runner_up, pair in pairs.items():
        evidence[runner_up] += 8.0 - min(30.0 * pair.margin, 8.0)
    weights = np.exp(evidence - evidence.max()) * allowed
    return np.asarray(weights / weights.sum(), np.float64)
