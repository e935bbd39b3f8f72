"""Page of the worst mistakes, with the pictures that may be shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.cli.evaluation_lines import read_words, spelled, truth_words
from bunnymoose_cv.evaluation.datasets import RowKind

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.evaluation.comparison import Outcome
    from bunnymoose_cv.evaluation.evaluated import Evaluated
    from bunnymoose_cv.evaluation.mistakes import Mistake
    from bunnymoose_cv.record.still_images import Stills

PICTURED: Final = 12
"""Number of those shown as a picture, rendered ones only; photographs are not ours to copy."""

LONGEST_SIDE: Final = 480
"""Pixels of a shown picture's longer side."""

_OURS = {RowKind.PLAYER, RowKind.SCENE}


def mistakes_page(title: str, found: Sequence[Mistake], draw: Callable[[Evaluated], Picture], stills: Stills) -> str:
    """Write the page in Markdown, and the pictures that it shows.

    Args:
        title: the name of the set.
        found: the mistakes, the worst first.
        draw: draws what is read of a picture on it.
        stills: keeps the pictures.

    Raises:
        InputError: a picture can no longer be read, or cannot be written.
    """
    ours = [mistake.picture for mistake in found if mistake.picture.row.kind in _OURS][:PICTURED]
    drawn = {one.row.name: stills.keep(_shrunk(draw(one)), one.row.name).name for one in ours}
    return _page(title, found, drawn)


def _page(title: str, found: Sequence[Mistake], drawn: Mapping[str, str]) -> str:
    lines = [
        f"# The worst mistakes: {title}",
        "",
        "The surest first; *sure* ones would have stood without a person being asked.",
    ]
    for mistake in found:
        picture = mistake.picture
        lines += ["", f"## {picture.row.name}", "", f"- shown: {spelled(truth_words(picture.truth))}"]
        lines += [f"- read: {spelled(read_words(picture.read))}", f"- wrong: {_wrong(mistake)}"]
        if picture.row.name in drawn:
            lines += ["", f"![{picture.row.name}]({drawn[picture.row.name]})"]
    return "\n".join(lines) + "\n"


def _wrong(mistake: Mistake) -> str:
    if not mistake.wrong:
        return ", ".join(measure.value for measure, right in mistake.picture.right.items() if not right)
    return ", ".join(map(_said, mistake.wrong))


def _said(outcome: Outcome) -> str:
    said = "" if outcome.confidence is None else f", said {outcome.confidence:.0%}"
    return f"{outcome.measure.value} ({'sure' if outcome.sure else 'unclear'}{said})"


def _shrunk(picture: Picture) -> Picture:
    height, width = picture.shape[:2]
    scale = min(1.0, LONGEST_SIDE / max(height, width))
    size = (round(width * scale), round(height * scale))
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
