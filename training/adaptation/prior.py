"""Prior of players' calibrations: spread between people by empirical Bayes, and counts on people left out.

    python -m training.adaptation.prior fit PEOPLE.jsonl SIMULATED.jsonl     writes calibration/players.toml
    python -m training.adaptation.prior people TAKES.jsonl                  real people, before and after a warm-up
    python -m training.adaptation.prior simulated TAKES.jsonl               simulated ones, likewise
    python -m training.adaptation.prior rendered TAKES.jsonl                rendered ones, likewise

The prior of a field is the one under which the takes of all people are most probable: of real people if they have
enough labels of the field, else of the simulated persons of one half. `people` fits the prior on everybody but the
person who is measured (in three parts by person); `simulated` takes the shipped prior, and measures the other half;
`rendered` takes it too, since it has seen no renders. All calibrate on the first session, as a warm-up does, and count
on the second one.
"""

from __future__ import annotations

import sys
import zlib
from collections import defaultdict
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

    from bunnymoose_cv.calibration.adaptation.labelled_take import FieldLabel
    from bunnymoose_cv.calibration.adaptation.player_calibration import FieldCalibration, Priors
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
    """Return the takes of each person in which somebody was found."""
    found: dict[str, list[PersonTake]] = defaultdict(list)
    for take in takes:
        if take.take is not None:
            found[take.person].append(take)
    return found


def is_training(person: str) -> bool:
    """Return whether the prior is fitted on a simulated person; the others are measured."""
    return zlib.crc32(person.encode()) % 2 == 0


def fitted_priors(people: Iterable[Takes], others: Iterable[Takes] = ()) -> Priors:
    """Fit the prior of every field under which people's takes are most probable.

    Args:
        people: takes by person.
        others: takes by person, used for fields of which people have too few labels.
    """
    real, simulated = list(people), list(others)
    return {name: _prior(*([_labels(takes, name) for takes in some] for some in (real, simulated))) for name in Field}


def _labels(takes: Takes, name: Field) -> list[FieldLabel]:
    known = (each.take for each in takes if each.take is not None)
    return [label for take in known for label in take.labels() if label.field is name]


def _prior(real: list[list[FieldLabel]], simulated: list[list[FieldLabel]]) -> PriorSpread:
    people = real if sum(map(len, real)) >= FEWEST_LABELS or not simulated else simulated
    if len({label.true_class for labels in people for label in labels}) < 2:  # one class shows no offset between two
        return PriorSpread(OFFSETS[0], SCALES[0])
    spreads = [PriorSpread(offset, scale) for offset in OFFSETS for scale in SCALES]
    return max(spreads, key=lambda spread: sum(_evidence(labels, spread) for labels in people if labels))


def _evidence(labels: Sequence[FieldLabel], spread: PriorSpread) -> float:
    return fit([each.odds for each in labels], [each.true_class for each in labels], spread).evidence


def _write_prior(priors: Priors, evidence: str) -> None:
    """Write a prior with what it was fitted on."""
    lines = [
        "# Spread between people, by which players are calibrated; standard deviations in log-odds (offset) and in the",
        "# logarithm of the scale. Written by training.adaptation.prior from",
        f"# {evidence}",
    ]
    for name, prior in priors.items():
        lines += ["", f"[{name.value}]", f"offset = {prior.offset}", f"scale = {prior.scale}"]
    OUT.write_text("\n".join([*lines, ""]), "utf-8")


def measure(people: Mapping[str, Takes], prior_for: Callable[[str], Priors]) -> None:
    """Print counts by group and field, without and with the calibration of the first session.

    Args:
        people: takes by person.
        prior_for: returns the prior that a person is calibrated under.
    """
    counted: dict[tuple[str, str], list[list[list[int]]]] = defaultdict(list)
    for person, takes in sorted(people.items()):
        warm = [each.take for each in takes if each.session == 0 and each.take is not None]
        corrections = calibrate(warm, frozenset(), prior_for(person), load_settings()).fields
        second = [each for each in takes if each.session == 1]
        for group in {"all", *(each.group for each in second)}:
            of_group = [each for each in second if group in {"all", each.group}]
            for name in Field:
                if labels := _labels(of_group, name):
                    both = [_counts(labels, correction) for correction in (None, corrections.get(name))]
                    counted[group, name.value].append(both)
    print(f"{len(people)} people")
    for (group, field), counts in sorted(counted.items()):
        print(f"| {group} | {field} | {sum(each[0][-1] for each in counts)} | {_row(np.array(counts))} |")


def _counts(labels: Sequence[FieldLabel], correction: FieldCalibration | None) -> list[int]:
    """Count one person's labels of a field in the order of `COUNTS`, then all of them."""
    odds = [label.odds if correction is None else correction.corrected(label.odds) for label in labels]
    counts = counts_of(odds, [label.true_class for label in labels], labels[0].field, load_settings())
    return [*map(counts.of, COUNTS), len(labels)]


def _row(counts: np.ndarray) -> str:
    """Return counts before and after with the share's interval by person; last the change in errors and questions.

    Args:
        counts: shape (people, 2, 4), before and after: `COUNTS` and all labels.
    """
    totals, cells = counts.sum(0), []
    for number in range(len(COUNTS)):
        labels = (
            (person, label < each[number]) for person, each in enumerate(counts[:, 1]) for label in range(each[-1])
        )
        share = ClusteredShare.of_clusters(labels)
        low, high = (0.0, 1.0) if share is None else share.interval
        cells.append(f"{totals[0, number]} → {totals[1, number]} ({100 * low:.1f}–{100 * high:.1f} %)")
    changes = (counts[:, 1] - counts[:, 0])[:, [0, 2]].sum(1)
    random = np.random.default_rng(0)
    drawn = changes[random.integers(len(changes), size=(DRAWS, len(changes)))].sum(1)
    low, high = np.percentile(drawn, [2.5, 97.5])
    return " | ".join([*cells, f"{changes.sum():+d} ({low:+.0f} to {high:+.0f})"])


def main() -> None:
    """Do what the command line says."""
    match sys.argv[1:]:
        case ["fit", *files] if len(files) == 2:
            real, others = (by_person(read_takes(Path(file))) for file in files)
            taught = [takes for name, takes in others.items() if is_training(name)]
            evidence = f"{len(real)} real people; of fields with too few labels, from {len(taught)} simulated ones."
            _write_prior(fitted_priors(real.values(), taught), evidence)
            print(OUT.read_text("utf-8"))
        case ["people", file]:
            people = by_person(read_takes(Path(file)))
            part_of = {name: number % PARTS for number, name in enumerate(sorted(people))}
            others_than = [[takes for name, takes in people.items() if part_of[name] != part] for part in range(PARTS)]
            priors = [*map(fitted_priors, others_than)]
            measure(people, lambda name: priors[part_of[name]])
        case [("rendered" | "simulated") as sort, file]:
            people = by_person(read_takes(Path(file)))
            unseen = {name: takes for name, takes in people.items() if sort == "rendered" or not is_training(name)}
            measure(unseen, lambda _: shipped_priors())
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main()
