"""Options that would change nothing beside others are refused by one sentence that names them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Program = Callable[..., tuple[int, str, str]]

FOR_THE_SCREEN = "for the screen: play without --no-screen."
FOR_THE_TERMINAL = "for the terminal: add --no-screen."
FOR_THE_SCRIPT = "up to the script: change that file."
FOR_PEOPLE = "for people before a camera: play without --script, or on the screen."
FOR_THE_DEALER = "for the dealer: add --deal."


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("play --no-screen --lan", f"--lan is {FOR_THE_SCREEN}"),
        ("play --no-screen --port 0 --table-camera 1", f"--port and --table-camera are {FOR_THE_SCREEN}"),
        ("play --json", f"--json is {FOR_THE_TERMINAL}"),
        (
            "play --deal --bet Red --cards HUNTER --at 1",
            f"--deal and --bet and --cards and --at are {FOR_THE_TERMINAL}",
        ),
        ("play --script x.toml --players A,B,C", f"--players is {FOR_THE_SCRIPT}"),
        ("play --script x.toml --edition second --advanced", f"--edition and --advanced are {FOR_THE_SCRIPT}"),
        (
            "play --no-screen --script x.toml --basic --variant four-lines",
            f"--basic and --variant are {FOR_THE_SCRIPT}",
        ),
        ("play --no-screen --script x.toml --seed 1 --at 2", f"--seed and --at are {FOR_THE_SCRIPT}"),
        ("play --no-screen --script x.toml --deal", f"--deal is {FOR_THE_SCRIPT}"),
        ("play --no-screen --script x.toml --bet Red --cards HUNTER", f"--bet and --cards are {FOR_THE_SCRIPT}"),
        ("play --no-screen --script x.toml --tempo 2 --microphone USB", f"--tempo and --microphone are {FOR_PEOPLE}"),
        (
            "play --no-screen --script x.toml --bam b.toml --ask-what-matters",
            f"--bam and --ask-what-matters are {FOR_PEOPLE}",
        ),
        (
            "play --no-screen --camera 0 --deck b.toml --seed 1 --tempo 2",
            f"--deck and --seed and --tempo are {FOR_THE_DEALER}",
        ),
    ],
)
def test_useless_options_are_named_and_refused(bunnymoose: Program, words: str, sentence: str) -> None:
    code, out, err = bunnymoose(*words.split())
    assert (code, out) == (2, "")
    named, _, reason = err.strip().partition(" is " if " is " in sentence else " are ")
    expected, _, why = sentence.partition(" is " if " is " in sentence else " are ")
    assert sorted(named.split(" and ")) == sorted(expected.split(" and "))
    assert reason == why


@pytest.mark.parametrize(
    "words",
    [
        "play --no-screen --script none.toml --language de --speak --resume --games g --json",
        "play --no-screen --script none.toml --deck none.toml",
        "play --script none.toml --seed 1 --tempo 2 --bam b.toml --microphone USB --ask-everything --lan --port 0",
    ],
)
def test_options_that_change_something_are_let_through(bunnymoose: Program, words: str) -> None:
    code, _, err = bunnymoose(*words.split())
    assert code == 2
    assert "The script none.toml cannot be read" in err


def test_the_dealers_options_are_let_through_beside_it(bunnymoose: Program) -> None:
    code, _, err = bunnymoose("play", "--no-screen", "--camera", "none.mp4", "--deal", "--seed", "1", "--tempo", "2")
    assert (code, err.strip()) == (2, "play needs the names of the players: --players Red,Blue,Green")
