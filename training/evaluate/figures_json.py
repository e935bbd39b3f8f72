"""Lines of an evaluation of images: one JSON object an image, and a last one with the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

from bunnymoose_cv.core.json_shape import JsonShape
from training.evaluate.label_words import Words, read_words, truth_words
from training.evaluate.share_json import RightShape, ShareShape

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from training.evaluate.comparison import Measure
    from training.evaluate.confusion import Confusion
    from training.evaluate.evaluated import Evaluated
    from training.evaluate.groups import Group
    from training.evaluate.metrics import Figures, Part
    from training.evaluate.reliability import Bin, Reliability
    from training.evaluate.shares import Share

_DIGITS = 4


class ImageShape(JsonShape):
    """One image; a measure is right if all of its comparisons in the image are."""

    id: str
    truth: Words
    read: Words
    right: dict[str, bool]

    @classmethod
    def of(cls, image: Evaluated) -> Self:
        """From an evaluated image."""
        return cls(
            id=image.row.name,
            truth=truth_words(image.truth),
            read=read_words(image.read),
            right={measure.value: right for measure, right in image.right.items()},
        )


class GroupShape(JsonShape):
    """A group of players; `sure_wrong` stands only where something was sure."""

    group: str
    value: str
    people: int
    fields: dict[str, RightShape]
    sure_wrong: ShareShape | None = None

    @classmethod
    def of(cls, group: Group) -> Self:
        """From a group."""
        sure_wrong = {} if group.sure_wrong is None else {"sure_wrong": ShareShape.of(group.sure_wrong)}
        return cls(group=group.label, value=group.value, people=group.people, fields=_fields(group.right), **sure_wrong)


class BinShape(JsonShape):
    """Readings that are about equally sure: `said` is their mean confidence, `rate` how many are right."""

    said: float
    n: int
    right: int
    rate: float
    low: float
    high: float

    @classmethod
    def of(cls, own: Bin) -> Self:
        """From a bin."""
        return cls(said=round(own.confidence, _DIGITS), **RightShape.of(own.right).model_dump(exclude_unset=True))


class ReliabilityShape(JsonShape):
    """Reliability of a field: the expected calibration error, and the bins."""

    error: float
    bins: tuple[BinShape, ...]

    @classmethod
    def of(cls, field: Reliability) -> Self:
        """From the reliability of a field."""
        return cls(error=round(field.error, _DIGITS), bins=tuple(map(BinShape.of, field.bins)))


class SourceShape(JsonShape):
    """Figures of the images of one source."""

    people: int
    fields: dict[str, RightShape]
    shares: dict[str, ShareShape]

    @classmethod
    def of(cls, part: Part) -> Self:
        """From a part of a set."""
        return cls(people=part.people, fields=_fields(part.figures.right), shares=_shares(part.figures))


class ImageFiguresShape(JsonShape):
    """The figures of all images; `sources` stand only where images name theirs.

    Attributes:
        fields: each measure.
        shares: `sure_wrong`, `unclear`, `unclear_between`, as far as there were any.
        people_left_out: how many people's tongues were read by nets that have not seen them.
        confusions: by name, what was shown, and what was read.
        groups: of players.
        reliability: by field.
        sources: by name.
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
        """From figures, and those of each source."""
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
