"""Plain lines in the terminal: control characters escaped, and a sentence on one line of readable length."""

from __future__ import annotations

import json
from typing import Final

import typer

from bunnymoose_cv.cli.framework.secret_arguments import without_typed_secrets
from bunnymoose_cv.core.unicode_text import is_unseen

LONGEST: Final = 2_000
"""Length limit in letters; error messages repeat the input, which may be a whole file."""

_LAYOUT: Final = frozenset("\n\t")
"""Line breaks and tabs, which are kept in a result and escaped in a sentence."""


def printable(sentence: str) -> str:
    """Escape control characters and line breaks, and leave out typed passwords and the middle of a long sentence."""
    return _escaped(shortened(without_typed_secrets(sentence)), frozenset())


def shortened(text: str) -> str:
    """Leave out the middle of a long text."""
    if len(text) <= LONGEST:
        return text
    half = LONGEST // 2
    return f"{text[:half]} … {text[-half:]}"


def escaped(text: str) -> str:
    """Escape control characters in the form of JSON, so that JSON keeps its meaning."""
    return _escaped(text, _LAYOUT)


def _escaped(text: str, kept: frozenset[str]) -> str:
    if text.isascii() and text.isprintable():
        return text
    return "".join(letter if letter in kept or not is_unseen(letter) else json.dumps(letter)[1:-1] for letter in text)


def echo(line: object = "", *, err: bool = False) -> None:
    """Print a result in full, so that JSON remains valid, or a sentence for users on stderr, limited in length."""
    typer.echo(printable(str(line)) if err else escaped(str(line)), err=err)


def warn(sentence: str) -> None:
    """Print a warning for users."""
    echo(sentence, err=True)
