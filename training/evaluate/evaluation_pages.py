"""Pages of a set's figures, linked from docs/accuracy/sets.md: sources, confusions, groups, reliability, mistakes.

They are Markdown and rewritten each time, so prose belongs elsewhere.
"""

from __future__ import annotations

import math
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.cli.framework.named_files import check_output_file, check_output_folder
from bunnymoose_cv.core.atomic_files import whole_file
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.still_images import Stills
from bunnymoose_cv.vision.geometry import shrink
from training.evaluate.breakdowns import MEASURES, NOT_FOUND
from training.evaluate.datasets import RowKind
from training.evaluate.evaluated import mistakes, read_words, spelled, truth_words
from training.evaluate.metrics import Figures, parts

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.capture.frame import Image
    from training.evaluate.breakdowns import Bin, Confusion, Group, Reliability
    from training.evaluate.comparison import Outcome
    from training.evaluate.evaluated import Evaluated, Mistake
    from training.evaluate.metrics import Part
    from training.evaluate.shares import Share


SHOWN: Final = 24
"""Number of the worst mistakes on the page."""


@dataclass(frozen=True, slots=True)
class Report:
    """Content of an evaluation's pages.

    Attributes:
        title: name of the set.
        images: evaluated images.
        earlier: figures to show beside today's (`earlier_figures`); may be empty.
        draw: function that draws the reading on an image.
    """

    title: str
    images: Sequence[Evaluated]
    earlier: Mapping[str, Share]
    draw: Callable[[Evaluated], Image]

    def write(self, folder: Path) -> None:
        """Write `figures.md`, `reliability.svg`, `mistakes.md` and the images that it shows.

        Args:
            folder: output folder, created if it is missing.

        Raises:
            InputError: the folder cannot be written to, or an image can no longer be read.
        """
        figures = Figures.of(self.images)
        found = mistakes(self.images)[:SHOWN]
        pages = {
            "figures.md": self._figures_page(figures),
            "reliability.svg": reliability_diagram(figures.reliability),
            "mistakes.md": mistakes_page(self.title, found, self.draw, Stills(folder)),
        }
        write_pages(folder, pages)

    def _figures_page(self, figures: Figures) -> str:
        lines = [f"# {self.title}", "", *_figures(figures, self.earlier)]
        sources = parts(self.images, "source")
        if sources:
            lines += ["", "## Sources", "", *_sources(sources)]
            lines += ["", "## Labels of which some are wrong", "", *_labels(parts(self.images, "source", "label"))]
        for confusion in figures.confusions:
            lines += ["", f"## What was read as what: {confusion.name}", "", *_confusion(confusion)]
        if figures.groups:
            lines += ["", "## Groups", "", *_groups(figures.groups)]
        lines += ["", "## Whether confidence means what it says", "", "![reliability diagram](reliability.svg)", ""]
        return "\n".join([*lines, *_reliability(figures.reliability)]) + "\n"


_PAGES: Final = ("figures.md", "reliability.svg", "mistakes.md")


def check_pages(folder: Path, *inputs: Path) -> None:
    """Check, before the work, that pages can be written to a folder, which is created if it is missing.

    Args:
        folder: folder of the pages.
        inputs: input files, which must not be overwritten by a page.

    Raises:
        InputError: the folder cannot be written to, or an input would be lost.
    """
    check_output_folder(folder)
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    for name in _PAGES:
        check_output_file(folder / name, *inputs)


def write_pages(folder: Path, pages: Mapping[str, str]) -> None:
    """Write pages, by their names, to a folder, which is created if it is missing.

    Raises:
        InputError: the folder cannot be written to.
    """
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in pages.items():
            with whole_file(folder / name) as part:
                part.write_text(text, "utf-8")


@contextmanager
def _writing(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"The folder {folder} cannot be written to ({error.strerror}): name another one") from error


def percent(share: Share) -> tuple[str, str]:
    """Return a rate and its 95 % interval in words."""
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
    """Yield for each share its name on the page, its name in the JSON output, and the share."""
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
    """Yield a line for each field of each source."""
    yield from _table(
        ["source, people", "field", *_SHARE],
        (
            [f"{source.name}, {source.people}", name, *_counted(share)]
            for source in sources
            for name, _, share in _named_shares(source.figures)
        ),
    )


def _labels(labels: Iterable[Part]) -> Iterator[str]:
    """Yield a line for each field of a label that is wrong somewhere, the most often wrong first."""
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
    """Yield the table of a confusion, with a row for each shown value and a column for each read one."""
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


MOST_IMAGES: Final = 12
"""Largest number of mistakes shown with an image. Only rendered ones are; photographs are not ours to copy."""

LONGEST_SIDE: Final = 480
"""Longer side of a shown image in pixels."""

_OURS = {RowKind.PLAYER, RowKind.SCENE}


def mistakes_page(title: str, found: Sequence[Mistake], draw: Callable[[Evaluated], Image], stills: Stills) -> str:
    """Write the page in Markdown, and the images that it shows.

    Args:
        title: name of the set.
        found: the mistakes, the worst first.
        draw: function that draws the reading on an image.
        stills: writer of the images.

    Raises:
        InputError: an image can no longer be read, or cannot be written.
    """
    ours = [mistake.image for mistake in found if mistake.image.row.kind in _OURS][:MOST_IMAGES]
    drawn = {one.row.name: stills.keep(shrink(draw(one), LONGEST_SIDE)[0], one.row.name).name for one in ours}
    return _mistakes_text(title, found, drawn)


def _mistakes_text(title: str, found: Sequence[Mistake], drawn: Mapping[str, str]) -> str:
    lines = [
        f"# The worst mistakes: {title}",
        "",
        "The surest first; *sure* ones would have stood without a person being asked.",
    ]
    for mistake in found:
        image = mistake.image
        lines += ["", f"## {image.row.name}", "", f"- shown: {spelled(truth_words(image.truth))}"]
        lines += [f"- read: {spelled(read_words(image.read))}", f"- wrong: {_wrong_words(mistake)}"]
        if image.row.name in drawn:
            lines += ["", f"![{image.row.name}]({drawn[image.row.name]})"]
    return "\n".join(lines) + "\n"


def _wrong_words(mistake: Mistake) -> str:
    if not mistake.wrong:
        return ", ".join(measure.value for measure, right in mistake.image.right.items() if not right)
    return ", ".join(map(_judgement, mistake.wrong))


def _judgement(outcome: Outcome) -> str:
    confidence = "" if outcome.confidence is None else f", said {outcome.confidence:.0%}"
    return f"{outcome.measure.value} ({'sure' if outcome.sure else 'unclear'}{confidence})"


PANEL: Final = 150
"""Side of one field's square, in SVG units."""


MARGIN: Final = 45


COLUMNS: Final = 3


LARGEST_DOT: Final = 9.0


SMALLEST_DOT: Final = 1.5


def reliability_diagram(fields: Sequence[Reliability]) -> str:
    """Draw a square for each field: a dot for each bin, larger for more readings, with its 95 % interval.

    Dots on the dashed line are right as often as their confidence says, dots above it more often.
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
    """Return the abscissa of a confidence in its square, which spans from a third (the minimum for a kind) to 1."""
    return (confidence - 1 / 3) / (1 - 1 / 3) * PANEL


def _y(rate: float) -> float:
    return (1 - rate) * PANEL
