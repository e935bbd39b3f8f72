"""Every page in every language: nothing that people read or hear is left in English."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.catalogue.language import Language
from tests.screen.browsing import Served

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.screen.browsing import Browser, Page

NAMES = ("Ilse", "Omar", "Pia", "Vít")

ENGLISH = re.compile(
    r"\b(the|and|with|your|you|this|that|is|are|of|from|to|in|on|out|not|no|nobody|somebody|everybody|what|which|who|"
    r"cards?|rounds?|players?|phones?|left|right|moose|rabbits?|antlers?|ears?|tongue|hunter|wide|floppy|straight|"
    r"bets?|lays?|deals?|light|dark|full|screen|keys|new|game|begin|history|practice|contest|next|nothing|narrates|"
    r"ahead|back|space|pick|undo|ranking|evening|delete|red|blue|green|yellow|purple)\b",
    re.IGNORECASE,
)
"""Words of English pages."""

THEIR_OWN = {
    Language.GERMAN: {"in", "an", "phones"},
    Language.FRENCH: {"on", "an"},
    Language.SPANISH: {"no", "contest"},
    Language.CZECH: {"to", "on", "is", "no"},
}
"""Words of the list that a language has too."""

PATHS = ("/setup", "/table", "/cards", "/verdicts", "/verdicts/1", "/contest/1/1", "/contest/1/3")
SHOWN = ("aria-label", "title", "alt", "placeholder", "label")


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    often = [100_000, 10_000]
    limits = {"requests": often, "pages": often, "wrong_codes": often, "messages": often}
    served = Served(tmp_path_factory.mktemp("languages"), names=NAMES, limits=limits)
    yield served
    served.stop()


def said_by(elements: Iterable[dict[str, Any]]) -> Iterator[str]:
    """All that people read or hear of a page."""
    for element in elements:
        props = element.get("props", {})
        yield str(element.get("text") or "")
        yield from (str(props[name]) for name in SHOWN if name in props)
        drawn = unescape(str(props.get("innerHTML") or ""))
        yield from re.findall(r'(?:aria-label|title|alt)="([^"]*)"', drawn)
        yield re.sub(r"<style.*?</style>|<[^>]*>", " ", drawn)


def comes_later(browser: Browser, page: Page, last: str) -> Iterator[dict[str, Any]]:
    """What a page gets through its socket, until something holds a text."""
    with browser.socket(page.client_id) as socket:
        said = ""
        while last not in said:
            message = str(socket.receive())
            if message.startswith('42["update",'):
                new = [each for each in json.loads(message[2:])[1].values() if isinstance(each, dict)]
                said = "\n".join(said_by(new))
                yield from new


def english_in(elements: Iterable[dict[str, Any]], language: Language) -> set[tuple[str, str]]:
    return {
        (word, said)
        for said in said_by(elements)
        for word in ENGLISH.findall(re.sub(r"--\w+|bunnymoose \w+|https?://\S+|/[\w/.-]+", "", said))
        if word.lower() not in THEIR_OWN[language] and not word.isupper()  # the notation is
    }


@pytest.mark.parametrize("language", [each for each in Language if each is not Language.ENGLISH])
def test_no_page_speaks_english(screen: Served, language: Language) -> None:
    screen.tell(f"speak {language}")
    owner = screen.owner_once
    found = english_in(owner.page("/table").elements.values(), language)
    screen.tell("play")
    for path in (*PATHS, "/practice", "/join"):
        found |= english_in(owner.page(path).elements.values(), language)
    phone = screen.phone_of("Omar")
    for path in ("/phone", "/cards", "/verdicts/1"):
        found |= english_in(phone.page(path).elements.values(), language)
    found |= english_in(comes_later(owner, owner.page("/history"), last="CSV"), language)
    assert not found


def test_the_words_would_be_found(screen: Served) -> None:
    screen.tell("speak en")
    screen.tell("play")
    for path in PATHS:
        assert english_in(screen.owner_once.page(path).elements.values(), Language.GERMAN), path
