"""Option groups: commands take dataclasses, the command line shows their fields."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from bunnymoose_cv.cli.framework.option_groups import takes_groups

Count = Annotated[int, typer.Option("--count", min=1)]
Named = Annotated[str | None, typer.Option("--name")]
Loud = Annotated[bool, typer.Option("--loud")]


@dataclass(frozen=True, slots=True)
class Group:
    count: Count
    name: Named = None


@takes_groups
def command(*, group: Group, loud: Loud = False) -> None:
    """Say something."""
    typer.echo(f"{group} {loud}")


app = typer.Typer()
app.command()(command)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--count", "2"], "Group(count=2, name=None) False"),
        (["--name", "Bo", "--loud", "--count", "1"], "Group(count=1, name='Bo') True"),
    ],
)
def test_a_command_gets_its_groups(words: list[str], told: str) -> None:
    assert CliRunner().invoke(app, words).output.strip() == told


@pytest.mark.parametrize("words", [[], ["--count", "0"], ["--group", "x", "--count", "1"]])
def test_a_groups_options_are_checked_like_any_other(words: list[str]) -> None:
    assert CliRunner().invoke(app, words).exit_code == 2
