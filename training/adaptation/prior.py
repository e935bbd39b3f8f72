"""Prior of players' calibrations: spread between people by empirical Bayes, and counts on people left out.

    python -m training.adaptation.prior fit PEOPLE.jsonl SIMULATED.jsonl     writes calibration/players.toml
    python -m training.adaptation.prior people TAKES.jsonl                  real people, before and after a warm-up
    python -m training.adaptation.prior simulated TAKES.jsonl               simulated ones, likewise
    python -m training.adaptation.prior rendered TAKES.jsonl                rendered ones, likewise

The prior of a field is the one under which the takes of all people are most probable: of real people where they have
enough labels of the field, else of the simulated persons of one half. `people` fits the prior on everybody but the
person who is measured (in three parts by person); `simulated` takes the shipped prior, and measures the other half;
`rendered` takes it too, since it has seen no renders. All calibrate on the first session, as a warm-up does, and count
on the second one.
"""

from __future__ import annotations

import sys
import zlib
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from bunnymoose_cv.calibration.adaptation.map_fit import PriorSpread, fit
from bunnymoose_cv.calibration.adaptation.player_calibration import calibrate, counts_of
from bunnymoose_cv.calibration.adaptation.prior_file import shipped_priors
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.pose_fields import Field
from training.adaptation.person_takes import read_takes
from training.evaluate.shares import ClusteredShare
from training.paths import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from bunnymoose_cv.calibration.adaptation.labelled_take import FieldLabel, LabelledTake
    from bunnymoose_cv.calibration.adaptation.player_calibration import PlayerCalibration, Priors
    from training.adaptation.person_takes import PersonTake

    Takes = Sequence[PersonTake]

OFFSETS = (0.1, 0.5, 1.0, 2.0)
SCALES = (0.0, 0.1, 0.3, 0.6, 1.0)
"""Scales that are tried; a wider spread would let two takes multiply log-odds by more than e."""

FEWEST_LABELS = 200
"""Labels of real people from which a field's prior is fitted on them alone."""

PARTS = 3
DRAWS = 2000
OUT = ROOT / "calibration/players.toml"
COUNTS = ("wrong", "surely_wrong", "asked")


def by_person(takes: Iterable[PersonTake]) -> dict[str, list[PersonTake]]:
    """Takes of each person."""
    found: dict[str, list[PersonTake]] = defaultdict(list)
    for take in takes:
        if take.take is not None:
            found[take.person].append(take)
    return found


def fitted_priors(people: Iterable[Takes], others: Iterable[Takes] = ()) -> Priors:
    """Prior of every field under which people's takes are most probable.

    Args:
        people: by person.
        others: by person, who stand in for them in fields with too few labels.
    """
    real, simulated = list(people), list(others)
    return {name: _prior(_by_person(name, real), _by_person(name, simulated)) for name in Field}


def is_training(person: str) -> bool:
    """True for the simulated persons that the prior is fitted on; the others are measured."""
    return zlib.crc32(person.encode()) % 2 == 0


def _by_person(name: Field, people: Iterable[Takes]) -> list[list[FieldLabel]]:
    return [[label for take in person for label in _labels(take, name)] for person in people]


def _prior(real: list[list[FieldLabel]], simulated: list[list[FieldLabel]]) -> PriorSpread:
    people = real if sum(map(len, real)) >= FEWEST_LABELS or not simulated else simulated
    if len({label.true_class for labels in people for label in labels}) < 2:  # one class tells of no offset between two
        return PriorSpread(OFFSETS[0], SCALES[0])
    spreads = [PriorSpread(offset, scale) for offset in OFFSETS for scale in SCALES]
    return max(spreads, key=lambda each: sum(_evidence(labels, each) for labels in people))


def _labels(take: PersonTake, name: Field) -> list[FieldLabel]:
    return [] if take.take is None else [label for label in take.take.labels() if label.field is name]


def _evidence(labels: Sequence[FieldLabel], spread: PriorSpread) -> float:
    if not labels:
        return 0.0
    return fit([each.odds for each in labels], [each.true_class for each in labels], spread).evidence


def write_prior(priors: Priors, evidence: str, path: Path) -> None:
    """Write a prior with what it was fitted on."""
    lines = [
        "# Spread between people, by which players are calibrated; standard deviations in log-odds (offset) and in the",
        "# logarithm of the scale. Written by training.adaptation.prior from",
        f"# {evidence}",
    ]
    for name, prior in priors.items():
        lines += ["", f"[{name.value}]", f"offset = {prior.offset}", f"scale = {prior.scale}"]
    path.write_text("\n".join([*lines, ""]), "utf-8")


# What a warm-up is worth.


@dataclass(slots=True)
class _Sum:
    """Labels of each person, and counts before and after, shape (people, 2, 3), in the order of `COUNTS`."""

    labels: list[int] = field(default_factory=list)
    counts: list[list[list[int]]] = field(default_factory=list)


def measure(people: Mapping[str, Takes], prior_for: Callable[[str], Priors]) -> None:
    """Print counts by group and field, without and with the calibration of the first session.

    Args:
        people: takes by person.
        prior_for: the prior that a person is calibrated under.
    """
    sums: dict[tuple[str, Field], _Sum] = defaultdict(_Sum)
    for name, takes in sorted(people.items()):
        warm: list[LabelledTake] = [each.take for each in takes if each.session == 0 and each.take is not None]
        calibration = calibrate(warm, frozenset(), prior_for(name), load_settings())
        second = [each for each in takes if each.session == 1]
        for group in {"all", *(each.group for each in second)}:
            _count(sums, group, [each for each in second if group in {"all", each.group}], calibration)
    print(f"{len(people)} people")
    for (group, name_of), summed in sorted(sums.items(), key=lambda each: (each[0][0], each[0][1].value)):
        print(f"| {group} | {name_of.value} | {sum(summed.labels)} | {_row(summed)} |")


def _count(sums: Mapping[tuple[str, Field], _Sum], group: str, takes: Takes, calibration: PlayerCalibration) -> None:
    """Count one person's takes of a group."""
    settings = load_settings()
    for name in Field:
        labels = [label for each in takes for label in _labels(each, name)]
        if not labels:
            continue
        correction = calibration.fields.get(name)
        plain = [label.odds for label in labels]
        corrected = plain if correction is None else [correction.corrected(odds) for odds in plain]
        classes = [label.true_class for label in labels]
        both = [counts_of(odds, classes, name, settings) for odds in (plain, corrected)]
        sums[group, name].labels.append(len(labels))
        sums[group, name].counts.append([[each.of(count) for count in COUNTS] for each in both])


def _row(summed: _Sum) -> str:
    """Counts before and after with the share's interval by person; last the change in errors and questions together."""
    counts = np.array(summed.counts)
    totals = counts.sum(0)
    cells = []
    for number in range(len(COUNTS)):
        low, high = _share(summed.labels, counts[:, 1, number].tolist()).interval
        cells.append(f"{totals[0, number]} → {totals[1, number]} ({100 * low:.1f}–{100 * high:.1f} %)")
    changes = (counts[:, 1] - counts[:, 0])[:, [0, 2]].sum(1)
    random = np.random.default_rng(0)
    drawn = changes[random.integers(len(changes), size=(DRAWS, len(changes)))].sum(1)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return " | ".join([*cells, f"{changes.sum():+d} ({low:+.0f} to {high:+.0f})"])


def _share(labels: Sequence[int], counts: Sequence[int]) -> ClusteredShare:
    """Share of labels that are counted, clustered by person."""
    people = enumerate(zip(labels, counts, strict=True))
    answers = ((person, label < count) for person, (of, count) in people for label in range(of))
    share = ClusteredShare.of_clusters(answers)
    if share is None:
        raise ValueError("a field without a label has no share")
    return share


def measure_people(takes: Iterable[PersonTake]) -> None:
    """Measure real people, each under the prior of the people of the other parts."""
    people = by_person(takes)
    part_of = {name: number % PARTS for number, name in enumerate(sorted(people))}
    priors = [fitted_priors(each for name, each in people.items() if part_of[name] != part) for part in range(PARTS)]
    measure(people, lambda name: priors[part_of[name]])


def measure_simulated(takes: Iterable[PersonTake]) -> None:
    """Measure the simulated persons that the shipped prior has not seen."""
    people = {name: each for name, each in by_person(takes).items() if not is_training(name)}
    measure(people, lambda _: shipped_priors())


def main() -> None:
    """Do what the command line says."""
    match sys.argv[1:]:
        case ["fit", people, simulated]:
            real = by_person(read_takes(Path(people)))
            stand_ins = {
                name: each for name, each in by_person(read_takes(Path(simulated))).items() if is_training(name)
            }
            told = f"{len(real)} real people; of fields with too few labels, from {len(stand_ins)} simulated ones."
            write_prior(fitted_priors(real.values(), stand_ins.values()), told, OUT)
            print(OUT.read_text("utf-8"))
        case ["people", file]:
            measure_people(read_takes(Path(file)))
        case ["rendered", file]:
            measure(by_person(read_takes(Path(file))), lambda _: shipped_priors())
        case ["simulated", file]:
            measure_simulated(read_takes(Path(file)))
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
