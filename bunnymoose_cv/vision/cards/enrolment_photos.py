"""Enrolment photographs: cards found by their outline or on the mat, cut out, equal ones grouped, faces proposed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import cv2
import numpy as np

from bunnymoose_cv.vision.cards.card_classifier import CardClassifier
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE, from_frame, rectified
from bunnymoose_cv.vision.cards.card_settings import ENROLMENT
from bunnymoose_cv.vision.cards.enrolment import CardProposal, Enrolment
from bunnymoose_cv.vision.cards.equal_cards import CardLook
from bunnymoose_cv.vision.cards.free_search import find_outlines
from bunnymoose_cv.vision.cards.mat_search import find_mat
from bunnymoose_cv.vision.shrink import shrink

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_reading import CardCandidate


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    """A card in one photograph."""

    crop: Image
    source: int
    guess: tuple[CardCandidate, ...]
    look: CardLook

    @property
    def sharpness(self) -> float:
        return float(cv2.Laplacian(cv2.cvtColor(self.crop, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var())


def propose(images: Sequence[Image], known: Enrolment) -> tuple[CardProposal, ...]:
    """Find the cards in enrolment photographs and group equal ones; 3×3 loose cards, a card alone or a full mat.

    Args:
        images: upright photographs, blue-green-red; single cards, no piles.
        known: faces whose images the guesses come from: those enrolled so far, or the printed deck's.
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
    """Prepare the guesses (seconds for a whole deck); photographs that come one by one share it."""
    return CardClassifier(known.faces) if known.faces else None


def _proposal(group: Sequence[_Found]) -> CardProposal:
    best = max(group, key=lambda card: card.sharpness)
    guess = next((card.guess for card in (best, *group) if card.guess), ())
    return CardProposal(best.crop, len(group), guess, tuple(card.source for card in group))


def _corners_in(image: Image) -> list[npt.NDArray[np.float32]]:
    """Corners of the single cards of a photograph, row by row, their short sides level where they lie upright."""
    small, scale = shrink(image, ENROLMENT.longest_px)
    places = find_mat(small)
    outlines = find_outlines(small)
    if places is not None:
        outlines = [outline for outline in outlines if any(_lies_on(outline, place) for place in places)]
    turned = [_level(corners) / scale for corners in outlines]
    height = float(np.median([np.linalg.norm(corners[3] - corners[0]) for corners in turned])) if turned else 1.0
    return sorted(turned, key=lambda corners: (round(corners[:, 1].mean() / height), corners[:, 0].mean()))


def _lies_on(outline: npt.NDArray[np.float32], place: npt.NDArray[np.float32]) -> bool:
    side = float(np.linalg.norm(place[1] - place[0]))
    return float(np.linalg.norm(outline.mean(0) - place.mean(0))) < side * ENROLMENT.place_margin / CROP_SIZE[0] * 2


def _level(corners: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    """The corners of a card beginning at its upper left in the image."""
    return corners if corners[0, 1] + corners[1, 1] <= corners[2, 1] + corners[3, 1] else np.roll(corners, 2, 0)


def _guessed(image: Image, corners: npt.NDArray[np.float32], source: int, decision: CardClassifier | None) -> _Found:
    """Cut a card out, turned as the guess says where there is one."""
    guess: tuple[CardCandidate, ...] = ()
    if decision is not None:
        reading = decision.read(image, 0, corners, least=ENROLMENT.guess)
        guess = reading.candidates
        if guess and np.linalg.norm(reading.corners_px[0] - corners[0]) > np.linalg.norm(
            reading.corners_px[0] - corners[2]
        ):
            corners = np.roll(corners, 2, 0)
    crop = rectified(image, from_frame(corners), 1.0)
    return _Found(crop, source, guess, CardLook.of(crop))
