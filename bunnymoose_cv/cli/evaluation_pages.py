"""The pages that docs/accuracy.md is made of: figures, sources, confusions, groups, reliability, mistakes.

They are Markdown, written anew each time; prose belongs elsewhere. The reliability diagram is an SVG picture:
confidence to the right, accuracy upwards.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import cv2
import numpy as np

from bunnymoose_cv.cli.evaluation_lines import read_words, spelled, truth_words
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.evaluation.confusion import NOT_FOUND
from bunnymoose_cv.evaluation.datasets import RowKind
from bunnymoose_cv.evaluation.groups import MEASURES
from bunnymoose_cv.evaluation.metrics import Figures, parts
from bunnymoose_cv.evaluation.mistakes import mistakes
from bunnymoose_cv.record.still_images import Stills

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.evaluation.comparison import Outcome
    from bunnymoose_cv.evaluation.confusion import Confusion
    from bunnymoose_cv.evaluation.evaluated import Evaluated
    from bunnymoose_cv.evaluation.groups import Group
    from bunnymoose_cv.evaluation.metrics import Part
    from bunnymoose_cv.evaluation.mistakes import Mistake
    from bunnymoose_cv.evaluation.reliability import Bin, Reliability
    from bunnymoose_cv.evaluation.shares import Share


PANEL: Final = 150
"""Side of one field's square, in units of the drawing."""

MARGIN: Final = 45
COLUMNS: Final = 3
LARGEST_DOT: Final = 9.0
SMALLEST_DOT: Final = 1.5


def reliability_diagram(fields: Sequence[Reliability]) -> str:
    """Draw a square for each field: a dot for each bin, larger for more readings, with its 95 % interval.

    Dots on the dashed line are as often right as they say, above it more often.
    """
    step = PANEL + MARGIN
    rows = math.ceil(len(fields) / COLUMNS)
    width, height = COLUMNS * step + MARGIN, rows * step + MARGIN
    panels = (
        f'<g transform="translate({MARGIN + index % COLUMNS * step} {MARGIN + index // COLUMNS * step})">'
        f"{''.join(_panel(field))}</g>"
        for index, field in enumerate(fields)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}"'
        ' font-family="sans-serif" font-size="11">'
        f'<rect width="{width}" height="{height}" fill="white"/>{"".join(panels)}</svg>\n'
    )


def _panel(field: Reliability) -> Iterator[str]:
    yield f'<rect width="{PANEL}" height="{PANEL}" fill="none" stroke="#999"/>'
    yield f'<line x1="{_x(0.5):.1f}" y1="{_y(0.5):.1f}" x2="{PANEL}" y2="0" stroke="#999" stroke-dasharray="4 3"/>'
    yield f'<text x="0" y="-8" font-weight="bold">{field.field}</text>'
    yield f'<text x="{PANEL}" y="-8" text-anchor="end">error {field.error:.1%}</text>'
    for mark in (0.5, 0.75, 1.0):
        yield f'<text x="{_x(mark):.1f}" y="{PANEL + 13}" text-anchor="middle">{mark}</text>'
    for mark in (0.0, 0.5, 1.0):
        yield f'<text x="-5" y="{_y(mark) + 4:.1f}" text-anchor="end">{mark}</text>'
    most = max(own.right.total for own in field.bins)
    for own in field.bins:
        yield from _dot(own, most)


def _dot(own: Bin, most: int) -> Iterator[str]:
    x, (low, high) = _x(own.confidence), own.right.interval
    radius = max(SMALLEST_DOT, LARGEST_DOT * math.sqrt(own.right.total / most))
    yield f'<line x1="{x:.1f}" y1="{_y(low):.1f}" x2="{x:.1f}" y2="{_y(high):.1f}" stroke="#0072b2"/>'
    yield (
        f'<circle cx="{x:.1f}" cy="{_y(own.right.rate):.1f}" r="{radius:.1f}" fill="#0072b2" fill-opacity="0.7">'
        f"<title>{own.right.count} of {own.right.total} right, said {own.confidence:.0%}</title></circle>"
    )


def _x(confidence: float) -> float:
    """A square shows the confidence from a third, the least that a kind can have, to 1."""
    return (confidence - 1 / 3) / (1 - 1 / 3) * PANEL


def _y(rate: float) -> float:
    return (1 - rate) * PANEL


SHOWN: Final = 24
"""Number of the worst mistakes on the page."""

PICTURED: Final = 12
"""Number of those shown as a picture, rendered ones only; photographs are not ours to copy."""

LONGEST_SIDE: Final = 480
"""Pixels of a shown picture's longer side."""

_OURS = {RowKind.PLAYER, RowKind.SCENE}


@dataclass(frozen=True, slots=True)
class Report:
    """Content of an evaluation's pages.

    Attributes:
        title: the name of the set.
        pictures: what was evaluated.
        earlier: figures to stand beside today's (evaluation_lines.py); may be empty.
        draw: draws what is read of a picture on it.
    """

    title: str
    pictures: Sequence[Evaluated]
    earlier: Mapping[str, Share]
    draw: Callable[[Evaluated], Picture]

    def write(self, folder: Path) -> None:
        """Write `figures.md`, `reliability.svg`, `mistakes.md` and the pictures beside it.

        Args:
            folder: is made where it is missing.

        Raises:
            InputError: the folder cannot be written to, or a picture no longer read.
        """
        figures = Figures.of(self.pictures)
        found = mistakes(self.pictures)[:SHOWN]
        stills = Stills(folder)
        drawn = self._drawn(found, stills)
        pages = {
            "figures.md": self._figures_page(figures),
            "reliability.svg": reliability_diagram(figures.reliability),
            "mistakes.md": _mistakes_page(self.title, found, drawn),
        }
        write_pages(folder, pages)

    def _drawn(self, found: Iterable[Mistake], stills: Stills) -> dict[str, str]:
        """The file of each picture that is shown, by the picture's id."""
        ours = [mistake.picture for mistake in found if mistake.picture.row.kind in _OURS][:PICTURED]
        return {one.row.name: stills.keep(_shrunk(self.draw(one)), one.row.name).name for one in ours}

    def _figures_page(self, figures: Figures) -> str:
        lines = [f"# {self.title}", "", *_figures(figures, self.earlier)]
        sources = parts(self.pictures, "source")
        if sources:
            lines += ["", "## Sources", "", *_sources(sources)]
            lines += ["", "## Labels of which some are wrong", "", *_labels(parts(self.pictures, "source", "label"))]
        for confusion in figures.confusions:
            lines += ["", f"## What was read as what: {confusion.name}", "", *_confusion(confusion)]
        if figures.groups:
            lines += ["", "## Groups", "", *_groups(figures.groups)]
        lines += ["", "## Whether confidence means what it says", "", "![reliability diagram](reliability.svg)", ""]
        return "\n".join([*lines, *_reliability(figures.reliability)]) + "\n"


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Write pages, by their names, into a folder that is made where it is missing.

    Raises:
        InputError: the folder cannot be written to.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            (folder / name).write_text(text, "utf-8")
    except OSError as error:
        raise InputError(f"The folder {folder} cannot be written to ({error.strerror}): name another one") from error


def percent(share: Share) -> tuple[str, str]:
    """A rate and its 95 % interval in words."""
    low, high = share.interval
    return f"{share.rate:.1%}", f"{low:.1%} – {high:.1%}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'|'.join(['---', *['--:'] * (len(head) - 1)])}|"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _figures(figures: Figures, earlier: Mapping[str, Share]) -> Iterator[str]:
    head = ["field", *_SHARE, *(["before"] if earlier else [])]
    rows = (
        [name, *_counted(share), *_before(earlier.get(key), earlier)] for name, key, share in _named_shares(figures)
    )
    yield from _table(head, rows)


_SHARE = ("right", "of", "rate", "95 % interval")


def _counted(share: Share) -> tuple[str, ...]:
    return str(share.count), str(share.total), *percent(share)


def _named_shares(figures: Figures) -> Iterator[tuple[str, str, Share]]:
    """Each share: its name on the page, its name in the outside shape, itself."""
    for measure, share in figures.right.items():
        yield f"`{measure.value}`", measure.value, share
    for name, key, part in (
        ("*sure and yet wrong*", "sure_wrong", figures.sure_wrong),
        ("*asked about*", "unclear", figures.unclear),
        ("*asked about, in between*", "unclear_between", figures.unclear_between),
    ):
        if part is not None:
            yield name, key, part


def _sources(sources: Iterable[Part]) -> Iterator[str]:
    """A line for each field of each source."""
    yield from _table(
        ["source, people", "field", *_SHARE],
        (
            [f"{source.name}, {source.people}", name, *_counted(share)]
            for source in sources
            for name, _, share in _named_shares(source.figures)
        ),
    )


def _labels(labels: Iterable[Part]) -> Iterator[str]:
    """A line for each field of a label that is wrong somewhere, the most often wrong first."""
    wrong = (
        (measure, label, share)
        for label in labels
        for measure, share in label.figures.right.items()
        if share.count < share.total
    )
    ordered = sorted(wrong, key=lambda line: line[2].count - line[2].total)
    yield from _table(
        ["source and label", "field", *_SHARE],
        ([label.name, f"`{measure.value}`", *_counted(share)] for measure, label, share in ordered),
    )


def _before(was: Share | None, earlier: Mapping[str, Share]) -> list[str]:
    if not earlier:
        return []
    return ["–" if was is None else f"{was.count} of {was.total}, {was.rate:.1%}"]


def _confusion(confusion: Confusion) -> Iterator[str]:
    """Rows are what is shown, columns what was read."""
    yield from _table(
        ["shown ↓ read →", *confusion.values, NOT_FOUND],
        ([shown, *(str(count) if count else "·" for count in confusion.row(shown))] for shown in confusion.values),
    )


def _groups(groups: Iterable[Group]) -> Iterator[str]:
    head = ["group", "people", *(measure.value for measure in MEASURES), "sure and wrong"]
    yield from _table(
        head,
        (
            [
                f"{group.label} {group.value}",
                str(group.people),
                *(_short(group.right.get(measure)) for measure in MEASURES),
                _short(group.sure_wrong),
            ]
            for group in groups
        ),
    )


def _short(share: Share | None) -> str:
    return "–" if share is None else f"{share.rate:.1%} of {share.total}"


def _reliability(fields: Iterable[Reliability]) -> Iterator[str]:
    yield from _table(
        ["field", "says", "is right", "of", "95 % interval"],
        (
            [field.field, f"{own.confidence:.1%}", percent(own.right)[0], str(own.right.total), percent(own.right)[1]]
            for field in fields
            for own in field.bins
        ),
    )


def _mistakes_page(title: str, found: Sequence[Mistake], drawn: Mapping[str, str]) -> str:
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
