"""Usage errors: one sentence on stderr, exit code 2, and nothing on stdout."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    Run = tuple[int, str, str]


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
def test_a_usage_error_is_one_sentence(bunnymoose: Callable[..., Run], arguments: str, sentence: str) -> None:
    assert bunnymoose(*arguments.split()) == (2, "", f"{sentence}\n")


@pytest.mark.parametrize("group", ["cue", "deck", "games", "models", "profile"])
def test_a_group_alone_shows_its_commands(bunnymoose: Callable[..., Run], group: str) -> None:
    code, out, err = bunnymoose(group)
    assert code == 2
    assert "Usage" in out + err
    assert "Commands" in out + err


def test_what_was_typed_is_escaped_and_bounded(bunnymoose: Callable[..., Run]) -> None:
    code, out, err = bunnymoose("\x1b[31m" + "x" * 5000)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "\x1b" not in err
    assert len(err) < 2100
