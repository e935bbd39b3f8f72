"""Measure the headgear of real people by networks that have not seen them: `python -m training.headgear.measure`.

Each crop of `../shared/people` is read by the whole reader, with the side network and the fusion weights that were
made without its person; once more with those made without its source and without all persons in it (`fine_tune
--out-of-fold` trains them). The first column of the figures is by person, the second by source. Tongues are measured
by `bunnymoose evaluate`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import torch
from rich.progress import track

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.referee.question import ReadPose
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.vision.headgear.fusion import shipped_fusion
from bunnymoose_cv.vision.headgear.headgear_reader import HeadgearReader
from bunnymoose_cv.vision.headgear.side_net import SideNet
from bunnymoose_cv.vision.reader import Reader
from training.evaluate.people import Category, PeopleFigures, ReadPerson, player_of
from training.evaluate.reading import ReadPlayer
from training.headgear.fine_tune import trained, tuned_net, write_side_net
from training.headgear.people_fusion import answers_of_renders, fitted_on, logits_of_people
from training.headgear.splits import BY_PERSON, BY_SOURCE
from training.question_rate import LabelledRead, figures_line, pose_of, verdicts_at_tables

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from bunnymoose_cv.core.user_settings import HeadgearSettings
    from bunnymoose_cv.vision.readings import PlayerReading
    from training.evaluate.people import PersonRow
    from training.evaluate.shares import ClusteredShare
    from training.headgear.fine_tune import FineTuning
    from training.headgear.people_fusion import Answers
    from training.headgear.splits import Split

SPLITS: Final = (BY_PERSON, BY_SOURCE)
TABLES: Final = 20
SEED: Final = 1
OF_TONGUES: Final = ("any question", "tongue", "player found")
"""Beginnings of figures that no left-out network changes."""


@dataclass(frozen=True, slots=True)
class LeftOutRead:
    """One labelled crop and the reading of its player; None where no player was found."""

    row: PersonRow
    reading: PlayerReading | None

    @property
    def person(self) -> ReadPerson:
        """The reading in the fields of its truth."""
        return ReadPerson(self.row, None if self.reading is None else ReadPlayer.of(self.reading))

    @property
    def pose(self) -> ReadPose | None:
        """The pose with its distribution."""
        return None if self.reading is None else ReadPose.of(self.reading)


class LeftOutReaders:
    """Headgear readers that have not seen one group of people each."""

    def __init__(self, split: Split, tuning: FineTuning, renders: Answers, settings: HeadgearSettings) -> None:
        """Fit the fusion without each group, beside the network without it."""
        self._split = split
        logits = logits_of_people(tuning, split)
        persons = [side.person for side in tuning.people]
        self._readers = []
        for group in range(split.groups):
            others = split.rows_without(group, tuning.crops, persons)
            weights = fitted_on([tuning.people[row] for row in others.tolist()], logits[:, others], renders)
            fusion = shipped_fusion().refitted(weights)
            self._readers.append(HeadgearReader(settings, _side_net(tuning.file(split, group)), fusion))

    def of(self, row: PersonRow) -> HeadgearReader:
        """The reader that has not seen the group of a row's person."""
        return self._readers[self._split.group_of(row.person, row.source)]


def _side_net(weights: Path) -> SideNet:
    """The network of a file of fine-tuned weights, as the product would read it."""
    model = weights.with_suffix(".onnx")
    write_side_net(tuned_net(weights), model)
    return SideNet(model)


def read_left_out(rows: Sequence[PersonRow], readers: Sequence[LeftOutReaders]) -> Iterator[tuple[LeftOutRead, ...]]:
    """Read each crop once, and its player's headgear by each reader that has not seen it."""
    with Reader() as reader:
        for row in track(rows, description="Reading people"):
            image = read_image(row.image)
            found = player_of(image, reader)
            yield tuple(
                LeftOutRead(row, found and replace(found, headgear=each.of(row).read(image, found.player)))
                for each in readers
            )


def _table(figures: Sequence[PeopleFigures]) -> str:
    """Figures side by side, as a table in Markdown."""
    names = [name for name in figures[0].shares if not name.startswith(OF_TONGUES)]
    lines = [f"| {name} | {' | '.join(_cell(each.shares, name) for each in figures)} |" for name in names]
    return "\n".join(["| figure | person left out | source left out |", "|---|---|---|", *lines])


def _cell(shares: Mapping[str, ClusteredShare], name: str) -> str:
    if name not in shares:
        return "–"
    share, (low, high) = shares[name], shares[name].interval
    return f"{share.count} of {share.total}, {share.rate:.1%} ({low:.1%} – {high:.1%})"


def _verdicts(name: str, read: Sequence[LeftOutRead], threshold: float) -> Iterator[str]:
    """Verdicts at dealt tables about those whose whole pose is surely known, by category."""
    for category in (Category.HEADGEAR, Category.OTHER_HAND, Category.EMPTY):
        own = [
            LabelledRead(each.row.person, truth, each.pose)
            for each in read
            if each.row.category is category and (truth := pose_of(each.row)) is not None
        ]
        _, by_move = verdicts_at_tables(own, rules_for(), TABLES, SEED, threshold)
        yield figures_line(f"{name} left out, {category.value}, {len(own)} players", by_move)


def main() -> None:
    """Print the figures of both splits."""
    torch.set_num_threads(1)
    tuning = trained(SPLITS)
    settings, renders = load_settings(), answers_of_renders(tuning)
    readers = [LeftOutReaders(split, tuning, renders, settings.headgear) for split in SPLITS]
    read = [*zip(*read_left_out(tuning.crops, readers), strict=True)]
    print(_table([PeopleFigures.of([each.person for each in own]) for own in read]))
    for name, own in zip(("person", "source"), read, strict=True):
        print("\n".join(_verdicts(name, own, settings.questions.move)), flush=True)


if __name__ == "__main__":
    main()
