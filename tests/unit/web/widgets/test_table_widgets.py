"""Widgets of a round: status, bets, controls, piles, trail, changes by a correction, words of poses, set-up."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.i18n.poem import PoemLine
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.record.game_corrections import changes
from bunnymoose_cv.rules.events import Bam, BetPlaced, CardLaid, Event, PoseCorrected, PosesJudged, TableLaid, Undone
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.provenance import REFEREE
from bunnymoose_cv.rules.trail import Figure, Trail
from bunnymoose_cv.session.game_setup import GameSetup
from bunnymoose_cv.session.table_state import DealState, TablePhase, TableState
from bunnymoose_cv.web.pages.setup_page import audio_parts
from bunnymoose_cv.web.widgets.cards_entry import piles_of
from bunnymoose_cv.web.widgets.controls import bets_html, controls_html, controls_of
from bunnymoose_cv.web.widgets.poses import distinguishing_lines, pose_lines
from bunnymoose_cv.web.widgets.round_summary import changes_html
from bunnymoose_cv.web.widgets.standings import height_of, place_style, spaces_of, spots_of, trail_html, walks_of
from bunnymoose_cv.web.widgets.table_status import Mood, between_rounds, verdicts_are_shown, waiting_for
from tests.unit.web.states import BEGUN, CARDS, MOOSE, OVER, PLAYERS, ROUND, judged_by, rounds_without_bets, state_after

TEXTS = Texts()
EVERYTHING: Any = SimpleNamespace(player=None, may=lambda *_: True)
"""Visitor with all permissions."""

POEM = DealState((PoemLine("Draw a card", "and lay it."),) * 6, 2, 2.0)


@pytest.mark.parametrize(
    ("state", "mood", "headline", "verdicts"),
    [
        (state_after(), Mood.BET, "Red narrates: bet on somebody or lay the first card", False),
        (state_after(BetPlaced("Blue")), Mood.BET, "Red bets on Blue: lay the first card", False),
        (state_after(CardLaid(CARDS[0])), Mood.DEAL, "Red deals: lay the next card", False),
        (state_after(TableLaid(CARDS)), Mood.DEAL, "Red deals: go on, or say Bam", False),
        (state_after(TableLaid(CARDS), deal=POEM), Mood.DEAL, "The referee deals: get ready", False),
        (state_after(TableLaid(CARDS), phase=TablePhase.JUDGING), Mood.FREEZE, "Bam! Nobody moves", False),
        (state_after(*ROUND[:2], phase=TablePhase.PAUSED), Mood.PAUSE, "The table takes a break", False),
        (state_after(*ROUND[:3], PosesJudged({"Blue": MOOSE})), Mood.CHECK, "Green and Yellow, please check", True),
        (state_after(*ROUND[:3], camera=CameraState.NONE), Mood.CHECK, "Bam! Say what everybody shows", True),
        (state_after(CardLaid(CARDS[0]), Bam()), Mood.CHECK, "Bam! Say which cards are on the piles", True),
        (state_after(*ROUND), Mood.BET, "Yellow narrates: bet on somebody or lay the first card", True),
        (state_after(*ROUND, BetPlaced("Red")), Mood.BET, "Yellow bets on Red: lay the first card", False),
        (state_after(*OVER), Mood.OVER, "Blue wins!", True),
    ],
)
def test_the_headline_says_what_the_table_waits_for(
    state: TableState, mood: Mood, headline: str, *, verdicts: bool
) -> None:
    waiting = waiting_for(state, TEXTS)
    assert (waiting.mood, waiting.headline, verdicts_are_shown(state)) == (mood, headline, verdicts)
    assert between_rounds(state.game) is (verdicts and mood is Mood.BET)
    assert bool(waiting.verse) is (state.deal is not None)
    assert waiting.hint or waiting.verse


def judged_state(*events: Event) -> TableState:
    """Return the state after events, with poses judged by the referee."""
    return judged_by(REFEREE, state_after(*events))


UNSURE = "The referee is not sure: one tap says what it is."
TAKEN_BACK = "Their verdicts were undone: say what they show."
SOME = PosesJudged({"Blue": MOOSE, "Green": MOOSE})


@pytest.mark.parametrize(
    ("state", "hint"),
    [
        (judged_state(*ROUND, Undone()), TAKEN_BACK),
        (state_after(*ROUND, Undone()), UNSURE),
        (judged_state(*ROUND[:3]), UNSURE),
        (judged_state(*ROUND[:3], SOME, Undone()), UNSURE),
        (replace(judged_state(*ROUND[:3], SOME, Undone()), asked=("Blue", "Green")), TAKEN_BACK),
        (judged_state(*ROUND, Undone(), Undone(), Bam()), UNSURE),
    ],
)
def test_the_referee_is_called_unsure_only_if_it_was(state: TableState, hint: str) -> None:
    assert waiting_for(state, TEXTS).hint == hint


@pytest.mark.parametrize(
    ("laid", "hint"),
    [
        (0, "No card is known yet: enter the cards of all 6 piles."),
        (2, "2 of 6 piles are known: enter the cards of the others, or of all 6."),
    ],
)
def test_after_an_early_bam_the_missing_cards_are_asked_for(laid: int, hint: str) -> None:
    assert waiting_for(state_after(*map(CardLaid, CARDS[:laid]), Bam()), TEXTS).hint == hint


@pytest.mark.parametrize(
    ("language", "headline"),
    [
        (Language.ENGLISH, "Red, Blue, Green and Yellow win together!"),
        (Language.GERMAN, "Red, Blue, Green und Yellow gewinnen zusammen!"),
        (Language.FRENCH, "Red, Blue, Green et Yellow gagnent ensemble\N{NO-BREAK SPACE}!"),
        (Language.SPANISH, "¡Red, Blue, Green y Yellow ganan juntos!"),
        (Language.CZECH, "Společně vítězí Red, Blue, Green a Yellow!"),
    ],
)
def test_winners_are_listed_as_the_language_does(language: Language, headline: str) -> None:
    over = state_after(*rounds_without_bets(Pose(None, None)))
    assert waiting_for(over, Texts(language)).headline == headline


BET_IN_THE_LAST = (*OVER[:-3], BetPlaced("Red"), *OVER[-3:])


@pytest.mark.parametrize("may_bet", [True, False])
@pytest.mark.parametrize(
    ("events", "expected", "is_open"),
    [
        ((), "Red has not bet yet", True),
        ((BetPlaced("Blue"),), "Red bet on Blue", True),
        (ROUND, "Yellow has not bet yet", True),
        ((CardLaid(CARDS[0]),), "Red bet on nobody", False),
        (OVER, "Blue bet on nobody", False),
        (BET_IN_THE_LAST, "Blue bet on Red", False),
    ],
)
def test_the_bet_of_the_shown_round_is_visible_to_all(
    events: tuple[Event, ...], expected: str, *, is_open: bool, may_bet: bool
) -> None:
    html = bets_html(state_after(*events).game, Texts(), may_bet=may_bet)
    assert ("/command/bet" in html) is (is_open and may_bet)
    if not (is_open and may_bet):
        text = " ".join(re.sub(r"<h2>.*?</h2>|<span class=\"symbol\".*?</span>|<[^>]*>", " ", html).split())
        assert text == expected


@pytest.mark.parametrize(
    ("events", "undo", "dismiss"),
    [
        ((), None, False),
        ((BetPlaced("Blue"),), "Undo", False),
        ((BetPlaced("Blue"), Undone()), None, False),
        ((TableLaid(CARDS), Bam()), None, True),
        ((TableLaid(CARDS), Bam(), PosesJudged({"Blue": MOOSE})), "Undo: Blue’s pose", True),
        ((TableLaid(CARDS), Bam(), PosesJudged({"Blue": MOOSE}), Undone()), None, True),
        (ROUND, "Undo: the poses", True),
        ((*ROUND, BetPlaced("Green")), "Undo", False),
    ],
)
def test_undo_is_offered_for_every_event_but_bam(events: tuple[Event, ...], undo: str | None, *, dismiss: bool) -> None:
    shown = controls_html(controls_of(state_after(*events), EVERYTHING), TEXTS)
    assert ("That was no Bam" in shown) is dismiss
    assert ("/command/undo" in shown) is (undo is not None)
    assert undo is None or f"<span>{undo}</span>" in shown


def test_a_lost_camera_disables_bam_and_dealer_but_offers_bam_without_it() -> None:
    lost = state_after(TableLaid(CARDS), camera=CameraState.LOST, deal=DealState((), None, 3.0))
    controls = controls_of(lost, EVERYTHING)
    assert (controls.bam, controls.deals, controls.lays) == (False, None, True)
    assert "Bam without the camera" in controls_html(controls, TEXTS)
    waiting = waiting_for(lost, TEXTS)
    assert (waiting.mood, waiting.headline) == (Mood.PAUSE, "The camera is gone. The game waits.")


@pytest.mark.parametrize(
    ("met_nobody", "poses", "again"),
    [(True, (), True), (False, (), False), (True, (PosesJudged({"Blue": MOOSE}),), False)],
)
def test_a_bam_without_players_offers_to_repeat_the_round(
    poses: tuple[Event, ...], *, met_nobody: bool, again: bool
) -> None:
    state = state_after(TableLaid(CARDS), Bam(), *poses, met_nobody=met_nobody)
    shown = controls_html(controls_of(state, EVERYTHING), TEXTS)
    assert ("Play the round again" in shown, "That was no Bam" in shown) == (again, not again)


def test_a_finished_game_cannot_be_paused() -> None:
    over = state_after(*OVER, phase=TablePhase.PAUSED)
    assert controls_of(over, EVERYTHING).paused is None
    assert waiting_for(over, TEXTS).mood is Mood.OVER


def test_the_next_pile_is_marked_and_an_equal_card_counts_as_a_change() -> None:
    piles = piles_of(state_after(*map(CardLaid, CARDS[:2])).game)
    assert [pile.card for pile in piles] == [*CARDS[:2], None, None, None, None]
    assert [pile.number for pile in piles if pile.is_next] == [3]
    round_again = piles_of(state_after(TableLaid(CARDS), CardLaid(CARDS[0])).game)
    assert round_again[0].card == CARDS[0]
    assert round_again[0].laid > piles[0].laid
    assert [pile.number for pile in round_again if pile.is_next] == [2]
    assert not any(pile.is_next for pile in piles_of(state_after(*ROUND[:3]).game))


FIGURES = tuple(Figure(player, animal) for player in "ABCDEF" for animal in (Animal.MOOSE, Animal.RABBIT))


@given(st.lists(st.tuples(st.sampled_from(FIGURES), st.integers(-6, 9)), max_size=30))
def test_figures_are_on_existing_spaces_without_overlap(moves: list[tuple[Figure, int]]) -> None:
    trail = Trail.start(18, "ABCDEF")
    for figure, steps in moves:
        trail = trail.moved(figure, steps)
    spaces, spots = spaces_of(trail), spots_of(trail)
    assert len(spaces) == 18
    assert {figure: spot.space for figure, spot in spots.items()} == dict(trail.places)
    assert all(spot.space in spaces and spot.column < spot.columns for spot in spots.values())
    assert len(set(spots.values())) == len(FIGURES)
    assert 1 < height_of(spots.values()) < 2


@pytest.mark.parametrize(
    ("steps", "spaces"),
    [(0, range(1, 19)), (13, range(1, 19)), (14, range(2, 20)), (-5, range(18)), (-8, range(-3, 15))],
)
def test_the_trail_slides_at_either_end_only_when_it_must(steps: int, spaces: range) -> None:
    assert spaces_of(Trail.start(18, ("Red",)).moved(Figure("Red", Animal.MOOSE), steps)) == spaces


def test_the_trail_winds_on_a_phone() -> None:
    styles = [place_style(place, range(3, 21)) for place in (3, 11, 12, 20)]
    assert styles == [
        "--across:0;--turn:0;--up:0",
        "--across:8;--turn:8;--up:0",
        "--across:9;--turn:8;--up:1",
        "--across:17;--turn:0;--up:1",
    ]


def test_figures_walk_in_the_order_of_the_moves() -> None:
    game = state_after(*ROUND).game
    walks = walks_of(game)
    assert list(walks) == list(dict.fromkeys(move.figure for move in game.rounds[0].moves))
    assert list(walks.values()) == list(range(len(walks)))


def test_figures_keep_their_keys_and_are_described_in_words() -> None:
    before, after = (state_after(*events).game for events in ((), ROUND))
    keys = [re.findall(r'data-key="((?:moose|rabbit) \w+)"', trail_html(game, TEXTS)) for game in (before, after)]
    assert keys[0] == keys[1] == [f"{animal} {player}" for player in PLAYERS for animal in ("moose", "rabbit")]
    for player in PLAYERS:
        moose, rabbit = (after.trail.places[Figure(player, animal)] for animal in (Animal.MOOSE, Animal.RABBIT))
        assert f"<li>{player}: moose on space {moose}, rabbit on space {rabbit}</li>" in trail_html(after, TEXTS)


CORRECTION = PoseCorrected(1, "Green", Pose.parse("TS TS"))
ASKED = (*ROUND, *OVER[3:5])
"""Events of a finished round, and of a second one at Bam."""


@pytest.mark.parametrize("closed", [False, True])
def test_changes_are_marked_as_outdated_if_the_ranking_differs(*, closed: bool) -> None:
    before, after = state_after(*ASKED).game, state_after(*ASKED, CORRECTION).game
    judged = [PosesJudged(dict.fromkeys(after.seats, MOOSE))] if closed else []
    state = state_after(*ASKED, CORRECTION, *judged, changes=changes(before, after))
    shown = changes_html(state, TEXTS)
    assert "Green’s rabbit after round 1" in shown
    assert ("Ranking now" in shown) is not closed
    assert "The ranking stays as it was." not in shown


LEFT, RIGHT = "left: wide antler up", "right: compact antler down"


def poses(*written: str) -> list[Pose]:
    return [Pose.parse(notation) for notation in written]


@pytest.mark.parametrize(
    ("written", "lines"),
    [
        (("WU CD", "WU CD t"), (("tongue in",), ("tongue out",))),
        (("WU CD", "WU WD"), (("compact",), ("wide",))),
        (("WU CD", "WU WU"), (("compact antler down",), ("wide antler up",))),
        (("TS CD", "TF CD"), (("straight",), ("floppy",))),
        (("WU CD", "TS CD", "-- CD"), (("wide antler up",), ("straight ear on top",), ("nothing",))),
        (("WU CD", "CU CD t"), ((LEFT, "tongue in"), ("left: compact antler up", "tongue out"))),
        (("WU CD t",), ((LEFT, RIGHT, "tongue out"),)),
        ((), ()),
    ],
)
def test_answers_show_only_their_differences(written: tuple[str, ...], lines: tuple[tuple[str, ...], ...]) -> None:
    assert distinguishing_lines(poses(*written), TEXTS) == lines


def test_a_pose_names_the_tongue_only_when_it_is_out() -> None:
    assert [pose_lines(pose, TEXTS) for pose in poses("WU CD", "WU CD t")] == [
        (LEFT, RIGHT),
        (LEFT, RIGHT, "tongue out"),
    ]


@pytest.mark.parametrize("language", Language)
@pytest.mark.parametrize("runs", [True, False])
def test_a_game_is_said_to_keep_its_language_before_another_is_chosen(language: Language, *, runs: bool) -> None:
    part = audio_parts(GameSetup(PLAYERS, BEGUN.rules, language=language), (), TEXTS, runs=runs)["language"]
    assert f'<option value="{language}" selected' in part
    assert ("The game that is being played keeps its language" in part) is runs
