"""Page of the worst mistakes, with the images that may be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.vision.shrink import shrink
from training.evaluate.datasets import RowKind
from training.evaluate.label_words import read_words, spelled, truth_words

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bunnymoose_cv.capture.frame import Image
    from bunnymoose_cv.record.still_images import Stills
    from training.evaluate.comparison import Outcome
    from training.evaluate.evaluated import Evaluated
    from training.evaluate.mistakes import Mistake

SHOWN: Final = 12
"""Number of those shown as an image, rendered ones only; photographs are not ours to copy."""

LONGEST_SIDE: Final = 480
"""Pixels of a shown image's longer side."""

_OURS = {RowKind.PLAYER, RowKind.SCENE}


def mistakes_page(title: str, found: Sequence[Mistake], draw: Callable[[Evaluated], Image], stills: Stills) -> str:
    """Write the page in Markdown, and the images that it shows.

    Args:
        title: the name of the set.
        found: the mistakes, the worst first.
        draw: draws what is read of an image on it.
        stills: keeps the images.

    Raises:
        InputError: an image can no longer be read, or cannot be written.
    """
    ours = [mistake.image for mistake in found if mistake.image.row.kind in _OURS][:SHOWN]
    drawn = {one.row.name: stills.keep(shrink(draw(one), LONGEST_SIDE)[0], one.row.name).name for one in ours}
    return _page(title, found, drawn)


def _page(title: str, found: Sequence[Mistake], drawn: Mapping[str, str]) -> str:
    lines = [
        f"# The worst mistakes: {title}",
        "",
        "The surest first; *sure* ones would have stood without a person being asked.",
    ]
    for mistake in found:
        image = mistake.image
        lines += ["", f"## {image.row.name}", "", f"- shown: {spelled(truth_words(image.truth))}"]
        lines += [f"- read: {spelled(read_words(image.read))}", f"- wrong: {_wrong(mistake)}"]
        if image.row.name in drawn:
            lines += ["", f"![{image.row.name}]({drawn[image.row.name]})"]
    return "\n".join(lines) + "\n"


def _wrong(mistake: Mistake) -> str:
    if not mistake.wrong:
        return ", ".join(measure.value for measure, right in mistake.image.right.items() if not right)
    return ", ".join(map(_said, mistake.wrong))


def _said(outcome: Outcome) -> str:
    said = "" if outcome.confidence is None else f", said {outcome.confidence:.0%}"
    return f"{outcome.measure.value} ({'sure' if outcome.sure else 'unclear'}{said})"
