"""A small deck of printed cards and a photograph of three of them, drawn by the tests."""

from pathlib import Path

import cv2
import numpy as np

from bunnymoose_cv.art.card_images import printed_card
from bunnymoose_cv.rules.cards import Table, parse_table

FACES = "L.WU+2 R.SF+1 B.T?+1 MOOSE+2 TONGUE+3 HUNTER REVERSE L.CD+1"
SHOWN = "MOOSE+2 L.WU+2 TONGUE+3"


def write_small_deck(folder: Path) -> Path:
    path = folder / "box.toml"
    path.write_text(f'title = "Small"\nedition = "second"\ncards = ["{FACES}"]\n', "utf-8")
    return path


def photograph_cards(deck: Table, path: Path) -> Path:
    """Draw three printed cards on a dark cloth, upside down as from the narrator's side."""
    table = np.full((520, 1060, 3), 50, np.uint8)
    faces = tuple(dict.fromkeys(deck))
    for index, card in enumerate(parse_table(SHOWN)):
        image = printed_card(card, faces.index(card))
        table[90:442, 60 + index * 340 : 312 + index * 340] = image[::-1, ::-1]
    noise = np.random.default_rng(1).normal(0, 3, table.shape)
    seen = np.clip(cv2.GaussianBlur(table, (0, 0), 0.8) * 0.9 + noise, 0, 255).astype(np.uint8)
    cv2.imwrite(str(path), seen)
    return path
