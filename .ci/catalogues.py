"""Extraction of the program's texts into the catalogues, and their compilation: `make catalogue`.

It needs the development extra; the program itself never imports it. The reason for not using `pybabel extract` is in
docs/explanation/decisions/0001-libraries.md.

A text is a literal in the code, in one of three calls: `texts("Deal")`, `texts.counted("{count} card",
"{count} cards", n)`, and `Phrase("Deal")` if it is translated elsewhere. Templates call `texts` and `counted`, and
editions and decks have titles. Texts that no longer exist are removed from the catalogues. New ones are added without
a translation.
"""

from __future__ import annotations

import ast
import tomllib
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final, TypeAlias

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import CATALOGUES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from babel.messages.catalog import Message

PACKAGE: Final = CATALOGUES.parent

SAYS_ONE: Final = {"texts", "_texts", "Phrase"}
SAYS_COUNTED: Final = "counted"
"""Name of the call whose two literals are the forms of a text; `SAYS_ONE` are those with one literal."""

TRANSLATED: Final = tuple(language for language in Language if language is not Language.ENGLISH)

UNCHANGING: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""Constant date of the catalogues; the current one would change every catalogue each time."""

Text: TypeAlias = str | tuple[str, str]
"""Text in English, or its singular and plural."""


class UngatherableError(Exception):
    """Text in the code that cannot be extracted, because it is composed at run time."""


def gathered() -> dict[Text, set[str]]:
    """Return every text of the program, with its files (relative to the parent of the package's folder).

    Raises:
        UngatherableError: a text is not a literal.
    """
    found: dict[Text, set[str]] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        for text in texts_in(path):
            found.setdefault(text, set()).add(path.relative_to(PACKAGE.parent).as_posix())
    for path in sorted(PACKAGE.rglob("*.html")):
        for text in texts_in_template(path):
            found.setdefault(text, set()).add(path.relative_to(PACKAGE.parent).as_posix())
    for path in sorted((PACKAGE / "rules" / "data").rglob("*.toml")):
        title = tomllib.loads(path.read_text("utf-8"))["title"]
        found.setdefault(title, set()).add(path.relative_to(PACKAGE.parent).as_posix())
    return found


def texts_in(path: Path) -> Iterator[Text]:
    """Yield the texts of one file, in order.

    Raises:
        UngatherableError: a text is not a literal.
    """
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        try:
            if called in SAYS_ONE:
                yield from _literals(node.args[0])
            elif called == SAYS_COUNTED:
                yield from zip(_literals(node.args[0]), _literals(node.args[1]), strict=True)
        except UngatherableError as error:
            raise UngatherableError(f"{path}:{node.lineno}: {error}") from None


def texts_in_template(path: Path) -> Iterator[Text]:
    """Yield the texts of one Jinja2 template, in order.

    Raises:
        UngatherableError: a text is not a literal.
    """
    tree = Environment(autoescape=True).parse(path.read_text("utf-8"))
    for call in tree.find_all(nodes.Call):
        called = call.node.name if isinstance(call.node, nodes.Name) else ""
        try:
            if called in SAYS_ONE:
                yield from _literals_in_template(call.args[0])
            elif called == SAYS_COUNTED:
                yield from zip(*map(_literals_in_template, call.args[:2]), strict=True)
        except UngatherableError as error:
            raise UngatherableError(f"{path}:{call.lineno}: {error}") from None


def _literals(argument: ast.expr) -> Iterator[str]:
    """Yield the literals of an argument; none for a variable, whose phrase is extracted elsewhere."""
    match argument:
        case ast.Constant(value=str(text)):
            yield text
        case ast.IfExp(body=body, orelse=orelse):
            yield from _literals(body)
            yield from _literals(orelse)
        case ast.JoinedStr() | ast.BinOp():
            raise UngatherableError("a text is one literal; values go in as {name}, not as an f-string")


def _literals_in_template(argument: nodes.Expr) -> Iterator[str]:
    """Yield the literals of an argument in a template."""
    match argument:
        case nodes.Const(value=str(text)):
            yield text
        case nodes.CondExpr(expr1=first, expr2=nodes.Expr() as second):
            yield from _literals_in_template(first)
            yield from _literals_in_template(second)
        case nodes.Name() | nodes.Getattr() | nodes.Getitem():
            pass
        case _:
            raise UngatherableError("a text is one literal; values go in as name=value, never joined to it")


def read_catalogue(language: Language) -> Catalog:
    """Read the catalogue of one language as its translator wrote it; it is empty if the file does not exist yet."""
    path = CATALOGUES / f"{language}.po"
    if path.exists():
        with path.open("rb") as file:
            return read_po(file, locale=language.value)
    return Catalog(locale=language.value)


def updated_catalogue(catalogue: Catalog, found: dict[Text, set[str]]) -> Catalog:
    """Return a catalogue of the current texts, sorted by their English, with the existing translations."""
    language = Language(str(catalogue.locale))
    renewed = Catalog(
        locale=catalogue.locale,
        project="bunnymoose-cv",
        header_comment=f"# {language.own_name}. Gathered and compiled by `make catalogue`; docs/how-to/languages.md.",
        creation_date=UNCHANGING,
        revision_date=UNCHANGING,
        version="0",
        last_translator="bunnymoose-cv",
        language_team=language.own_name,
        msgid_bugs_address="bunnymoose-cv",
        fuzzy=False,
    )
    renewed.mime_headers = [("Plural-Forms", catalogue.plural_forms)]  # Babel 2.19 adds a form in French
    for text in sorted(found, key=str):
        known = catalogue.get(text)
        translation = known.string if known is not None and known.id == text else None
        renewed.add(text, translation, [(file, 0) for file in sorted(found[text])])
    return renewed


def write_catalogue(catalogue: Catalog) -> None:
    """Write the catalogue for its translator (`.po`) and for the program (`.mo`)."""
    path = CATALOGUES / f"{catalogue.locale}.po"
    with path.open("wb") as file:
        write_po(file, catalogue, width=120, include_lineno=False)
    with path.with_suffix(".mo").open("wb") as file:
        write_mo(file, catalogue)


def main() -> None:
    """Update and compile the catalogues, and print the texts without a translation."""
    found = gathered()
    for language in TRANSLATED:
        catalogue = updated_catalogue(read_catalogue(language), found)
        write_catalogue(catalogue)
        missing = [message.id for message in catalogue if message.id and not is_translated(message)]
        print(f"{language.own_name}: {len(found)} texts, {len(missing)} of them still without a translation")
        for text in missing:
            print(f"  {text}")


def is_translated(message: Message) -> bool:
    """Return whether a text, or every form of a counted one, has a translation."""
    return all(message.string) if isinstance(message.string, tuple) else bool(message.string)


if __name__ == "__main__":
    main()
