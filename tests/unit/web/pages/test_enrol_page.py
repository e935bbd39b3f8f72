"""The enrolment page on a real screen: photographed cards get their names by its forms, and its stream tells."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.rules.cards import parse_table
from tests.unit.web.browsing import Served, seen_on
from tests.unit.web.in_process import InProcess
from tests.unit.web.photographs import jpeg, laid_out

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.unit.web.browsing import Browser

KNOWN = "L.WU+2"
"""A card of the printed deck that guesses come from, and one that is no card there."""
UNKNOWN = "TONGUE+3"


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Served]:
    served = Served(tmp_path, names=("Ann <b>", "Blue", "Green"))
    yield served
    served.stop()


@pytest.fixture
def quiet_screen(tmp_path: Path) -> Iterator[InProcess]:
    """A screen without streams."""
    screen = InProcess(tmp_path, names=("Ann <b>", "Blue", "Green"))
    yield screen
    screen.stop()


def photograph(owner: Browser, cards: str) -> None:
    headers = {"Origin": owner.base, "Content-Type": "image/jpeg"}
    answer = owner.ask("POST", "/enrol/photo", content=jpeg(laid_out(parse_table(cards))), headers=headers)
    assert answer.status_code == 204


def asked(page: str) -> str:
    """Number of the card that the page asks about."""
    found = re.search(r"/enrol/crop/(\d+)\.jpg", page)
    assert found, "a card waits"
    return found[1]


def test_nothing_is_asked_before_a_photograph(in_process: InProcess) -> None:
    page = in_process.owner().html("/enrol")
    assert "0 of 94 faces" in page
    assert 'data-photo="/enrol/photo"' in page
    for absent in ("Which card is this?", "Forget a face", "/command/name-card", "<details"):
        assert absent not in page, absent


def test_a_card_is_guessed_named_told_and_forgotten(screen: Served) -> None:
    owner = screen.owner()
    with owner.events("/enrol", seen_on(owner.html("/enrol"))) as events:
        assert next(events).parts == {}, "the browser has everything"
        photograph(owner, KNOWN)
        news = next(events).parts
        assert set(news) == {"question", "motifs", "choices"}, "what has not changed is not sent"
        assert "1 card waits" in news["question"]
        assert f'name="card" value="{KNOWN}"' in news["question"]
        number = asked(news["question"])
        assert owner.send("name-card", number=number, card=KNOWN).status_code == 204
        news = next(events).parts
        assert "1 of 94" in news["progress"]
        assert "Missing by the rulebook: 93" in news["progress"]
        assert news["question"] == news["motifs"] == news["choices"] == ""
        assert f'value="{KNOWN}"' in news["faces"]
        assert owner.send("name-card", number=number, card=KNOWN).status_code == 409
        assert owner.send("forget-card", card=KNOWN).status_code == 204
        news = next(events).parts
        assert "0 of 94" in news["progress"]
        assert news["faces"] == ""


def test_a_card_that_stands_on_its_head_is_turned_and_another_one_left_out(quiet_screen: InProcess) -> None:
    owner = quiet_screen.owner()
    photograph(owner, UNKNOWN)
    first = asked(owner.html("/enrol"))
    assert owner.send("turn-card", number=first).status_code == 204
    turned = asked(owner.html("/enrol"))
    assert turned != first, "no page shows the old picture"
    assert owner.send("turn-card", number=first).status_code == 409
    assert owner.send("reject-card", number=turned).status_code == 204
    assert "Which card is this?" not in owner.html("/enrol")
    answer = owner.send("reject-card", number=turned)
    assert (answer.status_code, answer.text) == (409, "That card has its name already.")


@pytest.mark.parametrize(
    ("command", "form"),
    [
        ("turn-card", {}),
        ("turn-card", {"number": "-1"}),
        ("reject-card", {"number": "one"}),
        ("forget-card", {}),
        ("forget-card", {"card": "<b>"}),
        ("name-card", {"card": KNOWN}),
    ],
)
def test_a_crooked_form_is_refused_by_a_sentence(in_process: InProcess, command: str, form: dict[str, str]) -> None:
    answer = in_process.owner_once.send(command, **form)
    assert (answer.status_code, answer.text) == (400, "That cannot be done so: load the page once more.")


@pytest.mark.parametrize("command", ["name-card", "turn-card", "reject-card", "forget-card"])
def test_phones_enrol_nothing(in_process: InProcess, command: str) -> None:
    for phone in (in_process.phone(), in_process.phone_of("Blue")):
        assert phone.send(command, number="1", card=KNOWN).status_code == 403
        assert phone.get("/enrol").status_code == 403
        assert phone.get("/events/enrol").status_code == 403
