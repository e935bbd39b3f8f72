"""`bunnymoose evaluate`: reads a labelled set and shows how often we are right."""

from __future__ import annotations

import json
from contextlib import ExitStack, suppress
from enum import Enum
from functools import cache
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.cli.each_input import sentence_about
from bunnymoose_cv.cli.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.resources import bundled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import Console

    from bunnymoose_cv.capture.frame import Picture
    from bunnymoose_cv.evaluation.bams import NarratorFigures
    from bunnymoose_cv.evaluation.comparison import Measure
    from bunnymoose_cv.evaluation.datasets import Manifest
    from bunnymoose_cv.evaluation.metrics import Evaluated, Figures, Part, Share
    from bunnymoose_cv.evaluation.people import PeopleFigures, ReadPerson
    from bunnymoose_cv.evaluation.round_benchmark import ClipResult

CHECK_SAID_NO, INPUT_WAS_WRONG = 1, 2


def evaluate(
    manifest: Annotated[
        Path | None,
        typer.Argument(
            metavar="MANIFEST", help="The CSV file that lists the labelled pictures, or an .npz of hands' landmarks."
        ),
    ] = None,
    *,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per picture, last the figures.")
    ] = False,
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
        Path | None, typer.Option("--deck", metavar="FILE", help="The cards of your box, for a list of card pictures.")
    ] = None,
    rounds: Annotated[
        bool, typer.Option("--rounds", help="Judge clips around a Bam instead; MANIFEST is their folder.")
    ] = False,
    part: Annotated[
        str | None, typer.Option("--part", metavar="PART", help="With --rounds: judge one part, choose or report.")
    ] = None,
) -> None:
    """Read every picture of a labelled set and compare.

    Shows for each field how often it is right, with the interval that holds the true rate with 95 % confidence, and
    lists the wrong ones. A line that cannot be used is named, the others are still evaluated, and the exit code is 2.

    Of an .npz of labelled landmarks only hands of people whom the net has not learnt from are judged, and none whose
    landmarks contradict the label: MediaPipe has mostly misplaced a finger there, and how landmarks are read is asked.

    For example:

        bunnymoose evaluate fixtures/manifest.csv

        bunnymoose evaluate fixtures/manifest.csv --json

        bunnymoose evaluate fixtures/manifest.csv --floor pose=0.7 --floor tongue=0.9

        bunnymoose evaluate fixtures/manifest.csv --out pages --before earlier.jsonl

        bunnymoose evaluate ../shared/landmarks/landmarks.npz --floor hand_kind=0.98

        bunnymoose evaluate ../shared/people/people.csv

        bunnymoose evaluate prints/cards.csv --deck my-box.toml

        bunnymoose evaluate fixtures/manifest.csv --time

        bunnymoose evaluate --cues

        bunnymoose evaluate --rounds

        bunnymoose evaluate --rounds --part choose
    """
    task = _task(manifest, rounds=rounds, cues=cues, time=time)
    options: dict[str, object] = {"--floor": floor, "--out": out, "--before": before, "--deck": deck, "--part": part}
    _refuse_useless(task, options | {"--rounds": rounds, "--cues": cues, "--time": time})
    if task is _Task.ROUNDS:
        _play_rounds(manifest or bundled("fixtures/rounds"), part, as_json=as_json)
    elif task is _Task.CUES:
        truth = bundled("fixtures/sounds/truth.json")
        _listen(manifest or truth, as_json=as_json)
        if manifest is None:
            _listen_to_real_sounds(truth, as_json=as_json)
    elif manifest is None:
        raise InputError("Name a manifest: bunnymoose evaluate MANIFEST")
    elif task is _Task.TIME:
        _time(manifest, as_json=as_json)
    elif task is _Task.CARDS:
        from bunnymoose_cv.cli.card_evaluation import evaluate_cards

        evaluate_cards(manifest, deck, as_json=as_json)
    elif task is _Task.PEOPLE:
        _evaluate_people(manifest, out, as_json=as_json)
    else:
        _evaluate(manifest, dict(_floor(text) for text in floor or ()), out, before, as_json=as_json)


class _Task(Enum):
    """Things that are evaluated, as sentences name them."""

    ROUNDS = "--rounds"
    CUES = "--cues"
    TIME = "--time"
    CARDS = "a list of cards"
    PEOPLE = "a list of people"
    PICTURES = "a manifest of pictures"


_OPTIONS: Final = {
    _Task.ROUNDS: {"--rounds", "--part"},
    _Task.CUES: {"--cues"},
    _Task.TIME: {"--time"},
    _Task.CARDS: {"--deck"},
    _Task.PEOPLE: {"--out"},
    _Task.PICTURES: {"--floor", "--out", "--before"},
}
"""Options that mean something for each task, beside --json."""


def _task(manifest: Path | None, *, rounds: bool, cues: bool, time: bool) -> _Task:
    from bunnymoose_cv.evaluation.card_manifest import lists_cards
    from bunnymoose_cv.evaluation.people import lists_people

    wanted = {_Task.ROUNDS: rounds, _Task.CUES: cues, _Task.TIME: time}
    if any(wanted.values()):
        return next(task for task, is_wanted in wanted.items() if is_wanted)
    if manifest is not None and lists_cards(manifest):
        return _Task.CARDS
    return _Task.PEOPLE if manifest is not None and lists_people(manifest) else _Task.PICTURES


def _refuse_useless(task: _Task, given: Mapping[str, object]) -> None:
    """Refuse options that would be passed over, so that no floor is believed to hold that nobody looks at."""
    useless = [name for name, value in given.items() if name not in _OPTIONS[task] and value not in (None, False, [])]
    if useless:
        raise InputError(f"{' and '.join(useless)} cannot be used with {task.value}: leave out what does not belong")


def _evaluate_people(file: Path, out: Path | None, *, as_json: bool) -> None:
    """Show how real people are read; a page of it in `out`."""
    from bunnymoose_cv.cli.evaluation_pages import write_pages
    from bunnymoose_cv.evaluation.people import figures_by_source, people_line, people_page

    problems: list[InputError] = []
    people = []
    for person in _read_people(file, problems):
        people.append(person)
        if as_json:
            echo(json.dumps(person.line, ensure_ascii=False))
    figures = figures_by_source(people)
    if as_json:
        echo(json.dumps(people_line(figures), ensure_ascii=False))
    else:
        _show_people(figures)
    if out is not None:
        write_pages(out, {"figures.md": people_page(f"{file.parent.name}/{file.name}", figures)})
        echo(f"pages written to {out}", err=True)
    if problems:
        raise typer.Exit(INPUT_WAS_WRONG)


def _read_people(file: Path, problems: list[InputError]) -> Iterator[ReadPerson]:
    """Every crop that can be used; a sentence on stderr, and in `problems`, for each that cannot."""
    from rich.progress import Progress

    from bunnymoose_cv.cli.terminal import Terminal
    from bunnymoose_cv.core.profile import load_profile
    from bunnymoose_cv.evaluation.people import read_people, read_person
    from bunnymoose_cv.vision.reader import Reader

    listed = read_people(file)
    console = Terminal(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress, Reader(load_profile()) as reader:
        for problem in listed.problems:
            problems.append(problem)
            console.print(str(problem), markup=False, highlight=False, soft_wrap=True)
        for row in progress.track(listed.rows, description="Reading"):
            try:
                yield read_person(row, reader)
            except Exception as error:  # noqa: BLE001 - any fault in one image is told, and the others go on
                fault = InputError(sentence_about(str(row.picture), error))
                problems.append(fault)
                console.print(str(fault), markup=False, highlight=False, soft_wrap=True)


def _show_people(figures: Mapping[str, PeopleFigures]) -> None:
    from rich.table import Table

    from bunnymoose_cv.cli.terminal import Terminal

    for name, own in figures.items():
        table = Table("figure", title=f"{name}, {own.persons} persons", title_justify="left")
        for column in ("count", "of", "rate", "95 % interval"):
            table.add_column(column, justify="right")
        for figure, share in own.shares.items():
            table.add_row(figure, *_cells(share))
        Terminal().print(table)


def _evaluate(
    manifest: Path, floors: Mapping[Measure, float], out: Path | None, before: Path | None, *, as_json: bool
) -> None:
    from bunnymoose_cv.cli.evaluation_lines import earlier_figures, figures_line, picture_line
    from bunnymoose_cv.evaluation.datasets import SUFFIX, read_manifest
    from bunnymoose_cv.evaluation.metrics import Figures, parts

    earlier = {} if before is None else earlier_figures(before)
    problems: list[InputError] = []
    pictures = []
    of_landmarks = manifest.suffix == SUFFIX
    for picture in _evaluated_hands(manifest) if of_landmarks else _evaluated(read_manifest(manifest), problems):
        pictures.append(picture)
        if as_json:
            echo(json.dumps(picture_line(picture), ensure_ascii=False))
    figures, sources = Figures.of(pictures), parts(pictures, "source")
    if as_json:
        echo(json.dumps(figures_line(figures, sources)))
    else:
        _show(figures, sources, pictures)
    if out is not None:
        _write_pages(manifest, pictures, earlier, out)
    fallen = _say_what_fell(figures, floors)
    if problems:
        raise typer.Exit(INPUT_WAS_WRONG)
    if fallen:
        raise typer.Exit(CHECK_SAID_NO)


def _write_pages(manifest: Path, pictures: Sequence[Evaluated], earlier: Mapping[str, Share], out: Path) -> None:
    from bunnymoose_cv.capture.images import read_image
    from bunnymoose_cv.cli.evaluation_pages import Report
    from bunnymoose_cv.core.profile import load_profile
    from bunnymoose_cv.drawing.annotation import draw
    from bunnymoose_cv.vision.reader import Reader

    with ExitStack() as stack:

        @cache
        def reader() -> Reader:
            """Opened only if a picture is drawn."""
            return stack.enter_context(Reader(load_profile()))

        def drawn(picture: Evaluated) -> Picture:
            return draw(reader().read(read_image(picture.row.picture)))

        Report(f"{manifest.parent.name}/{manifest.name}", pictures, earlier, drawn).write(out)
    echo(f"pages written to {out}", err=True)


def _time(manifest: Path, *, as_json: bool) -> None:
    """Show how long one reading of each sort takes."""
    from rich.table import Table

    from bunnymoose_cv.cli.bench.network_timing import timing_line, timings
    from bunnymoose_cv.cli.terminal import Terminal
    from bunnymoose_cv.core.profile import load_profile
    from bunnymoose_cv.evaluation.datasets import read_manifest

    times = timings(read_manifest(manifest).rows, load_profile())
    if as_json:
        echo(json.dumps(timing_line(times), ensure_ascii=False))
        return
    table = Table("one core", title="How long one reading takes", title_justify="left")
    for column in ("median ms", "90 % below", "of"):
        table.add_column(column, justify="right")
    for timing in times:
        table.add_row(timing.stage, f"{timing.median_ms:.2f}", f"{timing.slow_ms:.2f}", str(timing.count))
    Terminal().print(table)


def _listen(truth: Path, *, as_json: bool) -> None:
    """Show how often Bam is heard, and what else is taken for it."""
    from bunnymoose_cv.cli.evaluation_lines import bams_line, narrator_line
    from bunnymoose_cv.evaluation.bams import evaluate_bams

    narrators = []
    for narrator in evaluate_bams(truth):
        narrators.append(narrator)
        if as_json:
            echo(json.dumps(narrator_line(narrator), ensure_ascii=False))
    if as_json:
        echo(json.dumps(bams_line(narrators)))
    else:
        _show_bams(narrators)


def _listen_to_real_sounds(truth: Path, *, as_json: bool) -> None:
    """Show what real sounds do to the ear, where their recordings lie beside the checkout."""
    from rich.table import Table

    from bunnymoose_cv.cli.terminal import Terminal
    from bunnymoose_cv.evaluation.real_sounds import FOLDER, figures_by_sort, listen, read_real_sounds, real_sounds_line

    if not (FOLDER / "sounds.csv").is_file():
        echo(f"{FOLDER} is not there: real sounds are not listened to", err=True)
        return
    figures = figures_by_sort(list(listen(truth, read_real_sounds(FOLDER))))
    if as_json:
        echo(json.dumps(real_sounds_line(figures)))
        return
    table = Table("real sounds", title="Real sounds, each for every narrator", title_justify="left")
    for column in ("false alarms", "hours", "an hour", "95 % interval", "Bams heard", "of", "rate", "interval"):
        table.add_column(column, justify="right")
    for name, own in figures.items():
        low, high = own.wrong.interval
        rate = f"{own.wrong.an_hour:.1f}", f"{low:.1f} – {high:.1f}"
        heard = ("", "", "", "") if own.heard is None else _cells(own.heard)
        table.add_row(name, str(own.wrong.count), f"{own.wrong.hours:.2f}", *rate, *heard)
    Terminal().print(table)


def _show_bams(narrators: Sequence[NarratorFigures]) -> None:
    from rich.table import Table

    from bunnymoose_cv.cli.terminal import Terminal
    from bunnymoose_cv.evaluation.bams import false_alarms, heard, lateness_s

    table = Table("Bams", title="How often Bam is heard", title_justify="left")
    for column in ("heard", "of", "rate", "95 % interval"):
        table.add_column(column, justify="right")
    rows = {own.name: heard([own]) for own in narrators}
    rows |= {"soft ones": heard(narrators, soft=True), "as loud as learnt": heard(narrators, soft=False)}
    for name, share in (rows | {"all": heard(narrators)}).items():
        if share is not None:
            table.add_row(name, *_cells(share))
    console = Terminal()
    console.print(table)
    wrong = false_alarms(narrators)
    low, high = wrong.interval
    echo(
        f"false alarms: {wrong.count} in {wrong.hours:.2f} hours,"
        f" {wrong.an_hour:.1f} an hour ({low:.1f} – {high:.1f} with 95 % confidence)"
    )
    median_s, slow_s = lateness_s(narrators)
    echo(
        f"the time of a cue is off by {median_s * 1000:.0f} ms (median), 90 in 100 by less than {slow_s * 1000:.0f} ms"
    )


def _play_rounds(folder: Path, part: str | None, *, as_json: bool) -> None:
    """Show how rounds are judged, beside the best single frame."""
    from rich.progress import Progress

    from bunnymoose_cv.cli.terminal import Terminal
    from bunnymoose_cv.core.profile import load_profile
    from bunnymoose_cv.evaluation.round_benchmark import SetPart, clip_line, judge_clip, read_round_set, rounds_line
    from bunnymoose_cv.vision.reader import Reader

    profile, results = load_profile(), []
    if part not in {None, *(each.value for each in SetPart)}:
        raise InputError(f"--part {part} is no part: use {' or '.join(each.value for each in SetPart)}")
    clips = read_round_set(folder).of_part(None if part is None else SetPart(part))
    if not clips:
        raise InputError(f"No clip of {folder} belongs to the part {part}")
    console = Terminal(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress, Reader(profile) as reader:
        for truth in progress.track(clips, description="Judging"):
            results.append(judge_clip(folder / truth.clip, truth, reader))
            if as_json:
                echo(json.dumps(clip_line(results[-1])))
    if as_json:
        echo(json.dumps(rounds_line(results, profile.questions.move)))
    else:
        _show_rounds(results, profile.questions.move)


def _show_rounds(results: Sequence[ClipResult], threshold: float) -> None:
    from rich.table import Table

    from bunnymoose_cv.cli.terminal import Terminal
    from bunnymoose_cv.evaluation.round_benchmark import RoundFigures, seats_of, stills_of, times_s

    for title, seats in (("Rounds", seats_of(results)), ("Best single frame", stills_of(results))):
        table = Table("per verdict", title=f"{title}, {len(results)} clips", title_justify="left")
        for column in ("count", "of", "rate", "95 % interval"):
            table.add_column(column, justify="right")
        for name, share in RoundFigures.of(seats, threshold).rows.items():
            if share is not None:
                table.add_row(name, *_cells(share))
        Terminal().print(table)
    footage_s, work_s = times_s(results)
    echo(f"judged {footage_s:.2f} s after the cue (median of the footage), with {work_s:.2f} s of processor time")


def _floor(text: str) -> tuple[Measure, float]:
    from bunnymoose_cv.evaluation.comparison import Measure

    name, _, rate = text.partition("=")
    if name not in {measure.value for measure in Measure}:
        raise InputError(f"--floor {text} names no field: use one of {', '.join(m.value for m in Measure)}")
    with suppress(ValueError):
        if 0 <= float(rate) <= 1:
            return Measure(name), float(rate)
    raise InputError(f"--floor {text} has no rate: write it like --floor {name}=0.9")


def _evaluated(manifest: Manifest, problems: list[InputError]) -> Iterator[Evaluated]:
    """Every picture that can be used; a sentence on stderr, and in `problems`, for each that cannot."""
    from rich.progress import Progress

    from bunnymoose_cv.cli.terminal import Terminal
    from bunnymoose_cv.core.profile import load_profile
    from bunnymoose_cv.evaluation.metrics import evaluate as evaluate_row
    from bunnymoose_cv.evaluation.reading import LeftOutTongues
    from bunnymoose_cv.vision.reader import Reader

    profile = load_profile()
    left_out = LeftOutTongues(profile.tongue)
    console = Terminal(stderr=True)
    with Progress(console=console, disable=not console.is_terminal) as progress, Reader(profile) as reader:
        for problem in manifest.problems:
            problems.append(problem)
            console.print(str(problem), markup=False, highlight=False, soft_wrap=True)
        for row in progress.track(manifest.rows, description="Reading"):
            try:
                yield evaluate_row(row, reader, left_out)
            except Exception as error:  # noqa: BLE001 - any fault in one image is told, and the others go on
                fault = InputError(sentence_about(str(row.picture), error))
                problems.append(fault)
                console.print(str(fault), markup=False, highlight=False, soft_wrap=True)


def _evaluated_hands(file: Path) -> Iterator[Evaluated]:
    """Every hand of a file of landmarks that can be judged; a sentence on stderr about the others."""
    from bunnymoose_cv.core.profile import load_profile
    from bunnymoose_cv.evaluation.datasets import read_landmark_file, unseen
    from bunnymoose_cv.evaluation.metrics import evaluate_hands
    from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader

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
    yield from evaluate_hands(hands, HeadgearReader(load_profile().headgear))


def _show(figures: Figures, sources: Sequence[Part], pictures: Iterable[Evaluated]) -> None:
    from bunnymoose_cv.cli.terminal import Terminal

    console = Terminal()
    _show_right(figures, "How often it is right", console)
    for part in sources:
        people = "one person" if part.people == 1 else f"{part.people} people"
        _show_right(part.figures, f"\n{part.name}, {people}", console)
    if sources:
        echo()
    if figures.reliability:
        apart = ", ".join(f"{field.field} {field.error:.1%}" for field in figures.reliability)
        echo(f"confidence and rate lie apart by: {apart}")
    if figures.people_left_out:
        echo(f"tongues of {figures.people_left_out} people judged by nets that have not seen them")
    for picture in pictures:
        if not all(picture.right.values()):
            echo(_wrong(picture))


def _show_right(figures: Figures, title: str, console: Console) -> None:
    from rich.table import Table

    table = Table("field", title=title, title_justify="left")
    for column in ("right", "of", "rate", "95 % interval"):
        table.add_column(column, justify="right")
    for measure, share in figures.right.items():
        table.add_row(measure.value, *_cells(share))
    console.print(table)
    for name, part in (
        ("sure and yet wrong", figures.sure_wrong),
        ("asked about (unclear)", figures.unclear),
        ("asked about, of what lies in between", figures.unclear_between),
    ):
        if part is not None:
            count, total, rate, interval = _cells(part)
            console.print(f"{name}: {count} of {total} fields, {rate} ({interval})", highlight=False)


def _wrong(picture: Evaluated) -> str:
    """Three lines about a picture in which something is wrong."""
    from bunnymoose_cv.cli.evaluation_lines import read_words, spelled, truth_words

    fields = ", ".join(measure.value for measure, right in picture.right.items() if not right)
    shown, read = spelled(truth_words(picture.truth)), spelled(read_words(picture.read))
    return f"\n{picture.row.name}: wrong in {fields}\n  shown  {shown}\n  read   {read}"


def _cells(share: Share) -> tuple[str, str, str, str]:
    low, high = share.interval
    return str(share.count), str(share.total), f"{share.rate:.1%}", f"{low:.1%} – {high:.1%}"


def _say_what_fell(figures: Figures, floors: Mapping[Measure, float]) -> bool:
    """Say on stderr which floors do not hold; whether there are any."""
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
