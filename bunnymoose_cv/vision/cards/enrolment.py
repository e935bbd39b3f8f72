"""Enrolment of a deck: one rectified image per face, from photographs or our own artwork, saved in a folder."""

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
    """Face with its rectified image.

    Attributes:
        crop: the card from edge to edge, upright, blue-green-red, shape (352, 252, 3).
        marker: id of the printed card's 4×4 marker; None without a marker.
    """

    face: CardFaceId
    crop: Image
    marker: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class CardProposal:
    """Equal cards found in enrolment photographs, for the user to name.

    Attributes:
        crop: the sharpest of them, shape (352, 252, 3), upright if a guess shows its orientation.
        guess: the faces that it may be by the known enrolment, likeliest first; empty if it resembles none.
        sources: index of the image in which each copy was found.
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
        """Identifiers of the faces."""
        return tuple(enrolled.face for enrolled in self.faces)

    def with_face(self, added: EnrolledCard) -> Enrolment:
        """Return the enrolment with an added face. If the face is already enrolled, its image is replaced."""
        if added.face not in self.ids:
            return Enrolment((*self.faces, added))
        return Enrolment(tuple(added if kept.face == added.face else kept for kept in self.faces))

    def without(self, face: CardFaceId) -> Enrolment:
        """Return the enrolment without a face."""
        return Enrolment(tuple(kept for kept in self.faces if kept.face != face))

    def missing(self, deck_faces: Iterable[CardFaceId]) -> tuple[CardFaceId, ...]:
        """Return the faces of a deck that are not enrolled, each once, in the deck's order."""
        return tuple(face for face in dict.fromkeys(deck_faces) if face not in self.ids)

    def save(self, folder: Path) -> None:
        """Write the enrolment into its own folder, replacing an earlier one.

        The index is written last and images are never overwritten, so an interrupted save keeps the earlier enrolment.
        """
        folder.mkdir(parents=True, exist_ok=True)
        taken = {path.name for path in folder.glob(_IMAGES)}
        free = (name for name in (f"{number:03d}.png" for number in count(1)) if name not in taken)
        entries = []
        for name, enrolled in zip(free, self.faces, strict=False):
            _write(folder / name, cv2.imencode(".png", enrolled.crop)[1].tobytes())
            entries.append({"face": enrolled.face, "picture": name, "marker": enrolled.marker})
        _write(folder / _INDEX, json.dumps({"version": _VERSION, "faces": entries}, indent=1).encode())
        for name in taken:
            (folder / name).unlink()

    @classmethod
    def load(cls, folder: Path) -> Enrolment:
        """Read an enrolment from its folder. Raise an `InputError` if it is missing, damaged or of another version."""
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
        """Return whether a folder holds an enrolment."""
        return (folder / _INDEX).is_file()


def _write(path: Path, content: bytes) -> None:
    with whole_file(path) as part:
        part.write_bytes(content)


def _enrolled(folder: Path, entry: Mapping[str, object]) -> EnrolledCard:
    """Read a face from its entry. Raise a `ValueError` if the entry or its image is damaged."""
    face, name, marker = entry["face"], entry["picture"], entry["marker"]
    if not (isinstance(face, str) and isinstance(name, str) and _IMAGE.fullmatch(name)):
        raise ValueError("damaged entry")
    content = np.frombuffer(read_bounded(folder / name, _LARGEST_IMAGE), np.uint8)
    crop = cv2.imdecode(content, cv2.IMREAD_COLOR) if len(content) else None
    if crop is None or crop.shape != (CROP_SIZE[1], CROP_SIZE[0], 3):
        raise ValueError("damaged picture")
    return EnrolledCard(CardFaceId(face), np.asarray(crop, np.uint8), marker if isinstance(marker, int) else None)
