"""Training views of sides of heads: rendered ones for the start, with real people and composites for fine-tuning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from training.evaluate.side_labels import Held
from training.headgear.composites import hand_in_cut, laid_over
from training.headgear.examples import ANTLER, COLUMNS, EAR, NEITHER
from training.headgear.side_augmentation import varied

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.headgear.composites import Compositor
    from training.headgear.examples import Sides, Truth
    from training.headgear.people import PersonSide

    Joints = npt.NDArray[np.floating]
    Batch = tuple[npt.NDArray[np.uint8], dict[str, npt.NDArray[Any]]]
    """Inputs of the network, and the values, between, joints and person of each view."""

STARTING: Final = (0.26, 0.36, 0.22, 0.08, 0.08)
"""Shares of antlers, ears, other hands, empty sides and photographs of empty sides for the start; a sort without any
example is left out. Other hands are shown nearly twice as often as they would be by chance."""

TRANSPLANTED: Final = 0.4
"""Share of the hands that are laid over a photograph."""

RENDERED, PEOPLE, COMPOSITED = 4500, 5500, 6000
"""Number of fine-tuning views of each source."""

RENDER_SHARES: Final = (0.33, 0.36, 0.20, 0.11)
"""Shares of antlers, ears, other hands and empty sides among rendered views."""

PEOPLE_SHARES: Final = (0.22, 0.50, 0.28)
"""Shares of headgear, other hands and empty sides among views of people; persons are drawn by the root of their number
of sides."""

OVER_PEOPLE: Final = 0.5
"""Share of rendered hands that are laid over a real head."""

PLAIN: Final = np.zeros(len(COLUMNS), np.bool_)
"""Mask of a truth of which nothing is between two values."""


class RenderedSides:
    """Stored sides of rendered heads, and of photographed heads that hold nothing.

    Attributes:
        images: shape (n, STORED_SIZE, STORED_SIZE, 3).
        joints: joints of the hand in each, shape (n, 21, 2); NaN if unknown.
        truth: truth of each.
        has_hand: whether the joints of a hand are known and in the image, shape (n,).
        sorts: rows of antlers, ears, other hands, empty sides, photographs.
    """

    def __init__(self, sides: Sides) -> None:
        self.images, self.joints, self.truth = sides.images(), sides.joints, sides.truth
        self.has_hand = np.array([hand_in_cut(joints) for joints in sides.joints])
        kind = sides.truth.values[:, 0]
        photographed = np.char.startswith(sides.truth.place, "group_")
        neither = (kind == NEITHER) & ~photographed
        each = kind == ANTLER, kind == EAR, neither & self.has_hand, neither & ~self.has_hand, photographed
        self.sorts = [np.flatnonzero(rows) for rows in each]

    def image(self, row: int) -> Image:
        """Return one image."""
        return np.asarray(self.images[row], np.uint8)


class StartingViews:
    """Views for the start of the side network, varied differently each time."""

    def __init__(self, sides: Sides, batch: int) -> None:
        self._sides, self._batch = RenderedSides(sides), batch
        shares = np.array(STARTING) * [len(rows) > 0 for rows in self._sides.sorts]
        self._shares = shares / shares.sum()

    def batch(self, draw: np.random.Generator) -> tuple[npt.NDArray[np.uint8], Truth, Joints]:
        """Return inputs of the network, their truth and joints."""
        sides = self._sides
        sorts = draw.choice(len(sides.sorts), self._batch, p=self._shares)
        rows = np.array([draw.choice(sides.sorts[sort]) for sort in sorts])
        shown = [varied(self._shown(row, draw), sides.joints[row], self._another(draw), draw) for row in rows]
        crops, joints = (np.stack(parts) for parts in zip(*shown, strict=True))
        return crops, sides.truth.take(rows), joints

    def _shown(self, row: int, draw: np.random.Generator) -> Image:
        """Return an image; of some only the hand, over a photograph."""
        sides = self._sides
        if len(sides.sorts[-1]) and sides.has_hand[row] and draw.random() < TRANSPLANTED:
            return laid_over(sides.images[row], sides.joints[row], self._photograph(draw), draw)
        return sides.image(row)

    def _photograph(self, draw: np.random.Generator) -> Image:
        return self._sides.image(draw.choice(self._sides.sorts[-1]))

    def _another(self, draw: np.random.Generator) -> Image:
        """Return any image, half of the time a photograph."""
        if len(self._sides.sorts[-1]) and draw.random() < 0.5:
            return self._photograph(draw)
        return self._sides.image(int(draw.integers(len(self._sides.images))))


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A stored cut with its truth, its joints, and the person; "" if it shows nobody real."""

    cut: Image
    values: Sequence[int] | npt.NDArray[np.int8]
    between: npt.NDArray[np.bool_]
    joints: Joints
    person: str


class TuningViews:
    """Random views of rendered sides, real people and composites, for fine-tuning."""

    def __init__(self, renders: Sides, people: Sequence[PersonSide], compositor: Compositor, seed: int) -> None:
        self._draw, self._compositor = np.random.default_rng(seed), compositor
        self._renders = RenderedSides(renders)
        self._empty = [side for side in people if side.held is Held.EMPTY]
        headgear = [side for side in people if side.held in {Held.ANTLER, Held.EAR}]
        others = [side for side in people if side.held is Held.OTHER_HAND]
        self._groups = [_by_person(group) for group in (headgear, others, self._empty)]

    def batches(self, size: int) -> Iterator[Batch]:
        """Yield all views in random order, batch by batch."""
        makers: list[Callable[[], _View]] = [self._rendered] * RENDERED
        makers += [self._of_people] * PEOPLE + [self._composited] * COMPOSITED
        order = self._draw.permutation(len(makers))
        for first in range(0, len(makers), size):
            views = [makers[index]() for index in order[first : first + size]]
            shown = [varied(view.cut, view.joints.astype(np.float16), self._another(), self._draw) for view in views]
            yield (
                np.stack([crop for crop, _ in shown]),
                {
                    "values": np.array([view.values for view in views], np.int8),
                    "between": np.array([view.between for view in views]),
                    "joints": np.array([joints for _, joints in shown], np.float32),
                    "person": np.array([view.person for view in views]),
                },
            )

    def _rendered(self) -> _View:
        """Return a rendered side, half of its hands over a real head."""
        renders, draw = self._renders, self._draw
        row = int(draw.choice(renders.sorts[int(draw.choice(len(RENDER_SHARES), p=RENDER_SHARES))]))
        image, joints, person = renders.image(row), renders.joints[row], ""
        if renders.has_hand[row] and draw.random() < OVER_PEOPLE:
            head = self._empty_side()
            image, person = laid_over(image, joints, head.cut, draw), head.person
        return _View(image, renders.truth.values[row], renders.truth.between[row], joints, person)

    def _of_people(self) -> _View:
        """Return a side of a real person."""
        people, shares = self._groups[int(self._draw.choice(len(self._groups), p=PEOPLE_SHARES))]
        sides = people[int(self._draw.choice(len(people), p=shares))]
        side = sides[int(self._draw.integers(len(sides)))]
        return _View(side.cut, side.values, PLAIN, side.joints, side.person)

    def _composited(self) -> _View:
        """Return a photographed hand at a real head."""
        head = self._empty_side()
        made = self._compositor.over(head.cut)
        return _View(made.cut, made.values, PLAIN, made.joints, head.person)

    def _another(self) -> Image:
        """Return any rendered image, for patches and haze."""
        return self._renders.image(int(self._draw.integers(len(self._renders.images))))

    def _empty_side(self) -> PersonSide:
        return self._empty[int(self._draw.integers(len(self._empty)))]


def _by_person(sides: Sequence[PersonSide]) -> tuple[list[list[PersonSide]], npt.NDArray[np.float64]]:
    """Return the sides of each person, and the share of each person by the root of their number."""
    people: dict[str, list[PersonSide]] = {}
    for side in sides:
        people.setdefault(side.person, []).append(side)
    roots = np.sqrt([len(own) for own in people.values()])
    return [*people.values()], roots / roots.sum()
