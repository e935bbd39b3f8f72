"""The study of questions: verdicts at dealt tables."""

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from bunnymoose_cv.referee.question import ReadPose
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.pose import Pose, Tongue, parse_headgear
from bunnymoose_cv.rules.pose_fields import PoseField
from bunnymoose_cv.rules.pose_probabilities import PoseProbabilities
from training.evaluate.dealt_tables import LabelledRead, figures_line, labelled_players, main, verdicts_at_tables
from training.evaluate.shares import ClusteredShare

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
    assert (sum(verdict.asked for verdict in fields), sum(verdict.asked for verdict in moves)) == (by_field, by_move)
    assert sum(not verdict.asked and not verdict.right for verdict in moves) == wrong


def test_doubt_is_asked_about_only_at_some_tables() -> None:
    read = [LabelledRead("Ann", MOOSE, reading(0.6, PoseField.LEFT_SPREAD))]
    _, moves = verdicts_at_tables(read, rules_for(), 40, 1, 0.93)
    assert 0 < sum(verdict.asked for verdict in moves) < 40
    assert figures_line("by the move", moves).startswith(f"by the move: asked {sum(e.asked for e in moves)} of 40")


def test_only_complete_and_certain_poses_count(tmp_path: Path) -> None:
    people = tmp_path / "people.csv"
    labels = "WU,n,1,1,in W?,--,1,1,in ?U,--,1,1,in x,--,1,1,in TS,--,0,1,in --,--,1,1,out --,--,1,1,x"
    rows = [f"{number}.jpg,p{number},s,{line}" for number, line in enumerate(labels.split())]
    people.write_text("\n".join(["file,person,source,left,right,left_sure,right_sure,tongue", *rows]))
    found = [(player.image.name, player.person, str(player.pose)) for player in labelled_players(people)]
    assert found == [("0.jpg", "p0", "WU --"), ("5.jpg", "p5", "-- -- t")]


def test_person_of_a_manifest_row_is_its_subject_or_its_image(tmp_path: Path) -> None:
    manifest = tmp_path / "manifest.csv"
    manifest.write_text("id,file,kind,labels\na,a.jpg,player,poses=WU WU;subject=Ann\nb,b.jpg,player,poses=WU WU\n")
    assert [player.person for player in labelled_players(manifest)] == ["Ann", "b"]


def test_tables_of_one_person_count_as_one_cluster() -> None:
    read = [LabelledRead(name, Pose(None, None), reading(1.0)) for name in "abcd"]
    read += [LabelledRead(name, MOOSE, reading(1.0)) for name in "efgh"]
    _, moves = verdicts_at_tables(read, rules_for(), 20, 1, 0.93)
    wrong = ClusteredShare.of_clusters((verdict.person, not verdict.right) for verdict in moves)
    assert wrong is not None
    low, high = wrong.interval
    assert high - low > 0.5
    assert figures_line("by the move", moves).endswith(f"({low:.1%} – {high:.1%})")


def test_documented_command_can_be_called() -> None:
    app = typer.Typer()
    app.command()(main)
    assert CliRunner().invoke(app, ["--help"]).exit_code == 0
