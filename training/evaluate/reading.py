"""Readings of labelled images, in the fields of their truth.

If the shipped network has learnt from a person, that person's tongue is read by a network that has not.
`models/left_out/people.toml` lists the unseen people of each network by `subject`; for a list of mouths that is the
name of the file. `python -m training.tongue` makes the networks. If one is missing, its tongues are not read.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, TypeAlias

import cv2
import numpy as np

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import bundled
from bunnymoose_cv.rules.pose import Pose, Side, Tongue
from bunnymoose_cv.vision.detections import FaceLandmarks
from bunnymoose_cv.vision.headgear.headgear_reading import FIELDS_OF_KIND
from bunnymoose_cv.vision.tongue import MouthPlace, TongueReader, TongueReading
from training.evaluate.datasets import RowKind
from training.evaluate.headgear_fields import HeadgearFields

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.core.user_settings import TongueSettings
    from bunnymoose_cv.rules.pose_fields import HeadgearField
    from bunnymoose_cv.vision.detections import HandLandmarks
    from bunnymoose_cv.vision.faces.head import Head
    from bunnymoose_cv.vision.geometry import Box
    from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
    from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearReading
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import PlayerReading
    from training.evaluate.datasets import Row


_FOLDER = bundled("models/left_out")


class HeldOutTongues:
    """Tongue readers for people who took part in training. Belongs to one thread, as its readers do.

    Attributes:
        shipped: reader with the shipped network, for all other people.
    """

    def __init__(self, settings: TongueSettings, folder: Path = _FOLDER) -> None:
        """Load the available networks of the folder's `people.toml`.

        Raises:
            InputError: a network is damaged.
        """
        listed = tomllib.loads((folder / "people.toml").read_text("utf-8"))
        self.shipped = TongueReader(settings)
        self._reader_of: dict[str, TongueReader | None] = {}
        for name, people in listed.items():
            reader = _held_out_reader(settings, folder / f"{name}.onnx")
            self._reader_of |= dict.fromkeys(people["unseen"], reader)

    def took_part(self, row: Row) -> bool:
        """Return whether the shipped network has learnt from the row's `subject`."""
        return row.labels.get("subject", "") in self._reader_of

    def reader_of(self, row: Row) -> TongueReader | None:
        """Return a reader whose network has not seen the row's `subject`, or None if that network is missing."""
        return self._reader_of.get(row.labels.get("subject", ""), self.shipped)


def _held_out_reader(settings: TongueSettings, file: Path) -> TongueReader | None:
    if not file.is_file():
        return None
    try:
        return TongueReader(settings, file.read_bytes())
    except Exception as error:
        raise InputError(f"{file} is not a tongue network: delete it, or run `python -m training.tongue`") from error


SHRUNK_EYE_DISTANCE: Final = 25.0
"""Eye distance in pixels to which heads with hands are shrunk, for another reading of their tongues."""

MOUTH_CUT: Final = 2.5
"""Side of a crop in a list of mouths, in eye distances; the crop is upright, with the mouth in the middle."""


@dataclass(frozen=True, slots=True)
class ReadHeadgear:
    """Reading of one side of a head, or of a single hand.

    Attributes:
        fields: likeliest values.
        unclear: fields that are too unsure to be accepted without a question.
        confidence: probability of each value, 0 to 1.
    """

    fields: HeadgearFields
    unclear: frozenset[HeadgearField] = frozenset()
    confidence: Mapping[HeadgearField, float] = field(default_factory=dict)

    @classmethod
    def of(cls, reading: HeadgearReading) -> ReadHeadgear:
        """Convert a reading."""
        fields = FIELDS_OF_KIND[reading.probabilities.kind]
        confidence = {field: reading.probabilities.confidence_of(field) for field in fields}
        return cls(HeadgearFields.of(reading.headgear), frozenset(reading.unclear), confidence)


@dataclass(frozen=True, slots=True)
class ReadTongue:
    """Reading of one mouth.

    Attributes:
        tongue: likelier value.
        unclear: True if the value is too unsure to be accepted without a question.
        confidence: probability of the value, 0.5 to 1.
    """

    tongue: Tongue
    unclear: bool = False
    confidence: float = 1.0

    @classmethod
    def of(cls, reading: TongueReading) -> ReadTongue:
        """Convert a reading."""
        return cls(reading.tongue, reading.unclear, reading.confidence)


@dataclass(frozen=True, slots=True)
class ReadPlayer:
    """Reading of one player.

    Attributes:
        pose: likeliest pose.
        left: reading of the left side of the player's own head.
        right: reading of the right side.
        tongue: reading of the mouth.
        face: box of the face in pixels.
        shrunk: reading of the mouth in the image shrunk to `SHRUNK_EYE_DISTANCE`; None if that was not tried.
    """

    pose: Pose
    left: ReadHeadgear
    right: ReadHeadgear
    tongue: ReadTongue
    face: Box
    shrunk: ReadTongue | None = None

    @classmethod
    def of(cls, reading: PlayerReading) -> ReadPlayer:
        """Convert a reading."""
        left, right = (ReadHeadgear.of(reading.headgear[side]) for side in (Side.LEFT, Side.RIGHT))
        return cls(reading.pose, left, right, ReadTongue.of(reading.tongue), reading.face)

    def headgear(self, side: Side) -> ReadHeadgear:
        """Return the reading of one side."""
        return self.left if side is Side.LEFT else self.right


ReadPeople: TypeAlias = tuple[ReadPlayer, ...]
"""People found in an image, from left to right."""

Read: TypeAlias = ReadHeadgear | ReadPeople | ReadTongue | None
"""A single hand, people, a mouth in a crop of its face, or None for a hand that was not found."""


UNREAD_TONGUE: Final = TongueReading(Tongue.IN, confidence=0.5, unclear=True, probability_out=0.5)
"""Reading of a tongue for which no network is available that may judge it."""


def read_row(row: Row, reader: Reader, tongues: TongueReader | None) -> Read:
    """Read the image of a row as a single hand, as a mouth, or as people at a table.

    Args:
        row: the labelled image.
        reader: reader of the image.
        tongues: reader of the tongues; None to leave them unread.

    Raises:
        UnreadableError: the image is missing, damaged or not an image.
    """
    image = read_image(row.image)
    if row.kind is RowKind.MOUTH:
        return ReadTongue.of(UNREAD_TONGUE if tongues is None else _read_mouth(image, tongues))
    if row.kind is RowKind.HAND:
        return _read_hand(image, reader)
    players = reader.read(image).players
    return tuple(_read_player(player, image, tongues, shrunk=row.kind is RowKind.HEAD_HANDS) for player in players)


def _read_hand(image: Image, reader: Reader) -> ReadHeadgear | None:
    hand = reader.read_lone_hand(image)
    return None if hand is None else _placeless(hand)


def read_hands(hands: Iterable[HandLandmarks], reader: HeadgearReader) -> tuple[ReadHeadgear, ...]:
    """Read single hands that MediaPipe has already found."""
    return tuple(_placeless(reader.read_alone(hand)) for hand in hands)


def _placeless(hand: HeadgearReading) -> ReadHeadgear:
    """Return the reading of a single hand, which has no place."""
    read = ReadHeadgear.of(hand)
    return replace(read, fields=replace(read.fields, place=None))


def _read_player(player: PlayerReading, image: Image, tongues: TongueReader | None, *, shrunk: bool) -> ReadPlayer:
    """Return the player with the tongue as read by `tongues`."""
    if tongues is None:
        return ReadPlayer.of(replace(player, tongue=UNREAD_TONGUE))
    head = player.player.head
    read = ReadPlayer.of(replace(player, tongue=tongues.read(image, head)))
    return replace(read, shrunk=ReadTongue.of(_read_shrunk(image, head, tongues))) if shrunk else read


def _read_shrunk(image: Image, head: Head, tongues: TongueReader) -> TongueReading:
    """Read the tongue as seen by a camera farther away. A face that is already small is not shrunk."""
    scale = min(1.0, SHRUNK_EYE_DISTANCE / MouthPlace.of(head.face).eye_distance)
    height, width = image.shape[:2]
    size = max(1, round(width * scale)), max(1, round(height * scale))
    small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return tongues.read(small, replace(head, face=FaceLandmarks(head.face.points * np.float32(scale))))


def _read_mouth(image: Image, tongues: TongueReader) -> TongueReading:
    """Read the tongue in a crop of `MOUTH_CUT` eye distances."""
    height, width = image.shape[:2]
    return tongues.read_at(image, MouthPlace(width / 2, height / 2, 0.0, width / MOUTH_CUT))
