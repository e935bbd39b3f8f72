"""Kind of a hand by its shape, from the words of every set."""

from __future__ import annotations

import pytest

from bunnymoose_cv.rules.pose import Form, Spread
from bunnymoose_cv.vision.headgear.headgear_reading import Kind
from training.evaluate.hand_labels import HandLabels, Thumb
from training.evaluate.headgear_fields import HeadgearFields


@pytest.mark.parametrize(
    ("letters", "thumb", "kind"),
    [
        ("IM", "tucked", Kind.EAR),
        ("IM", "out", Kind.EAR),
        ("IM", "", Kind.EAR),
        ("IMRP", "out", Kind.ANTLER),
        ("IMRP", "tucked", Kind.EAR),
        ("IMRP", "along", None),
        ("IMRP", "", None),
        ("IP", "tucked", Kind.NEITHER),
        ("MR", "", Kind.NEITHER),
        ("IMR", "out", Kind.NEITHER),
        ("I", "out", Kind.NEITHER),
        ("0", "", Kind.NEITHER),
        ("", "out", None),
    ],
)
def test_fingers_and_thumb_make_the_kind(letters: str, thumb: str, kind: Kind | None) -> None:
    assert HandLabels.of_letters(letters, thumb).kind is kind


def test_letters_and_words_say_the_same() -> None:
    labels = {"fingers_out": "index+middle", "thumb": "out", "spread": "wide", "shape": "curled"}
    expected = HandLabels(frozenset({"index", "middle"}), Thumb.OUT, Spread.WIDE, Form.FLOPPY)
    assert HandLabels.of_letters("IM", "out", "wide", "curled") == expected
    assert HandLabels.of_hand(labels) == HandLabels.of_side("index+middle/wide/curled/thumb_out") == expected


def test_a_kind_has_only_its_own_fields() -> None:
    hand = HandLabels.of_letters("IMRP", "out", "wide", "straight")
    assert hand.as_kind(Kind.ANTLER) == HeadgearFields(Kind.ANTLER, spread=Spread.WIDE)
    assert hand.as_kind(Kind.EAR) == HeadgearFields(Kind.EAR, form=Form.STRAIGHT)
    assert hand.as_kind(None) == HeadgearFields()
