"""Headgear of real people, measured with networks that have not seen them: `python -m training.headgear.measure`.

Each crop of `../shared/people` is read by the whole reader with networks and a scale that were made without the person,
and again without the source and all people in it. Tongues are measured by the evaluation.
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
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.vision.headgear.headgear_reader import HandNet, HeadgearReader, at_bam
from bunnymoose_cv.vision.headgear.logit_scaling import shipped_scaling
from bunnymoose_cv.vision.headgear.side_net import SideNet
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.vision.settings import HEADGEAR
from training.evaluate.dealt_tables import (
    LabelledRead,
    clean_rounds,
    figures_line,
    pose_of,
    verdicts_at_tables,
)
from training.evaluate.hand_places import given_to_own, judged_places, place_lines
from training.evaluate.people import Category, PeopleFigures, ReadPerson, player_of, read_people
from training.evaluate.reading import ReadPlayer
from training.evaluate.shares import ClusteredShare, share_line
from training.evaluate.side_labels import SHAPES, Held, read_shapes
from training.headgear.composites import central_crops
from training.headgear.gather import WORK
from training.headgear.people import TABLE, cached_people
from training.headgear.presence import fitted_presence, write_side_net
from training.headgear.splits import BY_SOURCE, by_person
from training.headgear.train_hands import HandSources, HandTraining, write_hand_net
from training.headgear.train_sides import FineTuning

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from bunnymoose_cv.vision.headgear.logit_scaling import LogitScaling
    from bunnymoose_cv.vision.readings import PlayerReading
    from training.evaluate.people import PersonRow
    from training.headgear.people import PersonSide
    from training.headgear.splits import Split

TABLES: Final = 20
ROUNDS: Final = 1000
SEED: Final = 1
NEIGHBOURS_APART: Final = (5, 6, 7)
"""Distances between two heads in composed rows, in eye distances, from crowded to comfortable."""

UNAFFECTED: Final = ("any question", "tongue", "player found")
"""Prefixes of the figures that do not depend on the held-out networks."""

NEW: Final = "h3_"
"""Prefix of the sources whose people were in no earlier training either."""


@dataclass(frozen=True, slots=True)
class LeftOutRead:
    """One labelled crop and the reading of its player; None if no player was found."""

    row: PersonRow
    reading: PlayerReading | None

    @property
    def person(self) -> ReadPerson:
        """The reading in the fields of its truth."""
        return ReadPerson(self.row, None if self.reading is None else ReadPlayer.of(self.reading))

    @property
    def labelled(self) -> LabelledRead | None:
        """The reading at the Bam beside the true pose; None if the truth is incomplete."""
        read = None if self.reading is None else ReadPose.of(_at_bam(self.reading))
        truth = pose_of(self.row, Pose(None, None) if read is None else read.pose)
        return None if truth is None else LabelledRead(self.row.person, truth, read)


def _at_bam(reading: PlayerReading) -> PlayerReading:
    """Return a reading as it counts at the Bam, with the prior of the game."""
    prior = load_settings().freeze.headgear_prior
    headgear = dict(reading.headgear)
    for side, read in reading.headgear.items():
        headgear[side] = replace(read, probabilities=at_bam(read.probabilities, read.measures, prior))
    return replace(reading, headgear=headgear)


class LeftOutReaders:
    """Headgear readers, each trained without one group of people."""

    def __init__(self, split: Split, training: HandTraining, tuning: FineTuning, rows: Sequence[PersonRow]) -> None:
        """Train the networks and fit their scales without each group."""
        self._split, self._settings = split, load_settings().headgear
        persons, model = [side.person for side in tuning.people], WORK / "left_out.onnx"
        self._nets: list[tuple[HandNet, SideNet, LogitScaling]] = []
        for group in range(split.groups):
            known = [tuning.people[row] for row in split.rows_without(group, rows, persons).tolist()]
            write_hand_net(training.net(known), model)
            hand_net, trained = HandNet(model), tuning.without(split, group)
            write_side_net(trained, fitted_presence(trained, known), model)
            own = {**training.scales(known), **tuning.scales(split.persons_in(group, rows))}
            scaling = shipped_scaling()
            self._nets.append((hand_net, SideNet(model), replace(scaling, scales={**scaling.scales, **own})))

    def side_net_for(self, side: PersonSide) -> SideNet:
        """Return the side network that was trained without the person."""
        return self._nets[self._split.group_of(side.person, side.source)][1]

    def of(self, row: PersonRow) -> HeadgearReader:
        """Return a reader whose networks were trained without the row's person."""
        hand_net, side_net, scaling = self._nets[self._split.group_of(row.person, row.source)]
        return HeadgearReader(self._settings, hand_net, side_net, scaling)


def _of_presence(people: Sequence[PersonSide], readers: LeftOutReaders) -> Iterator[str]:
    """Yield the share of sides that the second search for a hand would skip, by the content of the side."""
    for held in Held:
        skipped = [
            (side.person, answer.shows_hand < HEADGEAR.surely_no_hand)
            for side in people
            if side.held is held
            for answer in [readers.side_net_for(side).answer(central_crops(side.cut[None])[0])]
        ]
        if share := ClusteredShare.of_clusters(skipped):
            yield f"{held.value}: a hand is not looked for again on {share_line(share)}"


def read_left_out(rows: Sequence[PersonRow], readers: Sequence[LeftOutReaders]) -> Iterator[tuple[LeftOutRead, ...]]:
    """Read each crop once, and its player's headgear with the held-out networks of each split."""
    with Reader() as reader:
        for row in track(rows, description="Reading people"):
            image = read_image(row.image)
            found = player_of(image, reader)
            yield tuple(
                LeftOutRead(row, found and replace(found, headgear=of_split.of(row).read(image, found.player)))
                for of_split in readers
            )


def _table(figures: Sequence[PeopleFigures]) -> str:
    """Return figures side by side, as a table in Markdown."""
    names = [name for name in figures[0].shares if not name.startswith(UNAFFECTED)]
    lines = [f"| {name} | {' | '.join(_cell(figure.shares, name) for figure in figures)} |" for name in names]
    titles = f"| figure | person left out | source left out | person left out, {NEW} |"
    return "\n".join([titles, "|---|---|---|---|", *lines])


def _cell(shares: Mapping[str, ClusteredShare], name: str) -> str:
    return share_line(shares[name]) if name in shares else "–"


def _at_tables(name: str, read: Sequence[LeftOutRead], threshold: float) -> Iterator[str]:
    """Yield the figures of verdicts at dealt tables by category, and the share of clean rounds with headgear."""
    for category in (Category.HEADGEAR, Category.OTHER_HAND, Category.EMPTY):
        poses = [crop.labelled for crop in read if crop.row.category is category]
        labelled = [pose for pose in poses if pose is not None]
        _, by_move = verdicts_at_tables(labelled, rules_for(), TABLES, SEED, threshold)
        yield figures_line(f"{name} left out, {category.value}, {len(labelled)} players", by_move)
        if category is Category.HEADGEAR:
            clean = clean_rounds(labelled, rules_for(), ROUNDS, SEED, threshold)
            yield f"{name} left out, clean rounds of five strangers with headgear: {clean:.1%} of {ROUNDS}"


def _of_places(read: Sequence[LeftOutRead]) -> Iterator[str]:
    """Yield the figures of hands by place, and of hands between two people."""
    shapes = read_shapes(TABLE.with_name(SHAPES))
    found = [(crop.row, crop.reading) for crop in read if crop.reading is not None]
    yield from place_lines(list(judged_places(found, shapes)))
    for apart in NEIGHBOURS_APART:
        share = given_to_own(found, shapes, apart, SEED)
        yield f"given to their own head, with another one {apart} eye distances beside it: {share_line(share)}"


def main() -> None:
    """Print the figures of both splits, and of the people who were in no earlier training either."""
    torch.set_num_threads(1)
    rows, settings = read_people(TABLE).rows, load_settings()
    training, tuning = HandTraining(HandSources.load(), cached_people(sure=False)), FineTuning.from_cached_start()
    readers = [LeftOutReaders(split, training, tuning, rows) for split in (by_person(rows), BY_SOURCE)]
    print("\n".join(_of_presence(tuning.people, readers[0])))
    read = [*zip(*read_left_out(rows, readers), strict=True)]
    new = [crop for crop in read[0] if crop.row.source.startswith(NEW)]
    print(_table([PeopleFigures.of([crop.person for crop in crops]) for crops in (*read, new)]))
    for name, crops in zip(("person", "source"), read, strict=True):
        print("\n".join(_at_tables(name, crops, settings.questions.move)), flush=True)
    print("\n".join(_of_places(read[0])))


if __name__ == "__main__":
    main()
