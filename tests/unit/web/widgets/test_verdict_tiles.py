"""The tiles of the verdicts stay as they are, under everybody's finger, while nothing that they show has changed."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.events import PosesJudged, TableLaid
from bunnymoose_cv.rules.pose import Pose
from bunnymoose_cv.web.widgets.verdict_tiles import narrator_moves_html, tile_parts, tile_places
from tests.unit.web.states import CARDS, ROUND, state_after

if TYPE_CHECKING:
    from collections.abc import Mapping

    from bunnymoose_cv.session.table_state import TableState
    from bunnymoose_cv.web.auth.access import Action
    from tests.unit.web.judging import JudgedRound


class Owner:
    """A visitor who may do everything."""

    player = None

    def may(self, _action: Action, _about: str | None = None) -> bool:
        return True


class Player:
    """A phone that may put its own player right."""

    def __init__(self, player: str) -> None:
        self.player = player

    def may(self, _action: Action, about: str | None = None) -> bool:
        return about == self.player


def tiles(state: TableState, visitor: Any) -> Mapping[str, str]:
    return tile_parts(state, visitor, Texts())


def test_nothing_is_built_anew_when_it_is_known_that_nobody_moved(judged_round: JudgedRound) -> None:
    frozen = judged_round.asked
    assert frozen.judged is not None
    watched = replace(frozen, version=frozen.version + 1, judged=replace(frozen.judged))
    asked, later, told = (tiles(each, Owner()) for each in (frozen, watched, judged_round.told))
    assert asked == later != told


def test_every_place_stands_there_before_anybody_is_judged(judged_round: JudgedRound) -> None:
    """A page's frame stays the same from Bet to Bam: a tile comes into a place that was empty."""
    state = judged_round.told
    assert [name for name, tile in tiles(state, Owner()).items() if not tile] == []
    nobody = tile_parts(state, Owner(), Texts(), number=99)  # type: ignore[arg-type]
    assert set(nobody) == {"cards", *tile_places(state.game)}
    assert not any(nobody.values())


def test_a_phone_is_offered_answers_for_its_own_player_alone(judged_round: JudgedRound) -> None:
    asked = judged_round.asked.asked
    shown = tiles(judged_round.asked, Player(asked[0]))
    forms = [name for name, tile in shown.items() if "/command/answer-question" in tile]
    assert forms == ["tile-1"], "the own tile stands first"
    everybodys = [tile for tile in tiles(judged_round.asked, Owner()).values() if "/command/answer-question" in tile]
    assert len(everybodys) == len(asked)
    for choice in re.findall(r'name="pose" value="([^"]*)"', shown["tile-1"]):
        assert str(Pose.parse(choice)) == choice


def test_a_bush_is_told_its_reason_once() -> None:
    bush, moose = Pose.parse("WU --"), Pose.parse("WU CU")
    poses = PosesJudged({"Blue": bush, "Green": moose, "Yellow": moose})
    shown = "".join(tiles(state_after(*ROUND[:3], poses), Owner()).values())
    assert shown.count("no card applies") == 1
    assert shown.count('class="why"') == len(CARDS)


def test_each_card_tells_an_animal_what_it_pays_also_where_all_have_one_reason() -> None:
    cards = parse_table("RABBIT-3 MOOSE+2 MOOSE+1 RABBIT-1 MOOSE+4 MOOSE-2")
    shown = tiles(state_after(ROUND[0], TableLaid(cards), *ROUND[2:]), Owner())["tile-1"]
    assert shown.count("this is a moose") == len(cards)
    assert re.findall(r'<strong class="number">([^<]*)<', shown) == ["0", "+2", "+1", "0", "+4", "−2"]


def test_look_alikes_wear_each_badge_once() -> None:
    shown = tiles(state_after(*ROUND), Owner())["tile-1"]
    badges = re.findall(r'<span class="badge [^"]*">([^<]*)</span>', shown)
    captions = re.findall(r'<figcaption.*?class="name">([^<]*)<', shown, re.DOTALL)
    assert captions == ["Blue", "Green", "Yellow"], "each image tells whose it is"
    assert badges == ["look-alikes", "the narrator’s bet", "told by people"]


def moves_in(html: str) -> list[str]:
    """Moves of figures, in words."""
    return re.findall(r'<p class="move">.*?<span>([^<]*)</span></p>', html, re.DOTALL)


MOVES_OF_RED = ["Red’s moose: space 3", "Red’s rabbit catches up: space 6", "Red’s moose catches up: space 4"]


def test_the_narrators_moves_stand_on_the_tile_of_the_bet_and_on_the_narrators_phone() -> None:
    for state, moves in ((state_after(*ROUND), MOVES_OF_RED), (state_after(*ROUND[1:]), [])):
        on_tiles = moves_in("".join(tiles(state, Owner()).values()))
        assert [line for line in on_tiles if line.startswith("Red’s")] == moves
    for state, player, moves in (
        (state_after(*ROUND), "Red", MOVES_OF_RED),
        (state_after(*ROUND), "Blue", []),
        (state_after(*ROUND[:3]), "Red", []),
        (state_after(), "Red", []),
    ):
        visitor: Any = Player(player)
        assert moves_in(narrator_moves_html(state, visitor, Texts())) == moves
