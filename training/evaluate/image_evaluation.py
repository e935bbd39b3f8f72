"""Evaluation of a manifest of images, or of labelled landmarks: figures, mistakes, pages, floors."""

from __future__ import annotations

from contextlib import ExitStack, suppress
from functools import cache
from typing import TYPE_CHECKING

import typer

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.cli.framework.named_files import INPUT_WAS_WRONG
from bunnymoose_cv.cli.terminal.console import Terminal
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.drawing.annotation import draw
from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
from bunnymoose_cv.vision.reader import Reader
from training.evaluate.comparison import Measure
from training.evaluate.datasets import RowKind, read_manifest
from training.evaluate.evaluated import evaluate as evaluate_row
from training.evaluate.evaluated import evaluate_hands, read_words, spelled, truth_words
from training.evaluate.evaluation_pages import Report
from training.evaluate.landmark_datasets import SUFFIX, read_landmark_file, unseen
from training.evaluate.list_evaluation import each_row
from training.evaluate.metrics import Figures, ImageFiguresShape, ImageShape, earlier_figures, parts
from training.evaluate.reading import HeldOutTongues
from training.evaluate.shares import share_cells, share_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from rich.console import Console

    from bunnymoose_cv.capture.frame import Image
    from training.evaluate.datasets import Manifest
    from training.evaluate.evaluated import Evaluated
    from training.evaluate.metrics import Part
    from training.evaluate.shares import Share

CHECK_SAID_NO = 1


def evaluate_images(
    manifest: Path, floors: Sequence[str], out: Path | None, before: Path | None, *, as_json: bool
) -> None:
    """Show how well images, or labelled landmarks, are read.

    Args:
        manifest: list of the images, or file of landmarks.
        floors: lowest accepted rates as users write them, `pose=0.9`.
        out: output folder of the pages; None for no pages.
        before: JSON lines of an earlier evaluation, for a column on the pages; None for no such column.
        as_json: True to print lines of JSON.

    Raises:
        InputError: a floor, the manifest or the earlier figures cannot be read, or the pages cannot be written.
        typer.Exit: a line could not be used, or a floor does not hold.
    """
    rates = dict(map(_floor, floors))
    earlier = {} if before is None else earlier_figures(before)
    problems: list[InputError] = []
    images = []
    of_landmarks = manifest.suffix == SUFFIX
    for image in _evaluated_hands(manifest) if of_landmarks else _evaluated(read_manifest(manifest), problems):
        images.append(image)
        if as_json:
            echo(ImageShape.of(image).line(ascii_only=False))
    figures, sources = Figures.of(images), parts(images, "source")
    if as_json:
        echo(ImageFiguresShape.of(figures, sources).line())
    else:
        _show(figures, sources, images)
    if out is not None:
        _write_pages(manifest, images, earlier, out)
    fallen = _say_what_fell(figures, rates)
    if problems:
        raise typer.Exit(INPUT_WAS_WRONG)
    if fallen:
        raise typer.Exit(CHECK_SAID_NO)


def _floor(text: str) -> tuple[Measure, float]:

    name, _, rate = text.partition("=")
    if name not in {measure.value for measure in Measure}:
        raise InputError(f"--floor {text} names no field: use one of {', '.join(m.value for m in Measure)}")
    with suppress(ValueError):
        if 0 <= float(rate) <= 1:
            return Measure(name), float(rate)
    raise InputError(f"--floor {text} has no rate: write it like --floor {name}=0.9")


def _write_pages(manifest: Path, images: Sequence[Evaluated], earlier: Mapping[str, Share], out: Path) -> None:

    with ExitStack() as stack:

        @cache
        def reader() -> Reader:
            """Open the models, only if an image is drawn."""
            return stack.enter_context(Reader(load_settings()))

        def drawn(image: Evaluated) -> Image:
            return draw(reader().read(read_image(image.row.image)))

        Report(f"{manifest.parent.name}/{manifest.name}", images, earlier, drawn).write(out)
    echo(f"pages written to {out}", err=True)


def _evaluated(manifest: Manifest, problems: list[InputError]) -> Iterator[Evaluated]:
    """Yield every usable image. Report each other one on stderr and in `problems`."""
    settings = load_settings()
    left_out = HeldOutTongues(settings.tongue)
    problems += manifest.problems
    unjudged = [row for row in manifest.rows if left_out.reader_of(row) is None]
    if unjudged:
        echo(
            f"tongues of {len(unjudged)} images are not judged: the shipped network has learnt from these people, and"
            " models/left_out lacks the networks that have not; `python -m training.tongue` makes them",
            err=True,
        )
    mouths = {row.name for row in unjudged if row.kind is RowKind.MOUTH}
    rows = [row for row in manifest.rows if row.name not in mouths]
    with Reader(settings) as reader:
        yield from each_row(rows, lambda row: evaluate_row(row, reader, left_out), problems)


def _evaluated_hands(file: Path) -> Iterator[Evaluated]:
    """Yield every hand of a file of landmarks that can be judged. Report the number of others on stderr."""
    stored = read_landmark_file(file)
    hands = unseen(stored.hands)
    people = len({(hand.row.labels["source"], hand.row.labels["subject"]) for hand in hands})
    passed_over = (
        f"{len(stored.hands) - len(hands)} of people whom the net has learnt from, {stored.undecided} whose label"
        f" leaves open what they make, {stored.contradicted} whose landmarks contradict it"
    )
    if not hands:
        raise InputError(f"{file} has no hand to judge, but {passed_over}: name a file with hands of other people")
    echo(f"{len(hands)} hands of {people} people are judged; not judged: {passed_over}", err=True)
    yield from evaluate_hands(hands, HeadgearReader(load_settings().headgear))


def _show(figures: Figures, sources: Sequence[Part], images: Iterable[Evaluated]) -> None:

    console = Terminal()
    _show_right(figures, "How often it is right", console)
    for part in sources:
        people = {0: "", 1: ", one person"}.get(part.people, f", {part.people} people")
        _show_right(part.figures, f"\n{part.name}{people}", console)
    if sources:
        echo()
    if figures.reliability:
        apart = ", ".join(f"{field.field} {field.error:.1%}" for field in figures.reliability)
        echo(f"confidence and rate lie apart by: {apart}")
    if figures.people_left_out:
        echo(f"tongues of {figures.people_left_out} people judged by nets that have not seen them")
    for image in images:
        if not all(image.right.values()):
            echo(_wrong(image))


def _show_right(figures: Figures, title: str, console: Console) -> None:

    right = {measure.value: share for measure, share in figures.right.items()}
    console.print(share_table("field", "right", title, right))
    for name, part in (
        ("sure and yet wrong", figures.sure_wrong),
        ("asked about (unclear)", figures.unclear),
        ("asked about, of what lies in between", figures.unclear_between),
    ):
        if part is not None:
            count, total, rate, interval = share_cells(part)
            console.print(f"{name}: {count} of {total} fields, {rate} ({interval})", highlight=False)


def _wrong(image: Evaluated) -> str:
    """Return three lines about an image with a wrong reading."""
    fields = ", ".join(measure.value for measure, right in image.right.items() if not right)
    shown, read = spelled(truth_words(image.truth)), spelled(read_words(image.read))
    return f"\n{image.row.name}: wrong in {fields}\n  shown  {shown}\n  read   {read}"


def _say_what_fell(figures: Figures, floors: Mapping[Measure, float]) -> bool:
    """Report floors that do not hold on stderr, and return whether there are any."""
    fallen = {
        measure: rate
        for measure, rate in floors.items()
        if measure not in figures.right or figures.right[measure].rate < rate
    }
    for measure, rate in fallen.items():
        share = figures.right.get(measure)
        reached = "in no picture" if share is None else f"right in {share.rate:.1%}"
        echo(f"{measure.value} is {reached}, below its floor of {rate:.1%}", err=True)
    return bool(fallen)
