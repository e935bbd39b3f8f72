"""Usage errors are one sentence on stderr; commands take dataclasses of options."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from bunnymoose_cv.cli import COMMANDS
from bunnymoose_cv.cli.framework.command_groups import CheckedCommand, takes_groups
from tests.program import Program


def leaves(command: Any) -> Iterator[Any]:
    """Yield the commands below a group, or the command itself."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield command
    else:
        for child in inner.values():
            yield from leaves(child)


def test_every_command_is_a_checked_command() -> None:
    found = [leaf for name, lazy in COMMANDS.items() for leaf in leaves(lazy.load(name))]
    assert len(found) > 30
    assert [command.name for command in found if not isinstance(command, CheckedCommand)] == []


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["judge", "a.jpg", "--out", ""], "--out"),
        (["judge", "a.jpg", "--cards-from", ""], "--cards-from"),
        (["demo", "--out="], "--out"),
        (["say", "Moose", "--out", ""], "--out"),
        (["play", "--script", ""], "--script"),
        (["play", "--games", ""], "--games"),
        (["play", "--no-screen", "--deck", ""], "--deck"),
        (["games", "list", "--games", ""], "--games"),
        (["deck", "print", "--out", ""], "--out"),
        (["cue", "learn", "a.wav", ""], "[FILE]…"),
    ],
)
def test_empty_path_is_refused(bunnymoose: Program, words: list[str], name: str) -> None:
    code, out, err = bunnymoose(*words)
    assert (code, out, err) == (2, "", f"{name} is empty: name a file or a folder.\n")


@pytest.mark.parametrize(
    ("words", "name"),
    [
        (["judge", "a.jpg", "--out", "-"], "--out"),
        (["judge", "a.jpg", "--cards-from", "-"], "--cards-from"),
        (["say", "Moose", "--out=-"], "--out"),
        (["deck", "mat", "--out", "-"], "--out"),
    ],
)
def test_hyphen_is_not_a_file(
    bunnymoose: Program, words: list[str], name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert bunnymoose.refusal(*words).startswith(f"{name} is no place for standard input or output: ")
    assert not any(tmp_path.iterdir())


def test_dot_is_accepted_as_output_folder(bunnymoose: Program) -> None:
    code, _, err = bunnymoose("judge", "none.jpg", "--out", ".")
    assert code == 2
    assert "There is no none.jpg" in err


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["play", "--no-screen", "--at", "1", "--at", "inf"], "--at"),
        (["play", "--no-screen", "--at", "nan"], "--at"),
        (["play", "--no-screen", "--at", "-1"], "--at"),
        (["play", "--tempo", "nan"], "--tempo"),
        (["cue", "test", "--seconds", "nan"], "--seconds"),
        (["cue", "test", "--seconds", "1e9"], "--seconds"),
    ],
)
def test_infinite_nan_or_negative_number_is_refused(bunnymoose: Program, words: list[str], option: str) -> None:
    assert option in bunnymoose.refusal(*words)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ("--foo", "bunnymoose has no option --foo: “bunnymoose --help” lists them."),
        ("--version=3", "--version takes no value: “bunnymoose --help” shows how."),
        ("judg", "bunnymoose has no command “judg”: did you mean “judge”?"),
        ("sing", "bunnymoose has no command “sing”: “bunnymoose --help” lists them."),
        ("games lst", "bunnymoose games has no command “lst”: did you mean “list”?"),
        ("--", "bunnymoose: missing command; see “bunnymoose --help”."),
        ("cue --", "bunnymoose cue: missing command; see “bunnymoose cue --help”."),
        ("-- -x", "bunnymoose has no option -x: “bunnymoose --help” lists them."),
        ("judge", "bunnymoose judge needs SOURCE: “bunnymoose judge --help” shows how."),
        ("judge a.jpg --jsn", "bunnymoose judge has no option --jsn: did you mean --json?"),
        ("judge a.jpg --xyzzy", "bunnymoose judge has no option --xyzzy: “bunnymoose judge --help” lists them."),
        ("judge a.jpg --at", "--at needs a value behind it: “bunnymoose judge --help” shows how."),
        ("judge a.jpg --json=3", "--json takes no value: “bunnymoose judge --help” shows how."),
        ("judge a.jpg --bet x", "--bet has to be a whole number, not “x”: “bunnymoose judge --help” shows how."),
        ("play --tempo soon", "--tempo has to be a number, not “soon”: “bunnymoose play --help” shows how."),
        ("cue learn --takes 99", "--takes has to be at most 20, not “99”: “bunnymoose cue learn --help” shows how."),
        (
            "games list a b",
            "bunnymoose games list takes fewer words, so leave “a b” out: “bunnymoose games list --help” shows how.",
        ),
        (
            "profile show dog Rex",
            "player|table has to be one of 'player', 'table', not “dog”: “bunnymoose profile show --help” shows how.",
        ),
    ],
)
def test_usage_error_is_one_sentence(bunnymoose: Program, arguments: str, sentence: str) -> None:
    assert bunnymoose(*arguments.split()) == (2, "", f"{sentence}\n")


@pytest.mark.parametrize("group", ["cue", "deck", "games", "models", "profile"])
def test_group_without_command_prints_its_help_and_fails(bunnymoose: Program, group: str) -> None:
    code, out, err = bunnymoose(group)
    assert (code, err) == (2, "")
    assert "Usage" in out
    assert "Commands" in out


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
    ("words", "output"),
    [
        (["--count", "2"], "Group(count=2, name=None) False"),
        (["--name", "Bo", "--loud", "--count", "1"], "Group(count=1, name='Bo') True"),
    ],
)
def test_option_group_is_passed_as_a_dataclass(words: list[str], output: str) -> None:
    assert CliRunner().invoke(app, words).output.strip() == output


@pytest.mark.parametrize("words", [[], ["--count", "0"], ["--group", "x", "--count", "1"]])
def test_invalid_option_of_a_group_is_refused(words: list[str]) -> None:
    assert CliRunner().invoke(app, words).exit_code == 2
