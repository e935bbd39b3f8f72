"""The command `evaluate`, which reads a labelled set and shows how often the product is right."""

from __future__ import annotations

from enum import Enum
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.cli.framework.command_groups import HELP_NAMES, CheckedCommand
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.folders import bundled

if TYPE_CHECKING:
    from collections.abc import Mapping

app = typer.Typer(
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    add_completion=False,
    context_settings={"help_option_names": list(HELP_NAMES)},
)


@app.command(cls=CheckedCommand)
def evaluate(
    manifest: Annotated[
        Path | None,
        typer.Argument(
            metavar="MANIFEST", help="The CSV file that lists the labelled images, or an .npz of hands' landmarks."
        ),
    ] = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per image, last the figures.")] = False,
    floor: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=RATE", help="Exit with 1 if a field is right less often; may be repeated."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="Write pages: figures, confusions, groups, worst mistakes.")
    ] = None,
    before: Annotated[
        Path | None, typer.Option(metavar="FILE", help="What an earlier --json printed, to stand beside on the pages.")
    ] = None,
    time: Annotated[bool, typer.Option("--time", help="Time one reading of each sort on one core instead.")] = False,
    cues: Annotated[
        bool, typer.Option("--cues", help="Listen to recordings for Bam instead; MANIFEST is their truth.json.")
    ] = False,
    deck: Annotated[
        Path | None, typer.Option("--deck", metavar="FILE", help="The cards of your box, for a list of card images.")
    ] = None,
    rounds: Annotated[
        bool, typer.Option("--rounds", help="Judge clips around a Bam instead; MANIFEST is their folder.")
    ] = False,
    part: Annotated[
        str | None, typer.Option("--part", metavar="PART", help="With --rounds: judge one part, choose or report.")
    ] = None,
) -> None:
    """Read every image of a labelled set and compare.

    Shows for each field how often it is right, with the interval that holds the true rate with 95 % confidence, and
    lists the wrong ones. A line that cannot be used is named, the others are still evaluated, and the exit code is 2.

    Of an .npz of labelled landmarks only hands of people whom the net has not learnt from are judged, and none whose
    landmarks contradict the label: MediaPipe has mostly misplaced a finger there, and how landmarks are read is asked.

    For example:

        python -m training.evaluate fixtures/manifest.csv

        python -m training.evaluate fixtures/manifest.csv --json

        python -m training.evaluate fixtures/manifest.csv --floor pose=0.7 --floor tongue=0.9

        python -m training.evaluate fixtures/manifest.csv --out pages --before earlier.jsonl

        python -m training.evaluate ../shared/landmarks/landmarks.npz --floor hand_kind=0.98

        python -m training.evaluate ../shared/people/people.csv

        python -m training.evaluate prints/cards.csv --deck my-box.toml

        python -m training.evaluate fixtures/manifest.csv --time

        python -m training.evaluate --cues

        python -m training.evaluate --rounds

        python -m training.evaluate --rounds --part choose
    """
    from training.evaluate import image_evaluation, list_evaluation
    from training.evaluate.evaluation_pages import check_pages

    task = _task(manifest, rounds=rounds, cues=cues, time=time)
    options: dict[str, object] = {"--floor": floor, "--out": out, "--before": before, "--deck": deck, "--part": part}
    _refuse_useless(task, options | {"--rounds": rounds, "--cues": cues, "--time": time})
    if out is not None:
        check_pages(out, *(path for path in (manifest, before) if path is not None))
    if task is _Task.ROUNDS:
        list_evaluation.play_rounds(manifest or bundled("fixtures/rounds"), part, as_json=as_json)
    elif task is _Task.CUES:
        truth = bundled("fixtures/sounds/truth.json")
        list_evaluation.listen_for_bams(manifest or truth, as_json=as_json)
        if manifest is None:
            list_evaluation.listen_to_real_sounds(truth, as_json=as_json)
    elif manifest is None:
        raise InputError("Name a manifest: python -m training.evaluate MANIFEST")
    elif task is _Task.TIME:
        list_evaluation.time_readings(manifest, as_json=as_json)
    elif task is _Task.CARDS:
        list_evaluation.evaluate_cards(manifest, deck, as_json=as_json)
    elif task is _Task.PEOPLE:
        list_evaluation.evaluate_people(manifest, out, as_json=as_json)
    else:
        image_evaluation.evaluate_images(manifest, floor or (), out, before, as_json=as_json)


class _Task(Enum):
    """Things to evaluate, as sentences name them."""

    ROUNDS = "--rounds"
    CUES = "--cues"
    TIME = "--time"
    CARDS = "a list of cards"
    PEOPLE = "a list of people"
    IMAGES = "a manifest of pictures"


_OPTIONS: Final = {
    _Task.ROUNDS: {"--rounds", "--part"},
    _Task.CUES: {"--cues"},
    _Task.TIME: {"--time"},
    _Task.CARDS: {"--deck"},
    _Task.PEOPLE: {"--out"},
    _Task.IMAGES: {"--floor", "--out", "--before"},
}
"""Options that each task accepts, besides --json."""


def _task(manifest: Path | None, *, rounds: bool, cues: bool, time: bool) -> _Task:
    from training.evaluate.card_manifest import lists_cards
    from training.evaluate.people import lists_people

    wanted = {_Task.ROUNDS: rounds, _Task.CUES: cues, _Task.TIME: time}
    if any(wanted.values()):
        return next(task for task, is_wanted in wanted.items() if is_wanted)
    if manifest is not None and lists_cards(manifest):
        return _Task.CARDS
    return _Task.PEOPLE if manifest is not None and lists_people(manifest) else _Task.IMAGES


def _refuse_useless(task: _Task, given: Mapping[str, object]) -> None:
    """Refuse options that would be ignored, so that users do not rely on a floor that is not checked."""
    useless = [name for name, value in given.items() if name not in _OPTIONS[task] and value not in (None, False, [])]
    if useless:
        raise InputError(f"{' and '.join(useless)} cannot be used with {task.value}: leave out what does not belong")
