"""Notes about players, in the words of the table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.drawing.notes import ENGLISH, notes_about
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.pose import Side
from bunnymoose_cv.vision.headgear.headgear_reading import HeadgearProbabilities

if TYPE_CHECKING:
    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading

UNSURE = HeadgearProbabilities(0.5, 0.4, 0.1)


def test_a_side_without_a_hand_is_named_only_in_doubt(party: FrameReading, reader: Reader) -> None:
    player = party.players[1]
    handless = replace(player.player, hands={})
    for probabilities, named in ((HeadgearProbabilities(0.01, 0.01, 0.98), 0), (UNSURE, 2)):
        reading = reader.headgear_reading(handless, Side.LEFT, probabilities)
        notes = notes_about(replace(player, player=handless, headgear=dict.fromkeys(Side, reading)), 1.0, {}, ENGLISH)
        assert len(notes) == 1 + named


def test_banners_name_seat_and_announcement(party: FrameReading) -> None:
    banners = {1: "Grün: Hase bleibt stehen"}
    with_banner, without = (notes_about(player, 1.0, banners, ENGLISH)[0] for player in party.players)
    assert with_banner.lines[0] == "1  Grün: Hase bleibt stehen"
    assert without.lines[0] == "2  Moose"


def test_the_words_are_those_of_the_table(party: FrameReading) -> None:
    moose = party.players[1]
    banner, left, right = notes_about(moose, 1.0, {}, Texts(Language.GERMAN))
    assert banner.lines[0] == "2  Elch"
    for note, side in ((left, Side.LEFT), (right, Side.RIGHT)):
        confidence = moose.headgear[side].confidence
        assert note.lines == ("breite Schaufel", f"nach oben · {confidence:.0%}".replace("%", "\N{NO-BREAK SPACE}%"))


def test_a_larger_drawing_has_its_notes_at_the_same_places(party: FrameReading) -> None:
    for player in party.players:
        notes, larger = (notes_about(player, scale, {}, ENGLISH) for scale in (1.0, 2.0))
        assert [note.anchor for note in larger] == [(2 * x, 2 * y) for x, y in (note.anchor for note in notes)]
