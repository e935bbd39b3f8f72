"""Figures of a labelled set and of its parts, also as JSON, and those of an earlier evaluation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from pydantic import BaseModel, PositiveInt, ValidationError

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.input_file import read_text
from training.evaluate.breakdowns import Confusion, Group, Reliability, confusions, groups, reliability
from training.evaluate.comparison import APART, Measure
from training.evaluate.evaluated import Words, read_words, truth_words
from training.evaluate.json_shape import JsonShape
from training.evaluate.shares import RightShape, Share, ShareShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from training.evaluate.breakdowns import Bin
    from training.evaluate.evaluated import Evaluated


@dataclass(frozen=True, slots=True)
class Figures:
    """Metrics over all images. Fields in between two shapes, and shrunk heads, are counted separately.

    Attributes:
        right: share of right readings of each measure that occurs.
        sure_wrong: share of wrong readings among sure fields; None without sure fields.
        unclear: share of read fields that the referee would ask about; None without read fields.
        unclear_between: the same share for fields in between two shapes; None without such fields.
        people_left_out: number of people whose tongues were read by networks that have not seen them (reading.py).
        confusions: confusion tables.
        groups: figures of each group of players.
        reliability: reliability of the confidence of each field.
    """

    right: Mapping[Measure, Share]
    sure_wrong: Share | None
    unclear: Share | None
    unclear_between: Share | None
    people_left_out: int
    confusions: tuple[Confusion, ...]
    groups: tuple[Group, ...]
    reliability: tuple[Reliability, ...]

    @classmethod
    def of(cls, images: Iterable[Evaluated]) -> Figures:
        """Count over all images."""
        images = tuple(images)
        outcomes = [outcome for image in images for outcome in image.outcomes]
        shares = {m: Share.of(outcome.right for outcome in outcomes if outcome.measure is m) for m in Measure}
        read = [outcome for outcome in outcomes if outcome.sure is not None]
        plain = [outcome for outcome in read if outcome.measure not in APART]
        return cls(
            {measure: share for measure, share in shares.items() if share is not None},
            Share.of(not outcome.right for outcome in plain if outcome.sure),
            Share.of(not outcome.sure for outcome in plain),
            Share.of(not outcome.sure for outcome in read if outcome.measure is Measure.BETWEEN),
            len({image.left_out for image in images} - {None}),
            confusions(images),
            groups(images),
            reliability(images),
        )


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a set.

    Attributes:
        name: values of its labels.
        people: number of different `subject`s.
        figures: figures of these images alone.
    """

    name: str
    people: int
    figures: Figures


def parts(images: Iterable[Evaluated], *labels: str) -> tuple[Part, ...]:
    """Return all parts, sorted by name. Images that lack one of the labels belong to none."""
    members: dict[str, list[Evaluated]] = {}
    for image in images:
        if all(label in image.row.labels for label in labels):
            members.setdefault(" ".join(image.row.labels[label] for label in labels), []).append(image)
    return tuple(
        Part(name, len({image.row.labels.get("subject") for image in own} - {None}), Figures.of(own))
        for name, own in sorted(members.items())
    )


_DIGITS = 4


class ImageShape(JsonShape):
    """One image. A measure is right if all of its comparisons in the image are."""

    id: str
    truth: Words
    read: Words
    right: dict[str, bool]

    @classmethod
    def of(cls, image: Evaluated) -> Self:
        """Convert an evaluated image."""
        return cls(
            id=image.row.name,
            truth=truth_words(image.truth),
            read=read_words(image.read),
            right={measure.value: right for measure, right in image.right.items()},
        )


class GroupShape(JsonShape):
    """A group of players; `sure_wrong` is left out without sure fields."""

    group: str
    value: str
    people: int
    fields: dict[str, RightShape]
    sure_wrong: ShareShape | None = None

    @classmethod
    def of(cls, group: Group) -> Self:
        """Convert a group."""
        sure_wrong = {} if group.sure_wrong is None else {"sure_wrong": ShareShape.of(group.sure_wrong)}
        return cls(group=group.label, value=group.value, people=group.people, fields=_fields(group.right), **sure_wrong)


class BinShape(JsonShape):
    """Readings of similar confidence: `said` is their mean confidence, `rate` the share of right ones."""

    said: float
    n: int
    right: int
    rate: float
    low: float
    high: float

    @classmethod
    def of(cls, own: Bin) -> Self:
        """Convert a bin."""
        return cls(said=round(own.confidence, _DIGITS), **RightShape.of(own.right).model_dump(exclude_unset=True))


class ReliabilityShape(JsonShape):
    """Reliability of a field: the expected calibration error, and the bins."""

    error: float
    bins: tuple[BinShape, ...]

    @classmethod
    def of(cls, field: Reliability) -> Self:
        """Convert the reliability of a field."""
        return cls(error=round(field.error, _DIGITS), bins=tuple(map(BinShape.of, field.bins)))


class SourceShape(JsonShape):
    """Figures of the images of one source."""

    people: int
    fields: dict[str, RightShape]
    shares: dict[str, ShareShape]

    @classmethod
    def of(cls, part: Part) -> Self:
        """Convert a part of a set."""
        return cls(people=part.people, fields=_fields(part.figures.right), shares=_shares(part.figures))


class ImageFiguresShape(JsonShape):
    """The figures of all images; `sources` is left out unless images name theirs.

    Attributes:
        fields: share of each measure.
        shares: `sure_wrong`, `unclear`, `unclear_between`, if they occur.
        people_left_out: number of people whose tongues were read by networks that have not seen them.
        confusions: counts by name, shown value and read value.
        groups: figures of groups of players.
        reliability: reliability by field.
        sources: figures by source.
    """

    fields: dict[str, RightShape]
    shares: dict[str, ShareShape]
    people_left_out: int
    confusions: dict[str, dict[str, dict[str, int]]]
    groups: tuple[GroupShape, ...]
    reliability: dict[str, ReliabilityShape]
    sources: dict[str, SourceShape] | None = None

    @classmethod
    def of(cls, figures: Figures, sources: Iterable[Part] = ()) -> Self:
        """Convert figures, and those of each source."""
        named = {part.name: SourceShape.of(part) for part in sources}
        more: dict[str, Any] = {"sources": named} if named else {}
        return cls(
            fields=_fields(figures.right),
            shares=_shares(figures),
            people_left_out=figures.people_left_out,
            confusions={confusion.name: _confusion(confusion) for confusion in figures.confusions},
            groups=tuple(map(GroupShape.of, figures.groups)),
            reliability={field.field: ReliabilityShape.of(field) for field in figures.reliability},
            **more,
        )


def _fields(right: Mapping[Measure, Share]) -> dict[str, RightShape]:
    return {measure.value: RightShape.of(share) for measure, share in right.items()}


def _shares(figures: Figures) -> dict[str, ShareShape]:
    shares = {
        "sure_wrong": figures.sure_wrong,
        "unclear": figures.unclear,
        "unclear_between": figures.unclear_between,
    }
    return {name: ShareShape.of(share) for name, share in shares.items() if share is not None}


def _confusion(confusion: Confusion) -> dict[str, dict[str, int]]:
    counts: dict[str, dict[str, int]] = {}
    for (shown, read), count in confusion.counts.items():
        counts.setdefault(shown, {})[read] = count
    return counts


class _Right(BaseModel):
    n: PositiveInt
    right: int


class _Counted(BaseModel):
    n: PositiveInt
    count: int


class _Figures(BaseModel):
    """The part of an `ImageFiguresShape` that every version of the program has printed."""

    fields: dict[str, _Right]
    shares: dict[str, _Counted]


def earlier_figures(path: Path) -> Mapping[str, Share]:
    """Return the share of each measure, and of `sure_wrong`, `unclear` and `unclear_between`.

    Args:
        path: output of `python -m training.evaluate --json`, of which the last line is used.

    Raises:
        InputError: the file is missing or something else.
    """
    try:
        last = _Figures.model_validate_json(read_text(path).splitlines()[-1])
    except FileNotFoundError as error:
        raise InputError(f"There is no {path}: check the name") from error
    except (OSError, UnicodeDecodeError, IndexError, ValidationError) as error:
        raise InputError(
            f"{path} holds no earlier figures: name what `python -m training.evaluate --json` printed"
        ) from error
    fields = {name: Share(share.n, share.right) for name, share in last.fields.items()}
    return fields | {name: Share(share.n, share.count) for name, share in last.shares.items()}
