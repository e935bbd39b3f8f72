"""Enrolment photographs: cards found by their outline or on the mat, cut out, equal ones grouped, faces proposed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final, Self

import cv2
import numpy as np

from bunnymoose_cv.vision.cards import templates
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, from_frame, rectified
from bunnymoose_cv.vision.cards.enrolment import Enrolment, FaceProposal
from bunnymoose_cv.vision.cards.face_decision import FaceDecision
from bunnymoose_cv.vision.cards.free_search import find_outlines
from bunnymoose_cv.vision.cards.mat_search import find_mat

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.vision.cards.card_reading import FaceCandidate

_LONGEST_PX: Final = 4096
_GUESS: Final = 0.5
"""Correlation with a known face from which on it is proposed."""

_EQUAL: Final = 0.96
"""Correlation of two crops from which on they may show one face."""

_MAY_BE_EQUAL: Final = 0.8
"""Correlation without a search for the shift below which two crops need no closer look."""

_APART: Final = 1.4
"""Difference in any part, in spreads of the whole, up to which two crops show one face; a digit differs by more."""

_EDGE: Final = 6
_PLACE_MARGIN: Final = 32.0
"""Search margin around a card's place on the mat, in the card's frame: 8 mm."""


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A card in one photograph."""

    crop: Picture
    source: int
    guess: tuple[FaceCandidate, ...]
    flat: npt.NDArray[np.float32]
    unit: npt.NDArray[np.float32]

    @classmethod
    def of(cls, crop: Picture, source: int, guess: tuple[FaceCandidate, ...]) -> Self:
        """Prepare a crop for comparing it with others."""
        small = np.asarray(cv2.resize(crop, templates.SIZE, interpolation=cv2.INTER_AREA), np.uint8)
        flat = templates.flattened(small)
        return cls(crop, source, guess, flat, templates.unit_of(flat))

    @property
    def sharpness(self) -> float:
        return float(cv2.Laplacian(cv2.cvtColor(self.crop, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var())


def propose(images: Sequence[Picture], known: Enrolment) -> tuple[FaceProposal, ...]:
    """Find the cards in enrolment photographs and group equal ones; 3×3 loose cards, a card alone or a full mat.

    Args:
        images: upright photographs, blue-green-red; single cards, no piles, all the same way up.
        known: faces whose pictures the guesses come from: those enrolled so far, or the printed deck's.
    """
    decision = _decision_of(known)
    found = [
        _guessed(image, corners, source, decision)
        for source, image in enumerate(images)
        for corners in _corners_in(image)
    ]
    groups: list[list[_Found]] = []
    for card in found:
        equal = next((group for group in groups if _is_equal(card, group[0])), None)
        if equal is None:
            groups.append([card])
        else:
            equal.append(card)
    return tuple(map(_proposal, groups))


@lru_cache(maxsize=1)
def _decision_of(known: Enrolment) -> FaceDecision | None:
    """Prepare the guesses (seconds for a whole deck); photographs that come one by one share it."""
    return FaceDecision(known.ids, [face.crop for face in known.faces]) if known.faces else None


def _proposal(group: Sequence[_Found]) -> FaceProposal:
    best = max(group, key=lambda card: card.sharpness)
    guess = next((card.guess for card in (best, *group) if card.guess), ())
    return FaceProposal(best.crop, len(group), guess, tuple(card.source for card in group))


def _corners_in(image: Picture) -> list[npt.NDArray[np.float32]]:
    """Corners of the single cards of a photograph, row by row, their short sides level where they lie upright."""
    shrink = min(1.0, _LONGEST_PX / max(image.shape[:2]))
    small = np.asarray(cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    places = find_mat(small)
    outlines = find_outlines(small)
    if places is not None:
        outlines = [outline for outline in outlines if any(_lies_on(outline, place) for place in places)]
    turned = [_level(corners) / shrink for corners in outlines]
    height = float(np.median([np.linalg.norm(corners[3] - corners[0]) for corners in turned])) if turned else 1.0
    return sorted(turned, key=lambda corners: (round(corners[:, 1].mean() / height), corners[:, 0].mean()))


def _lies_on(outline: npt.NDArray[np.float32], place: npt.NDArray[np.float32]) -> bool:
    side = float(np.linalg.norm(place[1] - place[0]))
    return float(np.linalg.norm(outline.mean(0) - place.mean(0))) < side * _PLACE_MARGIN / CROP_SIZE[0] * 2


def _level(corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The corners of a card beginning at its upper left in the image."""
    return corners if corners[0, 1] + corners[1, 1] <= corners[2, 1] + corners[3, 1] else np.roll(corners, 2, 0)


def _guessed(image: Picture, corners: npt.NDArray[np.float32], source: int, decision: FaceDecision | None) -> _Found:
    """Cut a card out, turned as the guess says where there is one."""
    guess: tuple[FaceCandidate, ...] = ()
    if decision is not None:
        reading = decision.read(image, 0, corners, least=_GUESS)
        guess = reading.candidates
        if guess and np.linalg.norm(reading.corners_px[0] - corners[0]) > np.linalg.norm(
            reading.corners_px[0] - corners[2]
        ):
            corners = np.roll(corners, 2, 0)
    return _Found.of(rectified(image, from_frame(corners), 1.0), source, guess)


def _is_equal(card: _Found, other: _Found) -> bool:
    """Tell if two crops show one face: alike as wholes and in every part of them."""
    if float(card.unit @ other.unit) < _MAY_BE_EQUAL:
        return False
    inner = np.ascontiguousarray(other.flat[_EDGE:-_EDGE, _EDGE:-_EDGE])
    scores = cv2.matchTemplate(card.flat, inner, cv2.TM_CCOEFF_NORMED)
    if scores.max() < _EQUAL:
        return False
    down, across = np.unravel_index(int(scores.argmax()), scores.shape)
    moved = card.flat[down : down + inner.shape[0], across : across + inner.shape[1]]
    apart = cv2.GaussianBlur(np.abs(moved - inner).sum(2), (0, 0), 3.0)
    spread = float(np.sqrt(np.square(inner).sum(2).mean()))
    return bool(apart.max() < _APART * spread)
