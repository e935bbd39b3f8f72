"""Truth of an image in the game's terms, from its labels by the definitions of the rulebook.

Values that the labels leave open stay open (None) and are not compared. How labels are read:

| kind | label | truth |
|---|---|---|
| all | `ambiguous=1` | everything open |
| hand | `fingers_out`, `thumb`, `spread`, `shape` | kind (hand_labels.py); an antler's spread, an ear's form |
| player, scene | `poses=WU CD t/TS TF` | the poses of the seats from left to right |
| player, scene | `between=left.spread+tongue/right.kind` | in between two shapes; `poses` has the nearer |
| mouth | `tongue=out`, `tongue=in` | the tongue; any other word leaves it open |
| other kinds | `faces=3` | number of people; one without this label |
| other kinds | `tongue=out`, `tongue=in` | the tongue of each person; any other word (`hidden`) leaves it open |
| head_hands | `faces` other than 1 | sides are open, since the labels do not say whose they are |
| head_hands | `pose` with neither “moose” nor “rabbit” in it (`other`, `horns_one_finger`) | neither on both sides |
| head_hands | `pose=single_moose_antler_like` | as if without a pose label |
| head_hands | `pose=single_moose_antler`, `rabbit_ears_both` | an antler, an ear on each side that has a hand |
| head_hands | `hands=1` with `left=…` | neither on the right, and so a bush |
| head_hands | `hands=0` | neither on both sides |
| head_hands | fingers that make neither: `none/fist`, one, three, another pair | neither there |
| head_hands | every `place` at a shoulder or the chest, or `place` over the face | neither there |
| head_hands | `touch=yes`, `place` at a temple or on top | an antler or an ear, by the fingers and the thumb |
| head_hands | any other hand (`touch=no`, a thumb on the cheek) | open: no label says how far off or low it is |
| head_hands | one side neither, the other open | a bush |

The boxes of the faces come only from the truth file beside a rendered image (datasets.py).

For an antler or an ear in a photograph only kind, spread and form are taken, since direction and place were not
labelled in the game's terms.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from bunnymoose_cv.rules.pose import Animal, NotationError, Pose, Side, Tongue
from bunnymoose_cv.rules.pose_fields import HEADGEAR_FIELDS, HeadgearField, PoseField
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.evaluate.datasets import ManifestError, RowKind, faces_beside
from training.evaluate.hand_labels import HandLabels
from training.evaluate.headgear_fields import OPEN_FIELDS, HeadgearFields

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.vision.geometry import Box
    from training.evaluate.datasets import Row


@dataclass(frozen=True, slots=True)
class Between:
    """Fields of a player that are in between two shapes."""

    left: frozenset[HeadgearField] = frozenset()
    right: frozenset[HeadgearField] = frozenset()
    tongue: bool = False

    def of(self, side: Side) -> frozenset[HeadgearField]:
        """Return the fields of one side's headgear."""
        return self.left if side is Side.LEFT else self.right

    def __bool__(self) -> bool:
        return bool(self.left or self.right or self.tongue)


NOWHERE = Between()


@dataclass(frozen=True, slots=True)
class PlayerTruth:
    """Truth of one person; None is open.

    Attributes:
        left: headgear on the left side of the person's own head.
        right: headgear on the right side.
        animal: animal that both sides make together.
        tongue: out or in.
        pose: the whole pose; None if anything is open.
        between: fields in between two shapes, so that asking is right; the given value is the nearer one.
        face: box of the face in pixels.
    """

    left: HeadgearFields = OPEN_FIELDS
    right: HeadgearFields = OPEN_FIELDS
    animal: Animal | None = None
    tongue: Tongue | None = None
    pose: Pose | None = None
    between: Between = NOWHERE
    face: Box | None = None

    @classmethod
    def of(cls, pose: Pose) -> PlayerTruth:
        """Return the truth of a whole pose."""
        return cls(HeadgearFields.of(pose.left), HeadgearFields.of(pose.right), pose.animal, pose.tongue, pose)

    def headgear(self, side: Side) -> HeadgearFields:
        """Return the fields of one side."""
        return self.left if side is Side.LEFT else self.right


@dataclass(frozen=True, slots=True)
class PeopleTruth:
    """The people of an image, from left to right."""

    players: tuple[PlayerTruth, ...]


Truth: TypeAlias = HeadgearFields | PeopleTruth | Tongue | None
"""Truth of a single hand, of people, or of a mouth in a crop of its face; None if nothing may be compared."""


def truth_of(row: Row) -> Truth:
    """Derive the truth of an image from its labels.

    Raises:
        ManifestError: a label's value cannot be read; the error names the line.
    """
    try:
        return _truth(row)
    except NotationError as error:
        raise ManifestError(
            f"Line {row.line} of the manifest ({row.name}) has a pose that cannot be read: {error}"
        ) from error


def _truth(row: Row) -> Truth:
    if row.labels.get("ambiguous") == "1":
        return None
    if row.kind is RowKind.MOUTH:
        return _tongue(row.labels)
    if row.kind is RowKind.HAND:
        hand = HandLabels.of_hand(row.labels)
        return hand.as_kind(hand.kind)
    if row.kind in {RowKind.PLAYER, RowKind.SCENE}:
        return PeopleTruth(_posing(row))
    people = _faces(row, 1)
    if row.kind is RowKind.HEAD_HANDS and people == 1:
        return PeopleTruth((_with_hands(row.labels),))
    return PeopleTruth((PlayerTruth(tongue=_tongue(row.labels)),) * people)


def _posing(row: Row) -> tuple[PlayerTruth, ...]:
    if "poses" not in row.labels:
        raise ManifestError(f"Line {row.line} of the manifest ({row.name}) has no label poses: write poses=WU CD t")
    poses = [Pose.parse(text) for text in row.labels["poses"].split("/")]
    if len(poses) != _faces(row, len(poses)):
        raise ManifestError(
            f"Line {row.line} of the manifest ({row.name}) has {len(poses)} poses but faces={row.labels['faces']}"
        )
    faces = faces_beside(row.image)
    if faces and len(faces) != len(poses):
        raise ManifestError(
            f"Line {row.line} of the manifest ({row.name}) has {len(poses)} poses, beside it {len(faces)} faces"
        )
    return tuple(
        replace(PlayerTruth.of(pose), between=between, face=face)
        for pose, between, face in zip(poses, _between(row, len(poses)), faces or (None,) * len(poses), strict=True)
    )


_BETWEEN = {PoseField.of(side, field).value: (side, field) for side in Side for field in HEADGEAR_FIELDS}
_TONGUE = "tongue"


def _between(row: Row, players: int) -> tuple[Between, ...]:
    """Return the fields in between two shapes, for each player."""
    seats = row.labels.get("between", "/" * (players - 1)).split("/")
    if len(seats) != players:
        raise ManifestError(
            f"Line {row.line} of the manifest ({row.name}) has between= for {len(seats)} seats and {players} poses"
        )
    return tuple(_between_of(row, seat) for seat in seats)


def _between_of(row: Row, seat: str) -> Between:
    names = frozenset(filter(None, seat.split("+")))
    unknown = names - _BETWEEN.keys() - {_TONGUE}
    if unknown:
        raise ManifestError(
            f"Line {row.line} of the manifest ({row.name}) has between={min(unknown)}, which is no field:"
            f" use {_TONGUE} or one of {', '.join(_BETWEEN)}"
        )
    sides = [_BETWEEN[name] for name in names - {_TONGUE}]
    left, right = (frozenset(field for own, field in sides if own is side) for side in (Side.LEFT, Side.RIGHT))
    return Between(left, right, _TONGUE in names)


_MOST_DIGITS = 4
"""Largest number of digits of `faces=`."""


def _faces(row: Row, otherwise: int) -> int:
    text = row.labels.get("faces", str(otherwise))
    if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
        raise ManifestError(f"Line {row.line} of the manifest ({row.name}) has faces={text}: write a whole number")
    return int(text)


def _tongue(labels: Mapping[str, str]) -> Tongue | None:
    return {"out": Tongue.OUT, "in": Tongue.IN}.get(labels.get("tongue", ""))


def _with_hands(labels: Mapping[str, str]) -> PlayerTruth:
    left, right = (_side(labels, side) for side in (Side.LEFT, Side.RIGHT))
    return PlayerTruth(left, right, _animal(labels, left.kind, right.kind), _tongue(labels))


def _animal(labels: Mapping[str, str], left: Kind | None, right: Kind | None) -> Animal | None:
    """Return the animal that both sides make. One side without headgear is enough for a bush."""
    if Kind.NEITHER in {left, right} or labels.get("hands") in {"0", "1"}:
        return Animal.BUSH
    if left is None or right is None:
        return None
    if left is not right:
        return Animal.BUSH
    return Animal.MOOSE if left is Kind.ANTLER else Animal.RABBIT


def _side(labels: Mapping[str, str], side: Side) -> HeadgearFields:
    if _posed(labels) is Kind.NEITHER:
        return HeadgearFields(Kind.NEITHER)
    described = labels.get(side.name.lower())
    if described is not None:
        hand = HandLabels.of_side(described)
        return hand.as_kind(_kind_at_head(labels, hand))
    only_hand = labels.get("hands") == "1" and side.other.name.lower() in labels
    return HeadgearFields(Kind.NEITHER) if only_hand or labels.get("hands") == "0" else OPEN_FIELDS


def _posed(labels: Mapping[str, str]) -> Kind | None:
    """Return the kind that the pose label gives the hands."""
    pose = labels.get("pose")
    if pose is None or pose.endswith("_like"):
        return None
    return Kind.ANTLER if "moose" in pose else Kind.EAR if "rabbit" in pose else Kind.NEITHER


_BELOW = ("shoulder", "chest")
_OVER_FACE = "over_face"
_AT_HEAD = ("temple", "top")


def _kind_at_head(labels: Mapping[str, str], hand: HandLabels) -> Kind | None:
    """Return the kind of a described hand by its place at the head."""
    posed = _posed(labels)
    if posed is not None:
        return posed
    place = labels.get("place", "")
    below = all(part.startswith(_BELOW) for part in place.split("+"))
    if hand.kind is Kind.NEITHER or below or place.startswith(_OVER_FACE):
        return Kind.NEITHER
    at_head = labels.get("touch") == "yes" and any(word in place for word in _AT_HEAD)
    return hand.kind if at_head else None
