"""Every page in every language: nothing that people read or hear is left in English."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.i18n.language import Language
from tests.unit.web.in_process import InProcess
from tests.unit.web.left_in_english import english_in

if TYPE_CHECKING:
    from collections.abc import Iterator

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
    served = InProcess(tmp_path_factory.mktemp("languages"), names=NAMES, limits=limits)
    yield served
    served.stop()


def written(page: str) -> dict[str, Any]:
    """A page as one element."""
    return {"props": {"innerHTML": page}}


@pytest.mark.parametrize("language", [each for each in Language if each is not Language.ENGLISH])
def test_no_page_speaks_english(screen: InProcess, language: Language) -> None:
    screen.tell(f"speak {language}")
    owner = screen.owner_once
    found = english_in([written(owner.html("/table"))], language)
    screen.tell("play")
    found |= english_in([written(owner.html(path)) for path in PATHS], language)
    found |= english_in([written(screen.phone().html("/join"))], language)
    phone = screen.phone_of("Omar")
    narrators = screen.phone_of(screen.tell("narrator"))
    found |= english_in([written(each.html("/phone")) for each in (phone, narrators)], language)
    found |= english_in([written(phone.html(path)) for path in ("/cards", "/verdicts/1")], language)
    history = owner.html("/history")
    assert "CSV" in history
    found |= english_in([written(history)], language)
    assert not found


def test_the_words_would_be_found(screen: InProcess) -> None:
    screen.tell("speak en")
    screen.tell("play")
    for path in PATHS:
        assert english_in([written(screen.owner_once.html(path))], Language.GERMAN), path
