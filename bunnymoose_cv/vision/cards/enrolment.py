"""Enrolment of a deck: one rectified image a face, from photographs or from our own artwork, kept in a folder."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import read_bounded
from bunnymoose_cv.vision.cards.card_frame import CROP_SIZE
from bunnymoose_cv.vision.cards.card_reading import CardFaceId

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.vision.cards.card_reading import CardCandidate

_VERSION: Final = 1
_INDEX: Final = "enrolment.json"
_IMAGE: Final = re.compile(r"[0-9]{3}\.png")
_IMAGES: Final = "[0-9][0-9][0-9].png"
_LARGEST_INDEX: Final = 1_000_000
_LARGEST_IMAGE: Final = 2_000_000


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledCard:
    """A face with its rectified image.

    Attributes:
        crop: upright, blue-green-red, shape (352, 252, 3): the card from edge to edge.
        marker: id of the 4×4 marker that the printed deck bears, where there is one.
    """

    face: CardFaceId
    crop: Image
    marker: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CardProposal:
    """Equal cards found in enrolment photographs, for a person to name.

    Attributes:
        crop: the sharpest of them, upright where a guess tells, shape (352, 252, 3).
        guess: faces that the known enrolment takes it for, likeliest first; none where it is like nothing known.
        sources: index of the image that each copy was found in.
    """

    crop: Image
    copies: int
    guess: tuple[CardCandidate, ...]
    sources: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Enrolment:
    """All enrolled faces of a deck."""

    faces: tuple[EnrolledCard, ...] = ()

    @property
    def ids(self) -> tuple[CardFaceId, ...]:
        """The faces' identifiers."""
        return tuple(enrolled.face for enrolled in self.faces)

    def with_face(self, added: EnrolledCard) -> Enrolment:
        """The enrolment with a face more; a face that is enrolled already gets the new image."""
        if added.face not in self.ids:
            return Enrolment((*self.faces, added))
        return Enrolment(tuple(added if kept.face == added.face else kept for kept in self.faces))

    def without(self, face: CardFaceId) -> Enrolment:
        """The enrolment without a face."""
        return Enrolment(tuple(kept for kept in self.faces if kept.face != face))

    def missing(self, deck_faces: Iterable[CardFaceId]) -> tuple[CardFaceId, ...]:
        """Faces of a deck that are not enrolled, each once, in the deck's order."""
        return tuple(face for face in dict.fromkeys(deck_faces) if face not in self.ids)

    def save(self, folder: Path) -> None:
        """Write the enrolment into a folder of its own, in place of an earlier one.

        The index comes last and no image is written over another, so an interrupted save leaves the earlier one.

        Raises:
            OSError: the folder cannot be written.
        """
        folder.mkdir(parents=True, exist_ok=True)
        taken = {path.name for path in folder.glob(_IMAGES)}
        free = (name for name in (f"{number:03d}.png" for number in count(1)) if name not in taken)
        images = dict(zip(free, self.faces, strict=False))
        entries = [
            {"face": enrolled.face, "picture": name, "marker": enrolled.marker} for name, enrolled in images.items()
        ]
        for name, enrolled in images.items():
            _write(folder / name, cv2.imencode(".png", enrolled.crop)[1].tobytes())
        _write(folder / _INDEX, json.dumps({"version": _VERSION, "faces": entries}, indent=1).encode())
        for name in taken:
            (folder / name).unlink()

    @classmethod
    def load(cls, folder: Path) -> Enrolment:
        """Read an enrolment from its folder.

        Raises:
            InputError: there is none, it is damaged, or it was written by a later version.
        """
        try:
            content = json.loads(read_bounded(folder / _INDEX, _LARGEST_INDEX))
            version, entries = content["version"], content["faces"]
            faces = () if version != _VERSION else tuple(_enrolled(folder, entry) for entry in entries)
        except OSError as error:
            raise InputError(f"{folder} holds no enrolled deck that can be read ({error.strerror}).") from None
        except (ValueError, KeyError, TypeError):
            raise InputError(f"The enrolled deck in {folder} is damaged: enrol the deck again.") from None
        if version != _VERSION:
            raise InputError(
                f"The enrolled deck in {folder} was written by another version of the program: enrol the deck again."
            )
        return cls(faces)

    @classmethod
    def is_at(cls, folder: Path) -> bool:
        """Tell if a folder holds an enrolment."""
        return (folder / _INDEX).is_file()


def _write(path: Path, content: bytes) -> None:
    with whole_file(path) as part:
        part.write_bytes(content)


def _enrolled(folder: Path, entry: Mapping[str, object]) -> EnrolledCard:
    """A face from its entry.

    Raises:
        ValueError: the entry or its image is damaged.
    """
    face, name, marker = entry["face"], entry["picture"], entry["marker"]
    if not (isinstance(face, str) and isinstance(name, str) and _IMAGE.fullmatch(name)):
        raise ValueError("damaged entry")
    content = np.frombuffer(read_bounded(folder / name, _LARGEST_IMAGE), np.uint8)
    crop = cv2.imdecode(content, cv2.IMREAD_COLOR) if len(content) else None
    if crop is None or crop.shape != (CROP_SIZE[1], CROP_SIZE[0], 3):
        raise ValueError("damaged picture")
    return EnrolledCard(CardFaceId(face), np.asarray(crop, np.uint8), marker if isinstance(marker, int) else None)
