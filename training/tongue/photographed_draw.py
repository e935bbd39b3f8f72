"""Draw of photographed views: tongues laid into real faces, whole faces, closed mouths, renders among them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from training.tongue.mouth_augmentation import graft, lay_tongue, vary
from training.tongue.mouth_crops import WIDE_SIZE
from training.tongue.mouth_draw import WEIGHTS
from training.tongue.photographed_mouths import MASKED, PEOPLE, WHOLE
from training.tongue.sources import IN_ROOMS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from bunnymoose_cv.capture.frame import Image
    from training.tongue.photographed_mouths import Mouth

SHARE_OUT: Final = 0.45
SHARES_OUT: Final = (0.38, 0.14, 0.16, 0.32)
"""Shares among tongues: masked ones laid into faces, the same with their lips, whole faces, renders."""

SHARES_IN: Final = (0.60, 0.08, 0.32)
"""Shares among mouths without a tongue: photographs, patches of skin in the shape of a tongue, renders."""

GRAFTED: Final = 0.35
"""Share of mouths, whole faces and renders, that are set into the face of somebody else."""

SEEN_AREA, SEEN_CHANGE = 150, 24
"""Pixels and grey levels that a laid tongue has to change, or it is laid anew."""

TRIES: Final = 6
PHOTOGRAPHED: Final = {
    "real mouths": 0.35,
    "real faces": 0.05,
    "real heads with hands": 0.05,
    WHOLE: 0.30,
    PEOPLE: 0.25,
}
"""Weights of the photographed sources; mouths wide open are among the whole faces."""


class _Sources:
    """Mouths drawn source by source, each source by its weight."""

    def __init__(self, mouths: Sequence[Mouth], weights: Mapping[str, float]) -> None:
        groups = {name: [mouth for mouth in mouths if mouth.group == name] for name in weights}
        self._groups = [group for group in groups.values() if group]
        chosen = np.array([weights[name] for name, group in groups.items() if group])
        self._weights = chosen / chosen.sum()

    def one(self, random: np.random.Generator) -> Mouth:
        """One mouth."""
        group = self._groups[int(random.choice(len(self._groups), p=self._weights))]
        return group[int(random.integers(len(group)))]


@dataclass(frozen=True, slots=True, eq=False)
class _View:
    """A wide cut, the folds of its mouth and face, and whether a poor camera has made it."""

    scene: Image
    folds: tuple[int, int]
    by_camera: bool = False


class PhotographedDraw:
    """Random views of mouths; neither a seam nor a photographed face tells whether a tongue is out."""

    def __init__(self, mouths: Sequence[Mouth], renders: Sequence[Mouth], seed: int) -> None:
        self._random = np.random.default_rng(seed)
        self._masked = [mouth for mouth in mouths if mouth.group == MASKED]
        self._photographs = {
            out: _Sources([mouth for mouth in mouths if mouth.out is out], PHOTOGRAPHED) for out in (False, True)
        }
        self._renders = {
            out: _Sources([mouth for mouth in renders if mouth.out is out], WEIGHTS) for out in (False, True)
        }

    def view(self) -> tuple[Image, bool, tuple[int, int]]:
        """A network input, whether it shows a tongue, and the folds of mouth and face."""
        out = bool(self._random.random() < SHARE_OUT)
        view = self._tongue() if out else self._no_tongue()
        return vary(view.scene, self._random, by_camera=view.by_camera), out, view.folds

    def _tongue(self) -> _View:
        sort = int(self._random.choice(len(SHARES_OUT), p=SHARES_OUT))
        if sort == 0:
            return self._laid()
        if sort == 1:
            return self._grafted(self._masked_tongue())
        return self._shown((self._renders if sort == len(SHARES_OUT) - 1 else self._photographs)[True])

    def _no_tongue(self) -> _View:
        sort = int(self._random.choice(len(SHARES_IN), p=SHARES_IN))
        if sort == 1:
            return self._patch()
        return self._shown((self._renders if sort == len(SHARES_IN) - 1 else self._photographs)[False])

    def _shown(self, sources: _Sources) -> _View:
        """A mouth in its own face or set into another."""
        mouth = sources.one(self._random)
        if self._random.random() < GRAFTED:
            return self._grafted(mouth)
        return _View(mouth.image, (mouth.fold, mouth.fold), mouth.group == IN_ROOMS)

    def _grafted(self, mouth: Mouth) -> _View:
        host = self._host()
        return _View(graft(mouth.image, host.image, self._random), (mouth.fold, host.fold))

    def _laid(self) -> _View:
        """A masked tongue in the face of somebody else, plain enough to be seen."""
        for _ in range(TRIES):
            mouth, host = self._masked_tongue(), self._host()
            image = lay_tongue(mouth.image, _cover(mouth), host.image, self._random)
            change = np.abs(image.astype(int) - host.image).max(2)
            changed = change[change > 8]
            if len(changed) > SEEN_AREA and changed.mean() > SEEN_CHANGE:
                break
        return _View(image, (mouth.fold, host.fold))

    def _patch(self) -> _View:
        """Skin of somebody else in the shape of a tongue: no tongue."""
        mouth, skin, host = self._masked_tongue(), self._host(), self._host()
        shifts = self._random.integers(-WIDE_SIZE // 3, WIDE_SIZE // 3, 2)
        elsewhere = np.asarray(np.roll(skin.image, tuple(int(shift) for shift in shifts), (0, 1)), np.uint8)
        image = lay_tongue(elsewhere, _cover(mouth), host.image, self._random)
        return _View(image, (skin.fold, host.fold))

    def _masked_tongue(self) -> Mouth:
        return self._masked[int(self._random.integers(len(self._masked)))]

    def _host(self) -> Mouth:
        """A photographed face without a tongue."""
        return self._photographs[False].one(self._random)


def _cover(mouth: Mouth) -> npt.NDArray[np.uint8]:
    if mouth.cover is None:
        raise ValueError("a masked tongue has no mask")
    return mouth.cover
