"""What is read of a labelled picture, in the fields that its truth has. Owns no landmarks and no judgement."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.capture.pictures import read_picture
from bunnymoose_cv.evaluation.fields import HeadgearFields
from bunnymoose_cv.evaluation.manifest import RowKind
from bunnymoose_cv.rules.pose import Pose, Side

if TYPE_CHECKING:
    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.evaluation.manifest import Row
    from bunnymoose_cv.vision.headgear import Field, HeadgearReading
    from bunnymoose_cv.vision.reader import PlayerReading, Reader
    from bunnymoose_cv.vision.tongue import TongueReader


@dataclass(frozen=True, slots=True)
class ReadHeadgear:
    """What was read on one side of a head, or of a hand by itself.

    Attributes:
        fields: the likeliest values.
        unclear: those of them that are too unsure to stand alone.
    """

    fields: HeadgearFields
    unclear: frozenset[Field] = frozenset()

    @classmethod
    def of(cls, reading: HeadgearReading) -> ReadHeadgear:
        """The fields of a reading."""
        return cls(HeadgearFields.of(reading.headgear), frozenset(reading.unclear))


@dataclass(frozen=True, slots=True)
class ReadPlayer:
    """What was read of one player.

    Attributes:
        pose: the likeliest pose.
        left: the left side of the player's own head.
        right: the right side.
        tongue_unclear: whether the tongue is too unsure to stand alone.
    """

    pose: Pose
    left: ReadHeadgear
    right: ReadHeadgear
    tongue_unclear: bool

    @classmethod
    def of(cls, reading: PlayerReading) -> ReadPlayer:
        """The fields of a reading."""
        left, right = (ReadHeadgear.of(reading.headgear[side]) for side in (Side.LEFT, Side.RIGHT))
        return cls(reading.pose, left, right, reading.tongue.unclear)

    def headgear(self, side: Side) -> ReadHeadgear:
        """What was read on one side."""
        return self.left if side is Side.LEFT else self.right


ReadPeople: TypeAlias = tuple[ReadPlayer, ...]
"""Everybody who was found in a picture, from left to right."""

Read: TypeAlias = ReadHeadgear | ReadPeople | None
"""A hand by itself, people, or no hand where there should be one."""


def read_row(row: Row, reader: Reader, tongues: TongueReader | None = None) -> Read:
    """Read the picture of a row, as a hand by itself or as people at a table.

    Args:
        row: the labelled picture.
        reader: reads it.
        tongues: reads the tongues in the reader's place.

    Raises:
        UnreadableError: the picture is missing, damaged or no picture.
    """
    picture = read_picture(row.picture)
    if row.kind is not RowKind.HAND:
        players = reader.read(picture).players
        if tongues is not None:
            players = tuple(_read_anew(player, picture, tongues) for player in players)
        return tuple(ReadPlayer.of(player) for player in players)
    hand = reader.read_lone_hand(picture)
    if hand is None:
        return None
    read = ReadHeadgear.of(hand)
    return replace(read, fields=replace(read.fields, place=None))


def _read_anew(player: PlayerReading, picture: Picture, tongues: TongueReader) -> PlayerReading:
    """The same player with the tongue read by another net."""
    return replace(player, tongue=tongues.read(picture, player.player.head.face))
