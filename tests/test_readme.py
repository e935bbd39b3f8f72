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
    from tests.program import Program

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
    command: str, output: str, bunnymoose: Program, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    assert bunnymoose.output(*shlex.split(command)[1:]).strip() == output.strip()


def test_every_command_that_is_named_exists() -> None:
    assert NAMED
    assert [command for command in NAMED if command not in COMMANDS] == []


def test_the_table_has_a_row_for_every_command() -> None:
    rows = "\n".join(line for line in TEXT.splitlines() if line.startswith("| "))
    assert COMMANDS
    assert [name for name in COMMANDS if not re.search(rf"`(?:bunnymoose )?{name}\b.* \|", rows)] == []


def test_cards_are_in_the_notation() -> None:
    written = re.findall(r'--cards "([^"]+)"', TEXT)
    assert written
    assert all(parse_table(cards) for cards in written)


def test_links_lead_to_files() -> None:
    paths = re.findall(r"(?:\]\(|src=\")([^)#\"]+)", TEXT)
    assert paths
    assert [path for path in paths if not (ROOT / path).exists()] == []


def test_make_targets_exist() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = sorted(set(re.findall(r"make ([a-z]+)", TEXT)))
    assert targets
    assert [target for target in targets if not re.search(rf"^{target}:", makefile, re.MULTILINE)] == []
