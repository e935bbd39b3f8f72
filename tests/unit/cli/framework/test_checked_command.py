"""No option takes infinity, no number, or an empty path."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from typer.main import get_command

from bunnymoose_cv.cli import app
from bunnymoose_cv.cli.framework.checked_command import CheckedCommand

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Program = Callable[..., tuple[int, str, str]]


def leaves(command: Any) -> Iterator[Any]:
    """The commands below a group, or the command itself."""
    inner = getattr(command, "commands", None)
    if inner is None:
        yield command
    else:
        for each in inner.values():
            yield from leaves(each)


def test_every_command_is_checked() -> None:
    found = list(leaves(get_command(app)))
    assert len(found) > 30
    assert [each.name for each in found if not isinstance(each, CheckedCommand)] == []


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
        (["evaluate", ""], "MANIFEST"),
    ],
)
def test_an_empty_path_is_refused(bunnymoose: Program, words: list[str], name: str) -> None:
    code, out, err = bunnymoose(*words)
    assert (code, out, err) == (2, "", f"{name} is empty: name a file or a folder.\n")


def test_the_folder_we_are_in_has_a_name(bunnymoose: Program) -> None:
    code, _, err = bunnymoose("judge", "none.jpg", "--out", ".")
    assert code == 2
    assert "There is no none.jpg" in err


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["judge", "a.mp4", "--at", "nan"], "--at"),
        (["judge", "a.mp4", "--every", "inf"], "--every"),
        (["play", "--no-screen", "--at", "1", "--at", "inf"], "--at"),
        (["play", "--no-screen", "--at", "nan"], "--at"),
        (["play", "--no-screen", "--at", "-1"], "--at"),
        (["play", "--tempo", "nan"], "--tempo"),
        (["cue", "test", "--seconds", "nan"], "--seconds"),
        (["cue", "test", "--seconds", "1e9"], "--seconds"),
        (["bench", "watch", "--seconds", "inf"], "--seconds"),
        (["bench", "watch", "--seconds", "1e9"], "--seconds"),
        (["bench", "--rounds", "1000000000"], "--rounds"),
        (["bench", "round", "--rounds", "1000000000"], "--rounds"),
    ],
)
def test_a_number_that_never_ends_is_refused(bunnymoose: Program, words: list[str], option: str) -> None:
    code, out, err = bunnymoose(*words)
    assert (code, out) == (2, "")
    assert option in err
