"""File formats of the documentation: every command that prints JSON is there, and every key of the shared shapes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.core import TyperGroup
from typer.main import get_command

from bunnymoose_cv.cli import app
from bunnymoose_cv.referee import json_output

TEXT = (Path(__file__).parents[1] / "docs" / "reference" / "formats.md").read_text("utf-8")
SHAPES = [shape for name, shape in vars(json_output).items() if name.endswith("Shape") and name != "_Shape"]
BEGUN_BY_ANOTHER = {"play-terminal": "play --no-screen"}


def commands_with_json() -> list[str]:
    """Names of the commands that take `--json`."""
    root = get_command(app)
    assert isinstance(root, TyperGroup)
    named = []
    for name, command in root.commands.items():
        inner = command.commands if isinstance(command, TyperGroup) else {}
        every = {name: command} | {f"{name} {each}": found for each, found in inner.items()}
        named += [each for each, found in every.items() if any("--json" in option.opts for option in found.params)]
    return named


@pytest.mark.parametrize("command", commands_with_json())
def test_every_command_that_prints_json_is_described(command: str) -> None:
    assert re.search(rf"[` ]{BEGUN_BY_ANOTHER.get(command, command)}(?:`| --json| --no-screen)", TEXT)


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.__name__)
def test_every_key_of_a_shape_is_named(shape: type[json_output.JudgementShape]) -> None:
    assert [key for key in shape.model_fields if not re.search(rf'["`]{key}["`]', TEXT)] == []
