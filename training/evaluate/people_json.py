"""Lines of an evaluation of real people: one JSON object a crop, and a last one with the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bunnymoose_cv.core.json_shape import JsonShape
from bunnymoose_cv.rules.pose import format_headgear
from training.evaluate.people import ALL
from training.evaluate.share_json import ShareShape

if TYPE_CHECKING:
    from collections.abc import Mapping

    from training.evaluate.people import PeopleFigures, ReadPerson
    from training.evaluate.reading import ReadPlayer


class ReadPoseShape(JsonShape):
    """Pose that was read."""

    left: str
    right: str
    tongue: str

    @classmethod
    def of(cls, read: ReadPlayer) -> Self:
        """From a reading."""
        return cls(
            left=format_headgear(read.pose.left),
            right=format_headgear(read.pose.right),
            tongue=read.tongue.tongue.name.lower(),
        )


class QuestionShape(JsonShape):
    """Questions about a player."""

    headgear: bool
    tongue: bool


class PersonShape(JsonShape):
    """One labelled crop; a side is null in `held` if it is not scored, `read` if no player was found."""

    id: str
    person: str
    source: str
    category: str
    truth: dict[str, str]
    held: dict[str, str | None]
    read: ReadPoseShape | None
    question: QuestionShape

    @classmethod
    def of(cls, person: ReadPerson) -> Self:
        """From a crop that was read."""
        row = person.row
        return cls(
            id=row.name,
            person=row.person,
            source=row.source,
            category=row.category.value,
            truth={side.name.lower(): label.text for side, label in row.sides.items()},
            held={side.name.lower(): label.held and label.held.value for side, label in row.sides.items()},
            read=None if person.read is None else ReadPoseShape.of(person.read),
            question=QuestionShape(headgear=person.asks_headgear, tongue=person.asks_tongue),
        )


class PeopleShape(JsonShape):
    """Figures of all people; of each source they stand beside its number of `persons`."""

    people: dict[str, ShareShape]
    persons: int
    sources: dict[str, dict[str, int | ShareShape]]

    @classmethod
    def of(cls, figures: Mapping[str, PeopleFigures]) -> Self:
        """From the figures of all, and of each source (`figures_by_source`)."""
        return cls(
            people=_shares(figures[ALL]),
            persons=figures[ALL].persons,
            sources={name: {"persons": own.persons, **_shares(own)} for name, own in figures.items() if name != ALL},
        )


def _shares(figures: PeopleFigures) -> dict[str, ShareShape]:
    return {name: ShareShape.of(share) for name, share in figures.shares.items()}
