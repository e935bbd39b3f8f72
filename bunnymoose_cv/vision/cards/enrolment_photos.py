"""Enrolment photographs: finding cards by their outlines or on the mat, grouping equal ones, and proposing faces.

Two crops are equal if they show the same face, in any light and either way up.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Self

import cv2
import numpy as np

from bunnymoose_cv.vision.cards import templates
from bunnymoose_cv.vision.cards.card_classifier import CardClassifier
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, from_frame, rectified
from bunnymoose_cv.vision.cards.card_markers import find_mat
from bunnymoose_cv.vision.cards.card_settings import ENROLMENT
from bunnymoose_cv.vision.cards.enrolment import CardProposal, Enrolment
from bunnymoose_cv.vision.cards.free_search import find_outlines
from bunnymoose_cv.vision.geometry import shrink

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_frame import Corners
    from bunnymoose_cv.vision.cards.card_reading import CardCandidate


_EDGE: Final = 6
_HALF: Final = np.diag([0.5, 0.5, 1.0])
_STOP: Final = (cv2.TERM_CRITERIA_COUNT | cv2.TERM_CRITERIA_EPS, 40, 1e-4)


@dataclass(frozen=True, slots=True, eq=False)
class CardLook:
    """Enrolment crop, prepared for comparison with others.

    Attributes:
        flat: the crop without its illumination, shape (176, 126, 3).
        unit: unit vector of the whole crop.
        turned: unit vector of the crop upside down.
    """

    flat: npt.NDArray[np.float32]
    unit: npt.NDArray[np.float32]
    turned: npt.NDArray[np.float32]

    @classmethod
    def of(cls, crop: Image) -> Self:
        """Prepare a crop of the card's frame."""
        small = np.asarray(cv2.resize(crop, templates.SIZE, interpolation=cv2.INTER_AREA), np.uint8)
        flat = templates.flattened(small)
        return cls(flat, templates.unit_of(flat), templates.unit_of(flat[::-1, ::-1]))

    def shows_same_as(self, other: CardLook) -> bool:
        """Return whether both show one face, either way up: once aligned, they agree as a whole and in every part."""
        upright, turned = float(self.unit @ other.unit), float(self.turned @ other.unit)
        if max(upright, turned) < ENROLMENT.may_be_equal:
            return False
        flat = self.flat if upright >= turned else np.ascontiguousarray(self.flat[::-1, ::-1])
        return _are_equal(flat, np.ascontiguousarray(other.flat[_EDGE:-_EDGE, _EDGE:-_EDGE]))


def _are_equal(flat: npt.NDArray[np.float32], inner: npt.NDArray[np.float32]) -> bool:
    """Align the inner part of a crop to another crop by the enhanced correlation coefficient, and compare them."""
    start = np.array([[1, 0, _EDGE / 2], [0, 1, _EDGE / 2], [0, 0, 1]], np.float32)
    try:
        _, onto = cv2.findTransformECC(_grey(inner), _grey(flat), start, cv2.MOTION_HOMOGRAPHY, _STOP)
    except cv2.error:  # it does not converge if the two have nothing in common
        return False
    whole, flags = np.linalg.inv(_HALF) @ onto @ _HALF, cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    moved = np.asarray(
        cv2.warpPerspective(flat, whole, inner.shape[1::-1], flags=flags, borderMode=cv2.BORDER_REPLICATE), np.float32
    )
    if float(np.corrcoef(moved.ravel(), inner.ravel())[0, 1]) < ENROLMENT.equal:
        return False
    apart = cv2.GaussianBlur(np.abs(moved - inner).sum(2), (0, 0), 3.0)
    spread = float(np.sqrt(np.square(inner).sum(2).mean()))
    return bool(apart.max() < ENROLMENT.apart * spread)


def _grey(flat: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """Return a flattened crop at half its size, without colour."""
    return np.asarray(cv2.resize(flat.mean(2), None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """Card found in one photograph."""

    crop: Image
    source: int
    guess: tuple[CardCandidate, ...]
    look: CardLook

    @property
    def sharpness(self) -> float:
        return float(cv2.Laplacian(cv2.cvtColor(self.crop, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var())


def propose(images: Sequence[Image], known: Enrolment) -> tuple[CardProposal, ...]:
    """Find the cards in enrolment photographs, and group equal ones.

    Args:
        images: upright photographs, blue-green-red, of one or more single cards without piles, or of a full mat.
        known: the faces to guess from: those already enrolled, or those of the printed deck.
    """
    decision = _decision_of(known)
    found = [
        _guessed(image, corners, source, decision)
        for source, image in enumerate(images)
        for corners in _corners_in(image)
    ]
    groups: list[list[_Found]] = []
    for card in found:
        equal = next((group for group in groups if card.look.shows_same_as(group[0].look)), None)
        if equal is None:
            groups.append([card])
        else:
            equal.append(card)
    return tuple(map(_proposal, groups))


@lru_cache(maxsize=1)
def _decision_of(known: Enrolment) -> CardClassifier | None:
    """Prepare the classifier for guesses (seconds for a whole deck). It is reused for photographs taken one by one."""
    return CardClassifier(known.faces) if known.faces else None


def _proposal(group: Sequence[_Found]) -> CardProposal:
    best = max(group, key=lambda card: card.sharpness)
    guess = next((card.guess for card in (best, *group) if card.guess), ())
    return CardProposal(best.crop, len(group), guess, tuple(card.source for card in group))


def _corners_in(image: Image) -> list[Corners]:
    """Return the corners of the single cards of a photograph, row by row, each beginning at its upper left."""
    small, scale = shrink(image, ENROLMENT.longest_px)
    places, outlines = find_mat(small), find_outlines(small)
    if places is not None:
        outlines = [outline for outline in outlines if any(_lies_on(outline, place) for place in places)]
    turned = [_level(corners) / scale for corners in outlines]
    height = float(np.median([np.linalg.norm(corners[3] - corners[0]) for corners in turned])) if turned else 1.0
    return sorted(turned, key=lambda corners: (round(corners[:, 1].mean() / height), corners[:, 0].mean()))


def _lies_on(outline: Corners, place: Corners) -> bool:
    side = float(np.linalg.norm(place[1] - place[0]))
    return float(np.linalg.norm(outline.mean(0) - place.mean(0))) < side * ENROLMENT.place_margin / CROP_SIZE[0] * 2


def _level(corners: Corners) -> Corners:
    """Return the corners of a card, beginning at its upper left in the image."""
    return corners if corners[0, 1] + corners[1, 1] <= corners[2, 1] + corners[3, 1] else np.roll(corners, 2, 0)


def _guessed(image: Image, corners: Corners, source: int, decision: CardClassifier | None) -> _Found:
    """Cut a card out, and turn it upright if a guess shows its orientation."""
    guess: tuple[CardCandidate, ...] = ()
    if decision is not None:
        reading = decision.read(image, 0, corners, least=ENROLMENT.guess)
        guess, top_left = reading.candidates, reading.corners_px[0]
        if guess and np.linalg.norm(top_left - corners[0]) > np.linalg.norm(top_left - corners[2]):
            corners = np.roll(corners, 2, 0)
    crop = rectified(image, from_frame(corners), 1.0)
    return _Found(crop, source, guess, CardLook.of(crop))
