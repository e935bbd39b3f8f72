"""Studies of questions and of calibrated people: verdicts at dealt tables, and the prior between people."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource
from bunnymoose_cv.calibration.adaptation.log_odds import SideOdds
from bunnymoose_cv.calibration.adaptation.map_fit import PriorSpread
from bunnymoose_cv.referee.question import ReadPose
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.pose import Pose, Tongue, parse_headgear
from bunnymoose_cv.rules.pose_fields import Field, PoseField
from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities
from training.adaptation.person_takes import PersonTake
from training.adaptation.prior import OFFSETS, fitted_priors, is_training, measure
from training.evaluate.shares import ClusteredShare
from training.question_rate import LabelledRead, figures_line, labelled_players, main, verdicts_at_tables

WU, CU = parse_headgear("WU"), parse_headgear("CU")
MOOSE = Pose(WU, WU)


def reading(wide: float, *unclear: PoseField) -> ReadPose:
    return ReadPose(MOOSE, PoseProbabilities({(WU, WU): wide, (CU, WU): 1 - wide}, {Tongue.IN: 1.0}), unclear)


@pytest.mark.parametrize(
    ("read", "truth", "by_field", "by_move", "wrong"),
    [
        (reading(1.0), MOOSE, 0, 0, 0),
        (reading(0.94, PoseField.LEFT_SPREAD), MOOSE, 40, 0, 0),
        (reading(1.0), Pose(None, None), 0, 0, 40),
        (None, MOOSE, 40, 40, 0),
    ],
    ids=["sure", "unclear, but sure enough", "confident and wrong", "not found"],
)
def test_verdicts_are_counted_at_every_table(
    read: ReadPose | None, truth: Pose, by_field: int, by_move: int, wrong: int
) -> None:
    fields, moves = verdicts_at_tables([LabelledRead("Ann", truth, read)], rules_for(), 40, 1, 0.93)
    assert (sum(each.asked for each in fields), sum(each.asked for each in moves)) == (by_field, by_move)
    assert sum(not each.asked and not each.right for each in moves) == wrong


def test_a_doubt_is_asked_at_some_tables_only() -> None:
    read = [LabelledRead("Ann", MOOSE, reading(0.6, PoseField.LEFT_SPREAD))]
    _, moves = verdicts_at_tables(read, rules_for(), 40, 1, 0.93)
    assert 0 < sum(each.asked for each in moves) < 40
    assert figures_line("by the move", moves).startswith(f"by the move: asked {sum(e.asked for e in moves)} of 40")


def test_only_whole_poses_that_are_surely_known_count(tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    labels = "WU,n,1,1,in W?,--,1,1,in ?U,--,1,1,in x,--,1,1,in TS,--,0,1,in --,--,1,1,out --,--,1,1,x"
    rows = [f"{number}.jpg,p{number},s,{line}" for number, line in enumerate(labels.split())]
    people.write_text("\n".join(["file,person,source,left,right,left_sure,right_sure,tongue", *rows]))
    found = [(each.image.name, each.person, str(each.pose)) for each in labelled_players(people)]
    assert found == [("0.jpg", "p0", "WU --"), ("5.jpg", "p5", "-- -- t")]


def test_a_person_of_a_manifest_is_its_subject_or_else_the_image(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.csv"
    manifest.write_text("id,file,kind,labels\na,a.jpg,player,poses=WU WU;subject=Ann\nb,b.jpg,player,poses=WU WU\n")
    assert [each.person for each in labelled_players(manifest)] == ["Ann", "b"]


def test_tables_of_one_person_count_as_hardly_more_than_one() -> None:
    read = [LabelledRead(name, Pose(None, None), reading(1.0)) for name in "abcd"]
    read += [LabelledRead(name, MOOSE, reading(1.0)) for name in "efgh"]
    _, moves = verdicts_at_tables(read, rules_for(), 20, 1, 0.93)
    wrong = ClusteredShare.of_clusters((each.person, not each.right) for each in moves)
    assert wrong is not None
    low, high = wrong.interval
    assert high - low > 0.5
    assert figures_line("by the move", moves).endswith(f"({low:.1%} – {high:.1%})")


def test_the_command_of_the_documents_can_be_called() -> None:
    app = typer.Typer()
    app.command()(main)
    assert CliRunner().invoke(app, ["--help"]).exit_code == 0


def person(name: str, shift: float, poses: Sequence[str] = ("WU WU", "CU CU")) -> list[PersonTake]:
    """Person whose spreads are read as wide by so much more than they are."""
    takes = []
    for pose in poses:
        side = SideOdds((-0.01, -5.0, -5.0), 2.0 * (1 if "W" in pose else -1) + shift, 5.0, 5.0, 5.0)
        takes.append(LabelledTake(TakeSource.WARM_UP, Pose.parse(pose), side, side, -6.0))
    return [PersonTake(f"{name} {number}", name, "", 0, take) for number, take in enumerate(takes * 3)]


def people_apart(apart: float) -> list[list[PersonTake]]:
    return [person(str(number), apart * (-1) ** number) for number in range(20)]


ONE_CLASS = [person(str(number), -4.0, ("WU WU",)) for number in range(20)]


@pytest.mark.parametrize(
    ("people", "narrowest", "widest"),
    [(people_apart(0.0), 0.0, 0.1), (people_apart(4.0), 2.0, 9.0), (ONE_CLASS, OFFSETS[0], OFFSETS[0])],
    ids=["alike", "apart", "one class shows no offset"],
)
def test_the_prior_is_as_wide_as_people_differ(
    people: Sequence[Sequence[PersonTake]], narrowest: float, widest: float
) -> None:
    assert narrowest <= fitted_priors(people)[Field.SPREAD].offset <= widest


def test_simulated_people_are_used_if_real_ones_show_too_little() -> None:
    simulated = people_apart(4.0)
    assert fitted_priors([person("Ann", 0.0)], simulated)[Field.SPREAD] == fitted_priors(simulated)[Field.SPREAD]


def test_half_of_the_people_are_measured() -> None:
    training = sum(is_training(f"s{number}") for number in range(1000))
    assert 400 < training < 600


TIGHT = dict.fromkeys(Field, PriorSpread(0.1, 0.0))
"""Prior under which a calibration changes nearly nothing."""


def counted(name: str, shift: float, groups: Sequence[str]) -> list[PersonTake]:
    """Takes of the session that is counted, of one source after the other."""
    taken = person(name, shift, ("CU CU",) * len(groups))[: len(groups)]
    return [replace(take, group=group, session=1) for take, group in zip(taken, groups, strict=True)]


def rows(people: dict[str, list[PersonTake]], capsys: pytest.CaptureFixture[str]) -> dict[str, list[str]]:
    """Printed cells of the spread by group."""
    measure(people, lambda _: TIGHT)
    lines = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()[1:]]
    return {cells[0]: cells[2:] for cells in lines if cells[1] == Field.SPREAD.value}


def test_a_take_counts_for_its_own_source(capsys: pytest.CaptureFixture[str]) -> None:
    of_group = rows({"Ann": counted("Ann", 0.0, ("echo", "lsc", "lsc"))}, capsys)
    assert {group: cells[0] for group, cells in of_group.items()} == {"all": "6", "echo": "2", "lsc": "4"}


def test_intervals_are_those_of_persons_and_not_of_labels(capsys: pytest.CaptureFixture[str]) -> None:
    shifts = {"Ann": 0.0, "Ben": 4.0, "Cleo": 0.0, "Dora": 4.0}
    people = {name: counted(name, shift, ("echo",) * 3) for name, shift in shifts.items()}
    share = ClusteredShare.of_clusters((name, shift > 0) for name, shift in shifts.items() for _ in range(6))
    assert share is not None
    low, high = share.interval
    assert high - low > 0.6
    assert rows(people, capsys)["all"][1] == f"12 → 12 ({100 * low:.1f}–{100 * high:.1f} %)"
