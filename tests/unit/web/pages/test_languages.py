"""Every page in every language: no visible or spoken text is left in English."""

import re
from collections.abc import Collection, Iterable, Iterator
from html import unescape

import pytest

from bunnymoose_cv.i18n.language import Language
from tests.unit.web.in_process import InProcess

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
"""English words that also exist in a language."""

NOT_WORDS = re.compile(r"--\w+|bunnymoose \w+|https?://\S+|/[\w/.-]+")
"""Options, commands and addresses, which are not translated."""


def said_by(page: str) -> Iterator[str]:
    """Yield the visible and spoken texts of a page."""
    yield from map(unescape, re.findall(r'(?:aria-label|title|alt|placeholder|label)="([^"]*)"', page))
    yield unescape(re.sub(r"<style.*?</style>|<[^>]*>", " ", page))


def english_in(pages: Iterable[str], language: Language, names: Collection[str] = ()) -> set[tuple[str, str]]:
    """Return the English words of pages with their texts, except for names of players."""
    return {
        (word, said)
        for page in pages
        for said in said_by(page)
        for word in ENGLISH.findall(NOT_WORDS.sub("", said))
        if word.lower() not in THEIR_OWN[language] and word not in names and not word.isupper()  # the notation is
    }


NAMES = ("Ilse", "Omar", "Pia", "Vít")

PATHS = (
    "/setup",
    "/warm-up",
    "/table",
    "/check",
    "/practice",
    "/cards",
    "/cards/faces.html?about=L.WU%2B1",
    "/cards/understood.html?typed=L.WX",
    "/verdicts",
    "/verdicts/1",
    "/join",
    "/enrol",
    "/contest/1/1",
    "/contest/1/3",
)


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InProcess]:
    often = [100_000, 10_000]
    limits = {"requests": often, "pages": often, "wrong_codes": often, "commands": often}
    with InProcess(tmp_path_factory.mktemp("languages"), names=NAMES, limits=limits) as screen:
        yield screen


@pytest.mark.parametrize("language", [language for language in Language if language is not Language.ENGLISH])
def test_no_page_speaks_english(screen: InProcess, language: Language) -> None:
    screen.call(f"begin {language}")
    owner = screen.owner_once
    pages = [owner.html("/table")]
    screen.call("play")
    pages += [owner.html(path) for path in (*PATHS, "/history")]
    assert "CSV" in pages[-1]
    phone, narrators = screen.phone_of("Omar"), screen.phone_of(screen.call("narrator"))
    pages += [screen.phone().html("/join"), narrators.html("/phone")]
    pages += [phone.html(path) for path in ("/phone", "/cards", "/verdicts/1")]
    assert not english_in(pages, language)


def test_untranslated_words_are_detected(screen: InProcess) -> None:
    screen.call("begin")
    screen.call("play")
    for path in PATHS:
        assert english_in([screen.owner_once.html(path)], Language.GERMAN), path
