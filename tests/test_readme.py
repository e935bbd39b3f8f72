"""README.md promises nothing that does not hold: its examples print what they print there, its links lead somewhere."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.cli import COMMANDS
from bunnymoose_cv.rules.cards import parse_table

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text("utf-8")
EXAMPLES = [
    tuple(example.split("\n", 1))
    for block in re.findall(r"^```console\n\$ (.*?)^```$", TEXT, re.MULTILINE | re.DOTALL)
    for example in block.split("\n$ ")
]
NAMED = sorted(set(re.findall(r"bunnymoose ([a-z]+)", TEXT)))


@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_an_example_prints_what_the_readme_shows(
    command: str, output: str, bunnymoose: Callable[..., tuple[int, str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    code, printed, errors = bunnymoose(*shlex.split(command)[1:])
    assert (code, errors) == (0, "")
    assert printed.strip() == output.strip()


@pytest.mark.parametrize("command", NAMED)
def test_every_command_that_is_named_exists(command: str) -> None:
    assert command in COMMANDS


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_the_table_has_a_row_for_every_command(command: str) -> None:
    assert re.search(rf"^\| .*`(?:bunnymoose )?{command}\b.* \|", TEXT, re.MULTILINE)


@pytest.mark.parametrize("cards", re.findall(r'--cards "([^"]+)"', TEXT))
def test_cards_are_in_the_notation(cards: str) -> None:
    assert parse_table(cards)


@pytest.mark.parametrize("path", re.findall(r"(?:\]\(|src=\")([^)#\"]+)", TEXT))
def test_links_lead_to_files(path: str) -> None:
    assert (ROOT / path).exists()


@pytest.mark.parametrize("target", sorted(set(re.findall(r"make ([a-z]+)", TEXT))))
def test_make_targets_exist(target: str) -> None:
    assert re.search(rf"^{target}:", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
