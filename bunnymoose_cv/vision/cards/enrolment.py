"""Enrolment of a deck: one rectified picture a face, from photographs or from our own artwork, kept in a folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.vision.cards.card_reading import FaceCandidate, FaceId

CROP_SIZE: Final = (252, 352)
"""Width and height of an enrolled picture, pixels: 4 for one millimetre."""


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledFace:
    """A face with its rectified picture.

    Attributes:
        face: its identifier.
        crop: upright, blue-green-red, shape (352, 252, 3): the card from edge to edge.
        marker: id of the 4×4 marker that the printed deck bears, where there is one.
    """

    face: FaceId
    crop: Picture
    marker: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FaceProposal:
    """Equal cards found in enrolment photographs, for a person to name.

    Attributes:
        crop: the sharpest of them, upright where a guess tells, shape (352, 252, 3).
        copies: how many were seen.
        guess: faces that the known enrolment takes it for, likeliest first; none where it is like nothing known.
        sources: index of the image that each copy was found in.
    """

    crop: Picture
    copies: int
    guess: tuple[FaceCandidate, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """All enrolled faces of a deck.

    Attributes:
        faces: one entry a face.
    """

    faces: tuple[EnrolledFace, ...] = ()

    @property
    def ids(self) -> tuple[FaceId, ...]:
        """The faces' identifiers."""
        return tuple(enrolled.face for enrolled in self.faces)

    def with_face(self, added: EnrolledFace) -> Enrolment:
        """The enrolment with a face more; a face that is enrolled already gets the new picture."""
        return Enrolment((*(kept for kept in self.faces if kept.face != added.face), added))

    def without(self, face: FaceId) -> Enrolment:
        """The enrolment without a face."""
        return Enrolment(tuple(kept for kept in self.faces if kept.face != face))

    def missing(self, deck_faces: Iterable[FaceId]) -> tuple[FaceId, ...]:
        """Faces of a deck that are not enrolled, each once, in the deck's order."""
        return tuple(face for face in dict.fromkeys(deck_faces) if face not in self.ids)

    def save(self, folder: Path) -> None:
        """Write the enrolment into a folder of its own, in place of an earlier one.

        Raises:
            OSError: the folder cannot be written.
        """
        raise NotImplementedError

    @classmethod
    def load(cls, folder: Path) -> Enrolment:
        """Read an enrolment from its folder.

        Raises:
            InputError: there is none, it is damaged, or it was written by a later version.
        """
        raise NotImplementedError

    @classmethod
    def is_at(cls, folder: Path) -> bool:
        """Tell if a folder holds an enrolment."""
        raise NotImplementedError


def propose(images: Sequence[Picture], known: Enrolment) -> tuple[FaceProposal, ...]:
    """Find the cards in enrolment photographs and group equal ones; 3×3 loose cards, a card alone or a full mat.

    Args:
        images: upright photographs, blue-green-red.
        known: faces whose pictures the guesses come from: those enrolled so far, or the printed deck's.
    """
    raise NotImplementedError
