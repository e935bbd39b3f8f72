"""Our deck's faces as they are printed, enrolled by another camera, and the reader of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.vision.cards.card_reader import CardReader
from training.cards.matrix import enrolled, printed_faces

if TYPE_CHECKING:
    from training.cards.laid_cards import Face


@pytest.fixture(scope="session")
def faces() -> tuple[Face, ...]:
    return printed_faces()


@pytest.fixture(scope="session")
def card_reader(faces: tuple[Face, ...]) -> CardReader:
    return CardReader(enrolled(faces))
