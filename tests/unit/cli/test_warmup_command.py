"""`bunnymoose warmup`: what was told wrongly is one sentence before any camera is opened."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
import typer
from typer.testing import CliRunner

from bunnymoose_cv.calibration.adaptation.labelled_take import LabelledTake, TakeSource
from bunnymoose_cv.calibration.adaptation.log_odds import SideOdds
from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.calibration.profiles.profile_kind import ProfileKind
from bunnymoose_cv.cli import app, warmup_command
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.rules.pose import Pose

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--players", " , "], "Name every player once"),
        (["--players", "Anna,anna"], "Name every player once"),
        (["--players", "Zo\u00eb,Zoe\u0308"], "Name every player once"),
        (["--players", "Anna,B\u200ben"], "is no name of a player"),
        (["--players", f"Anna,{'B' * 61}"], "is too long"),
        (["--players", "A\udcff,Ben"], "is no name of a player"),
        (["--players", "Anna", "--only", "Ben"], "“Ben” is none of the players"),
        (["--players", "A,B,C,D,E,F,G"], "At most 6 people play, not 7: leave some out of --players."),
        (["--players", "Anna", "--exempt", "Anna=nose"], "“nose” cannot be left unjudged"),
        (
            ["--players", "Anna", "--exempt", "Anna"],
            "“Anna” exempts nobody: write --exempt NAME=PART, such as Anna=tongue.",
        ),
        (["--players", "Anna", "--exempt", "=tongue"], "“=tongue” exempts nobody: write --exempt NAME=PART"),
        (["--players", "Anna", "--camera", "no/such/clip.mp4"], "no/such/clip.mp4"),
    ],
)
def test_a_mistake_is_one_sentence(words: Sequence[str], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        CliRunner().invoke(app, ["warmup", "--camera", "0", "--silent", *words], catch_exceptions=False)


def test_what_cannot_be_kept_of_one_is_told_and_the_others_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    files, side = default_profile_files(), SideOdds((-0.01, -7.0, -7.5), spread=-0.5, direction=6.0, form=6.25, place=6)
    damaged = files.path(ProfileKind.PLAYER, "Ben")
    damaged.parent.mkdir(parents=True)
    damaged.write_text("nonsense")
    take = LabelledTake(TakeSource.WARM_UP, Pose.parse("WU WU"), side, side, -6)
    takes = dict.fromkeys(("Anna", "Ben", "Cleo"), (take,))
    exempt = {"Ben": frozenset({Exemption.TONGUE})}
    with pytest.raises(typer.Exit) as ended:
        warmup_command.keep_profiles(takes, exempt, load_settings(), lambda settings, _: settings.name)
    told = capsys.readouterr()
    assert (ended.value.exit_code, told.out) == (2, "Anna\nCleo\n")
    assert told.err.startswith(f"Ben: The profile {damaged} is damaged")
    assert [each.name for each in files.list(ProfileKind.PLAYER).profiles] == ["Anna", "Cleo"]
