"""Fragments about cards that a page fetches: faces of a motif, and typed cards as they are understood."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.unit.web.in_process import InProcess

ABOUT = "L.WU%2B1"


def test_the_faces_about_a_motif_stand_where_their_side_is(in_process: InProcess) -> None:
    owner = in_process.owner_once
    faces = owner.html(f"/cards/faces.html?about={ABOUT}")
    placed = re.findall(r'<li class="(at-\w+)"><button[^>]* name="cards" value="([^"]*)"', faces)
    sides = {"at-left": "L.", "at-right": "R.", "at-both": "B."}
    assert {place for place, _ in placed} == set(sides)
    assert all(card.startswith(sides[place]) and "WU" in card for place, card in placed)
    every = owner.html(f"/enrol/faces.html?about={ABOUT}")
    assert 'name="card"' in every
    assert " disabled" not in every


def test_what_lies_already_cannot_come_again(in_process: InProcess) -> None:
    owner = in_process.owner_once
    assert owner.send("lay", cards="L.WU+2").status_code == 204
    used = r'value="L\.WU\+2"[^>]* disabled.*?laid already'
    assert re.search(used, owner.html(f"/cards/faces.html?about={ABOUT}"))
    assert owner.send("undo").status_code == 204
    assert not re.search(used, owner.html(f"/cards/faces.html?about={ABOUT}"))


@pytest.mark.parametrize(
    ("typed", "has", "lacks"),
    [
        ("", "One card for the next pile", "<svg"),
        ("l.wu%2B1 hunter", '<ol class="understood">', "<mark>"),
        ("l.wu%2B1 b.cx%2B1", "<mark>CX+1</mark>", '<ol class="understood">'),
        ("<script>x</script>", "&lt;SCRIPT&gt;", "<SCRIPT>"),
        ("%00%ff", "<mark>", "\0\0"),
    ],
)
def test_typed_cards_are_shown_as_they_are_understood(in_process: InProcess, typed: str, has: str, lacks: str) -> None:
    shown = in_process.owner_once.html(f"/cards/understood.html?typed={typed}")
    assert has in shown
    assert lacks not in shown


@pytest.mark.parametrize("about", ["", "x", "<b>", "../..", "L.WU", "%00", "é"])
def test_another_motif_is_refused_by_a_sentence(in_process: InProcess, about: str) -> None:
    for path in ("/cards/faces.html", "/enrol/faces.html"):
        answer = in_process.owner_once.get(f"{path}?about={about}")
        assert (answer.status_code, answer.headers["content-type"]) == (400, "text/plain; charset=utf-8")
        assert answer.text == "That cannot be done so: load the page once more."


def test_fragments_are_for_whom_their_page_is(in_process: InProcess) -> None:
    paths = (f"/cards/faces.html?about={ABOUT}", "/cards/understood.html?typed=x", f"/enrol/faces.html?about={ABOUT}")
    answers = [[browser.get(path) for path in paths] for browser in (in_process.phone_of("Blue"), in_process.phone())]
    assert [[each.status_code for each in of_one] for of_one in answers] == [[200, 200, 403], [403, 403, 403]]
    assert [in_process.stranger().get(path).status_code for path in paths] == [403] * 3
    for answer in answers[0]:
        assert "default-src 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"
