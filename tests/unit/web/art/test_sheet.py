"""Sheet of all faces: each once, as the documentation shows them."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree as ET

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.web.art.sheet import faces_of_all_decks, sheet
from tests.unit.web.art.cards_of_decks import DECK_CARDS

TEXTS = Texts()


def test_the_sheet_holds_every_face_once() -> None:
    faces = faces_of_all_decks()
    assert set(faces) == set(DECK_CARDS)
    assert len(faces) == len(DECK_CARDS)
    root = ET.fromstring(sheet(faces, TEXTS))  # noqa: S314 - our own art
    places = {(face.attrib["x"], face.attrib["y"]) for face in root}
    assert len(places) == len(DECK_CARDS)


def test_the_sheet_in_the_documents_is_what_is_drawn_today() -> None:
    kept = (Path(__file__).parents[4] / "docs" / "cards.svg").read_text(encoding="utf-8")
    assert kept == sheet(faces_of_all_decks(), TEXTS), "python -m bunnymoose_cv.web.art.sheet > docs/cards.svg"
