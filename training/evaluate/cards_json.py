"""Lines of an evaluation of card photographs: one JSON object a photograph, and a last one with the figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from bunnymoose_cv.core.json_shape import AnyText, JsonShape
from training.evaluate.share_json import ShareShape

if TYPE_CHECKING:
    from training.evaluate.card_manifest import CardFigures, CardOutcome, ImageOutcome


class PlaceShape(JsonShape):
    """One place; `state` is null where it was not found, `read` lists the likeliest face first."""

    truth: str
    state: str | None
    read: tuple[str, ...]
    right: bool

    @classmethod
    def of(cls, place: CardOutcome) -> Self:
        """From what was read at a place."""
        state = None if place.state is None else place.state.value
        return cls(truth=place.shows, state=state, read=place.offered, right=place.is_as_shown)


class PhotographShape(JsonShape):
    """One photograph; `invented` are faces that were read where no card lies."""

    source: AnyText
    group: str
    places: tuple[PlaceShape, ...]
    invented: tuple[str, ...]
    seconds: float

    @classmethod
    def of(cls, image: ImageOutcome) -> Self:
        """From what was read of a photograph."""
        return cls(
            source=image.name,
            group=image.group,
            places=tuple(map(PlaceShape.of, image.places)),
            invented=image.invented,
            seconds=round(image.seconds, 3),
        )


class CardFiguresShape(JsonShape):
    """Figures of a group of photographs; a share of nothing is null."""

    found: ShareShape | None
    right: ShareShape | None
    all_right: ShareShape | None
    asked: ShareShape | None
    offered: ShareShape | None
    sure_wrong: ShareShape | None
    taken: ShareShape | None
    invented: ShareShape | None
    photographs: int
    median_s: float

    @classmethod
    def of(cls, figures: CardFigures) -> Self:
        """From the figures of a group."""
        shares = {name: None if share is None else ShareShape.of(share) for name, share in figures.shares.items()}
        return cls(**shares, photographs=figures.images, median_s=figures.median_seconds)


class AllFiguresShape(JsonShape):
    """Figures of all photographs, under an empty name, and of each group."""

    figures: dict[str, CardFiguresShape]
