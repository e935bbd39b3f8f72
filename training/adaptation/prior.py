"""Prior of players' calibrations: spread between people by empirical Bayes, and counts on people left out.

    python -m training.adaptation.prior fit PEOPLE.jsonl RENDERS.jsonl      writes calibration/players.toml
    python -m training.adaptation.prior measure TAKES.jsonl [SHOWN …]       counts before and after a warm-up

The prior of a field is the one under which the takes of all people are most probable. `measure` fits the prior on
everybody but the person who is measured (in five parts by person), calibrates on the first session, as a warm-up does,
and counts on the second one. SHOWN names poses that the warm-up asks for; without any it has all of the first session.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.adaptation.log_odds import AdaptedField
from bunnymoose_cv.calibration.adaptation.map_fit import PriorSpread, fit
from bunnymoose_cv.calibration.adaptation.player_calibration import FieldPrior, calibrate, counts_of
from bunnymoose_cv.core.profile import load_profile
from bunnymoose_cv.evaluation.metrics import Share
from training.adaptation.person_takes import read_takes
from training.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from bunnymoose_cv.calibration.adaptation.labelled_take import FieldLabel, LabelledTake
    from bunnymoose_cv.calibration.adaptation.player_calibration import PlayerCalibration, Priors
    from training.adaptation.person_takes import PersonTake

OFFSETS = (0.1, 0.5, 1.0, 2.0)
SCALES = (0.0, 0.1, 0.3)
TEMPERATURES = (0.0, 0.2)
PARTS = 3
OUT = ROOT / "calibration/players.toml"


def by_person(takes: Iterable[PersonTake]) -> dict[str, list[PersonTake]]:
    """Takes of each person."""
    found: dict[str, list[PersonTake]] = defaultdict(list)
    for take in takes:
        if take.take is not None:
            found[take.person].append(take)
    return found


def fitted_priors(people: Iterable[Sequence[PersonTake]]) -> Priors:
    """Prior of every field under which the people's takes are most probable."""
    everybody = list(people)
    return {field: _prior(field, everybody) for field in AdaptedField}


def _prior(field: AdaptedField, people: Sequence[Sequence[PersonTake]]) -> FieldPrior:
    takes = [[_labels(each, field) for each in person] for person in people]
    labels = [[label for take in person for label in take] for person in takes]
    offsets = [PriorSpread(offset, SCALES[1]) for offset in OFFSETS]
    spread = max(offsets, key=lambda each: sum(_evidence(person, each) for person in labels))
    scales = [PriorSpread(spread.offset, scale) for scale in SCALES]
    spread = max(scales, key=lambda each: sum(_evidence(person, each) for person in labels))
    left_out = [_left_out(person, spread) for person in takes]
    temperatures = [PriorSpread(0.0, each) for each in TEMPERATURES]
    best = max(temperatures, key=lambda each: sum(_evidence(person, each) for person in left_out))
    return FieldPrior(spread, best.scale)


def _labels(take: PersonTake, field: AdaptedField) -> list[FieldLabel]:
    return [] if take.take is None else [label for label in take.take.labels() if label.field is field]


@dataclass(frozen=True, slots=True)
class _Label:
    odds: tuple[float, ...]
    true_class: int


def _evidence(labels: Sequence[FieldLabel | _Label], spread: PriorSpread) -> float:
    if not labels:
        return 0.0
    return fit([each.odds for each in labels], [each.true_class for each in labels], spread).evidence


def _left_out(takes: Sequence[Sequence[FieldLabel]], spread: PriorSpread) -> list[_Label]:
    """Log-odds of each take by what the others of its person say."""
    found = []
    for number, take in enumerate(takes):
        others = [label for other, each in enumerate(takes) if other != number for label in each]
        if others and take:
            known = fit([each.odds for each in others], [each.true_class for each in others], spread)
            found += [
                _Label(
                    tuple(known.scale * odds + shift for odds, shift in zip(label.odds, known.offset, strict=True)),
                    label.true_class,
                )
                for label in take
            ]
    return found


def write_prior(priors: Priors, evidence: str, path: Path) -> None:
    """Write a prior with what it was fitted on."""
    lines = [
        "# Spread between people, by which players are calibrated; standard deviations in log-odds (offset), in the",
        "# logarithm of the scale and in that of the temperature. Written by training.adaptation.prior from",
        f"# {evidence}",
    ]
    for field, prior in priors.items():
        lines += [
            "",
            f"[{field.value}]",
            f"offset = {prior.spread.offset}",
            f"scale = {prior.spread.scale}",
            f"temperature = {prior.temperature}",
        ]
    path.write_text("\n".join([*lines, ""]), "utf-8")


# What a warm-up is worth.


@dataclass(slots=True)
class _Sum:
    labels: int = 0
    wrong: int = 0
    surely_wrong: int = 0
    asked: int = 0


def measure(takes: Sequence[PersonTake], shown: Sequence[str]) -> None:
    """Print counts by group and field, without and with the calibration of the first session."""
    limits = load_profile()
    people = by_person(takes)
    names = sorted(people)
    sums: dict[tuple[str, AdaptedField], tuple[_Sum, _Sum]] = defaultdict(lambda: (_Sum(), _Sum()))
    kept = 0
    for part in range(PARTS):
        inside = [name for number, name in enumerate(names) if number % PARTS == part]
        priors = fitted_priors(people[name] for name in names if name not in inside)
        for name in inside:
            first = [each.take for each in people[name] if each.session == 0 and each.take is not None]
            warm = [each for each in first if not shown or _headgears(each) in shown]
            calibration = calibrate(warm, frozenset(), priors, limits)
            kept += len(calibration.fields)
            _count(sums, people[name], calibration)
    print(f"{len(names)} people, {kept} fields kept")
    for (group, field), (before, after) in sorted(sums.items(), key=lambda each: (each[0][0], each[0][1].value)):
        print(f"{group:16} {field.value:10} {_row(before, after)}")


def _headgears(take: LabelledTake) -> str:
    return " ".join(str(take.shown).split()[:2])


def _count(
    sums: Mapping[tuple[str, AdaptedField], tuple[_Sum, _Sum]],
    person: Sequence[PersonTake],
    calibration: PlayerCalibration,
) -> None:
    limits = load_profile()
    for field in AdaptedField:
        second = [label for each in person if each.session == 1 for label in _labels(each, field)]
        if not second:
            continue
        correction = calibration.fields.get(field)
        plain = [label.odds for label in second]
        corrected = plain if correction is None else [correction.corrected(odds) for odds in plain]
        for group in {person[0].group, "all"}:
            for counted, odds in zip(sums[group, field], (plain, corrected), strict=True):
                counts = counts_of(odds, [label.true_class for label in second], field, limits)
                counted.labels += len(second)
                counted.wrong += counts.of("wrong")
                counted.surely_wrong += counts.of("surely_wrong")
                counted.asked += counts.of("asked")


def _row(before: _Sum, after: _Sum) -> str:
    cells = [f"n {before.labels:4}"]
    for name in ("wrong", "surely_wrong", "asked"):
        one, two = getattr(before, name), getattr(after, name)
        low, high = Share(before.labels, two).interval
        cells.append(f"{name.replace('_', ' ')} {one} → {two} ({100 * low:.1f}–{100 * high:.1f} %)")
    return "   ".join(cells)


def main() -> None:
    """Do what the command line says."""
    match sys.argv[1:]:
        case ["fit", *files]:
            takes = [take for file in files for take in read_takes(Path(file))]
            people = by_person(takes)
            count = sum(map(len, people.values()))
            priors = fitted_priors(people.values())
            write_prior(priors, f"{count} takes of {len(people)} people.", OUT)
            print(OUT.read_text("utf-8"))
        case ["measure", file, *shown]:
            measure(read_takes(Path(file)), shown)
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
