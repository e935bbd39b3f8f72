"""Gathering: every literal that is said is found, and what cannot be known in advance is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.i18n.gather import UngatherableError, texts_in, texts_in_template

if TYPE_CHECKING:
    from pathlib import Path


def found_in(folder: Path, code: str) -> list[object]:
    path = folder / "page.py"
    path.write_text(code, "utf-8")
    return list(texts_in(path))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ('texts("Deal")', ["Deal"]),
        ('self._texts("Bet on {player}", player=name)', ["Bet on {player}"]),
        ('host.texts("Deal", )', ["Deal"]),
        ('texts("Go on" if paused else "Pause")', ["Go on", "Pause"]),
        ('texts("One sentence " "in two pieces")', ["One sentence in two pieces"]),
        ('texts.counted("{count} card", "{count} cards", 2)', [("{count} card", "{count} cards")]),
        ('NOBODY = Phrase("nobody")', ["nobody"]),
        ('texts(line.why)\nprint("Deal")\nTexts(language)', []),
    ],
)
def test_literals_are_found(tmp_path: Path, code: str, expected: list[object]) -> None:
    assert found_in(tmp_path, code) == expected


@pytest.mark.parametrize("code", ['texts(f"Bet on {name}")', 'Phrase("Bet on " + name)', 'texts("Bet on %s" % name)'])
def test_a_text_that_is_made_while_the_program_runs_is_refused(tmp_path: Path, code: str) -> None:
    with pytest.raises(UngatherableError, match=r"page\.py:1: a text is one literal"):
        found_in(tmp_path, code)


def found_in_template(folder: Path, template: str) -> list[object]:
    path = folder / "page.html"
    path.write_text(template, "utf-8")
    return list(texts_in_template(path))


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ('<p title="{{ texts("Deal") }}">{{ texts("Bet on {player}", player=name) }}</p>', ["Deal", "Bet on {player}"]),
        ('{{ texts("Go on" if paused else "Pause") }}', ["Go on", "Pause"]),
        ('{{ counted("{count} card", "{count} cards", cards | length) }}', [("{count} card", "{count} cards")]),
        ("{% macro word(text) %}{{ texts(text) }}{{ texts(line.why) }}{% endmacro %}{{ print('Deal') }}", []),
    ],
)
def test_literals_of_templates_are_found(tmp_path: Path, template: str, expected: list[object]) -> None:
    assert found_in_template(tmp_path, template) == expected


@pytest.mark.parametrize("template", ['{{ texts("Bet on " ~ name) }}', '{{ texts("Bet on %s" | format(name)) }}'])
def test_a_text_that_a_template_joins_is_refused(tmp_path: Path, template: str) -> None:
    with pytest.raises(UngatherableError, match=r"page\.html:1: a text is one literal"):
        found_in_template(tmp_path, template)
