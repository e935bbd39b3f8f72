"""Finds what a page says in English, by the words that only English has."""

from __future__ import annotations

import re
from html import unescape
from typing import TYPE_CHECKING, Any

from bunnymoose_cv.i18n.language import Language

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

ENGLISH = re.compile(
    r"\b(the|and|with|your|you|this|that|is|are|of|from|to|in|on|out|not|no|nobody|somebody|everybody|what|which|who|"
    r"cards?|rounds?|players?|phones?|left|right|moose|rabbits?|antlers?|ears?|tongue|hunter|wide|floppy|straight|"
    r"bets?|lays?|deals?|light|dark|full|screen|keys|new|game|begin|history|practice|contest|next|nothing|narrates|"
    r"ahead|back|space|pick|undo|ranking|evening|delete|red|blue|green|yellow|purple)\b",
    re.IGNORECASE,
)
"""Words of English pages."""

THEIR_OWN = {
    Language.GERMAN: {"in"},
    Language.FRENCH: {"on"},
    Language.SPANISH: {"no"},
    Language.CZECH: {"to"},
}
"""Words of the list that a language has too."""

SHOWN = ("aria-label", "title", "alt", "placeholder", "label")


def said_by(elements: Iterable[dict[str, Any]]) -> Iterator[str]:
    """All that people read or hear of a page."""
    for element in elements:
        props = element.get("props", {})
        yield str(element.get("text") or "")
        yield from (str(props[name]) for name in SHOWN if props.get(name))
        drawn = unescape(str(props.get("innerHTML") or ""))
        yield from re.findall(r'(?:aria-label|title|alt)="([^"]*)"', drawn)
        yield re.sub(r"<style.*?</style>|<[^>]*>", " ", drawn)


def english_in(
    elements: Iterable[dict[str, Any]], language: Language, names: Collection[str] = ()
) -> set[tuple[str, str]]:
    """The English words among what elements say, each with where it stands; players may be called anything."""
    return {
        (word, said)
        for said in said_by(elements)
        for word in ENGLISH.findall(re.sub(r"--\w+|bunnymoose \w+|https?://\S+|/[\w/.-]+", "", said))
        if word.lower() not in THEIR_OWN[language] and word not in names and not word.isupper()  # the notation is
    }
