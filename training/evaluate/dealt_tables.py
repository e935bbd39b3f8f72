"""Questions at dealt tables: the shares of verdicts that are asked about, and that are sure but wrong in their move.

    python -m training.evaluate.dealt_tables fixtures/manifest.csv … --tables 20 --seed 1

Every labelled player is evaluated at tables dealt from the deck. Asking by fields (any unclear field) is compared with
asking by the move (docs/accuracy/rounds.md, "Questions at dealt tables").
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from random import Random
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.capture.images import read_image
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.referee.question import ReadPose, judge_move
from bunnymoose_cv.rules.deck import load_deck, rules_for
from bunnymoose_cv.rules.pose import Antler, Direction, Ear, Form, Place, Pose, Side, Spread
from bunnymoose_cv.rules.scoring import score
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from bunnymoose_cv.vision.reader import Reader
from training.evaluate.datasets import RowKind, read_manifest
from training.evaluate.headgear_fields import HeadgearFields
from training.evaluate.people import Category, lists_people, player_of, read_people
from training.evaluate.shares import ClusteredShare, share_line
from training.evaluate.truth import PeopleTruth, truth_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bunnymoose_cv.rules.cards import Table
    from bunnymoose_cv.rules.deck import Rules
    from training.evaluate.people import PersonRow


FIVE: Final = 5
"""Number of players in a dealt round."""

_ANY: Final = {
    Kind.ANTLER: HeadgearFields.of(Antler(Spread.WIDE, Direction.UP)),
    Kind.EAR: HeadgearFields.of(Ear(Place.TOP, Form.STRAIGHT)),
}
"""Fields that complete labels whose kind was not read."""


@dataclass(frozen=True, slots=True)
class LabelledRead:
    """The true pose of a person, and the reading; None if no player was found."""

    person: str
    truth: Pose
    read: ReadPose | None

    def is_asked(self, cards: Table, rules: Rules, threshold: float) -> bool:
        """Return whether the player is asked about at a table."""
        return self.read is None or judge_move(self.read, cards, rules, threshold).asked

    def is_right(self, cards: Table, rules: Rules) -> bool:
        """Return whether the reading gives the true move at a table."""
        if self.read is None:
            return False
        return score(self.read.pose, cards, rules).moves == score(self.truth, cards, rules).moves


@dataclass(frozen=True, slots=True)
class AskedVerdict:
    """One verdict about a person at one table: whether it is asked about, and whether its move is right."""

    person: str
    asked: bool
    right: bool


def verdicts_at_tables(
    read: Sequence[LabelledRead], rules: Rules, tables: int, seed: int, threshold: float
) -> tuple[tuple[AskedVerdict, ...], tuple[AskedVerdict, ...]]:
    """Evaluate every player at tables of dealt cards.

    Args:
        read: poses and readings of the players.
        rules: rules for the dealt cards.
        tables: number of tables for each player.
        seed: random seed of the dealing.
        threshold: lowest probability of a move that is not asked about.

    Returns:
        All verdicts if asked by fields, and all if asked by the move.
    """
    random, deck = Random(seed), rules.cards(load_deck(rules.edition.name))
    by_field: list[AskedVerdict] = []
    by_move: list[AskedVerdict] = []
    for person in read:
        for _ in range(tables):
            cards = tuple(random.sample(deck, rules.piles))
            right = person.is_right(cards, rules)
            by_field.append(AskedVerdict(person.person, person.read is None or bool(person.read.unclear), right))
            by_move.append(AskedVerdict(person.person, person.is_asked(cards, rules, threshold), right))
    return tuple(by_field), tuple(by_move)


@dataclass(frozen=True, slots=True)
class LabelledPlayer:
    """An image of one person whose whole pose is surely known."""

    image: Path
    person: str
    pose: Pose


def labelled_players(path: Path) -> Iterator[LabelledPlayer]:
    """Yield every image of one player whose whole pose is surely known, from a list of people or a manifest."""
    if lists_people(path):
        for row in read_people(path).rows:
            pose = pose_of(row)
            if pose is not None:
                yield LabelledPlayer(row.image, row.person, pose)
        return
    for each in read_manifest(path).rows:
        truth = truth_of(each)
        if each.kind is RowKind.PLAYER and isinstance(truth, PeopleTruth) and len(truth.players) == 1:
            (player,) = truth.players
            if player.pose is not None and not player.between:
                yield LabelledPlayer(each.image, each.labels.get("subject", each.name), player.pose)


def pose_of(row: PersonRow, read: Pose | None = None) -> Pose | None:
    """Return the pose of a labelled person; None if a side is not scored or the tongue is open.

    Args:
        row: the labels. A hand that is not headgear counts as nothing.
        read: pose of the reading, which completes open labels (the place of ears), so that they count neither as right
            nor as wrong; None to return None if anything is open.
    """
    if row.category is Category.DOUBTFUL or row.tongue is None:
        return None
    labelled = [row.sides[side].fields for side in (Side.LEFT, Side.RIGHT)]
    if read is not None:
        shown = (read.left, read.right)
        labelled = [_completed(side, HeadgearFields.of(each)) for side, each in zip(labelled, shown, strict=True)]
    if not all(side.complete for side in labelled):
        return None
    left, right = (side.headgear for side in labelled)
    return Pose(left, right, row.tongue)


def _completed(labelled: HeadgearFields, read: HeadgearFields) -> HeadgearFields:
    """Return labels with their open fields as they were read."""
    if labelled.kind is None or labelled.complete:
        return labelled
    other = read if read.kind is labelled.kind else _ANY[labelled.kind]
    shown = {field.name: getattr(labelled, field.name) or getattr(other, field.name) for field in fields(labelled)}
    return HeadgearFields(**shown)


def clean_rounds(read: Sequence[LabelledRead], rules: Rules, rounds: int, seed: int, threshold: float) -> float:
    """Return the share of dealt rounds with five different persons in which every move is right and none is asked.

    Args:
        read: players to draw from. Persons have equal chances, and one of their images is drawn.
        rules: rules for the dealt cards.
        rounds: number of rounds.
        seed: random seed.
        threshold: lowest probability of a move that is not asked about.
    """
    random, deck = Random(seed), rules.cards(load_deck(rules.edition.name))
    by_person: dict[str, list[LabelledRead]] = {}
    for person in read:
        by_person.setdefault(person.person, []).append(person)
    clean = 0
    for _ in range(rounds):
        cards = tuple(random.sample(deck, rules.piles))
        players = [random.choice(by_person[person]) for person in random.sample(sorted(by_person), FIVE)]
        clean += all(
            player.is_right(cards, rules) and not player.is_asked(cards, rules, threshold) for player in players
        )
    return clean / rounds


def figures_line(name: str, verdicts: Sequence[AskedVerdict]) -> str:
    """Return the shares of verdicts that are asked about, and that are sure but wrong, clustered by person."""
    asked = ClusteredShare.of_clusters((verdict.person, verdict.asked) for verdict in verdicts)
    wrong = ClusteredShare.of_clusters(
        (verdict.person, not verdict.asked and not verdict.right) for verdict in verdicts
    )
    return f"{name}: asked {share_line(asked)}; confident and wrong in the move {share_line(wrong)}"


def main(
    files: Annotated[list[Path], typer.Argument(help="Lists of people, or manifests.")],
    *,
    tables: Annotated[int, typer.Option(min=1, help="Dealt to each player.")] = 20,
    seed: Annotated[int, typer.Option(help="Of the dealing.")] = 1,
) -> None:
    """Print, for each file, the questions by fields and by the move."""
    settings = load_settings()
    with Reader(settings) as reader:
        for path in files:
            read = [
                LabelledRead(player.person, player.pose, None if found is None else ReadPose.of(found))
                for player in labelled_players(path)
                for found in [player_of(read_image(player.image), reader)]
            ]
            by_field, by_move = verdicts_at_tables(read, rules_for(), tables, seed, settings.questions.move)
            typer.echo(f"{path}: {len(read)} players")
            typer.echo(figures_line("  by fields", by_field))
            typer.echo(figures_line("  by the move", by_move))


if __name__ == "__main__":
    typer.run(main)
