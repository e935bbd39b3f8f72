"""Games: states that follow from events, refused events, and the laws of correction and undo."""

import ast
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bunnymoose_cv.rules import fold as fold_module
from bunnymoose_cv.rules import open_round
from bunnymoose_cv.rules.cards import parse_card, parse_table
from bunnymoose_cv.rules.deck import Rules, Variant, load_deck, rules_for
from bunnymoose_cv.rules.events import (
    Bam,
    BetCorrected,
    BetPlaced,
    CardLaid,
    DeckShuffled,
    Event,
    GameStarted,
    IllegalEventError,
    PoseCorrected,
    PosesJudged,
    TableCorrected,
    TableLaid,
    Undone,
)
from bunnymoose_cv.rules.fold import fold
from bunnymoose_cv.rules.game import Game, Phase
from bunnymoose_cv.rules.pose import ALL_POSES, Animal, Pose
from bunnymoose_cv.rules.trail import Figure

FOUR = ("Red", "Blue", "Green", "Yellow")
SECOND = rules_for("second")
START = GameStarted(FOUR, SECOND)
CARDS = parse_table("L.WU+1 B.CD+1/-1 REVERSE HUNTER R.?F-1 MOOSE*2")
OTHER_CARDS = parse_table("L.WU+1 B.CD+1/-1 HUNTER HUNTER R.?F-1 MOOSE*2")
HUNTER = parse_card("HUNTER")
ANTLER = parse_card("L.WU+1")


def judged(**poses: str) -> PosesJudged:
    return PosesJudged({player: Pose.parse(pose) for player, pose in poses.items()})


ROUND_ONE: tuple[Event, ...] = (
    BetPlaced("Blue"),
    TableLaid(CARDS),
    Bam(),
    judged(Blue="WU WU", Green="SF SF", Yellow="-- WU"),
)


def cards_laid(text: str) -> list[Event]:
    return [CardLaid(card) for card in parse_table(text)]


def figures(game: Game) -> dict[str, tuple[int, int]]:
    """Return the spaces of each player's moose and rabbit."""
    places = game.trail.places
    return {player: (places[Figure(player, Animal.MOOSE)], places[Figure(player, Animal.RABBIT)]) for player in FOUR}


def test_round_matches_a_hand_calculation() -> None:
    game = fold([START, *ROUND_ONE])
    (played,) = game.rounds
    assert played.facts.narrator == "Red"
    assert [(verdict.seat, verdict.player, verdict.score.total) for verdict in played.verdicts] == [
        (1, "Blue", -2),
        (2, "Green", 1),
        (3, "Yellow", None),
    ]
    # Moose: Red and Blue back 2 to 3 (last, so 4), Yellow back 1; rabbits: Green ahead 1, Yellow back 1 (last, so 5).
    assert figures(game) == {"Red": (4, 5), "Blue": (4, 5), "Green": (5, 6), "Yellow": (4, 5)}
    assert (game.phase, game.round_number, game.bet, game.table) == (Phase.BETTING, 2, None, ())


def test_seats_rotate_to_the_left_after_a_round() -> None:
    games = [fold([START]), fold([START, *ROUND_ONE])]
    assert [game.narrator for game in games] == ["Red", "Yellow"]
    assert [game.seats for game in games] == [("Blue", "Green", "Yellow"), ("Red", "Blue", "Green")]


@pytest.mark.parametrize(("edition", "players", "rounds"), [("first", 3, 9), ("first", 6, 12), ("second", 4, 8)])
def test_game_ends_after_its_number_of_rounds(edition: str, players: int, rounds: int) -> None:
    names = tuple(f"Player {number}" for number in range(players))
    events: list[Event] = [GameStarted(names, rules_for(edition))]
    game = fold(events)
    narrators = []
    while game.phase is not Phase.OVER:
        narrators.append(game.narrator)
        poses = PosesJudged(dict.fromkeys(game.seats, Pose.parse("WU WU")))
        events += [TableLaid(CARDS), Bam(), poses]
        game = fold(events)
    assert len(game.rounds) == game.round_number == rounds
    assert {narrators.count(name) for name in names} == {rounds // players}
    with pytest.raises(IllegalEventError) as caught:
        fold([*events, Bam()])
    assert str(caught.value).startswith("The game is over")
    assert len(fold([*events, PoseCorrected(1, game.rounds[0].facts.seats[0], Pose.parse("-- --"))]).rounds) == rounds


def test_hunter_is_laid_in_the_first_pass_and_says_bam_later() -> None:
    first_pass = cards_laid("HUNTER HUNTER L.WU+1 L.WU+2 L.WU+3 L.WD+1")
    game = fold([START, *first_pass])
    assert game.phase is Phase.DEALING
    assert game.table[:2] == (HUNTER, HUNTER)
    game = fold([START, *first_pass, *cards_laid("MOOSE+1 HUNTER")])
    assert game.phase is Phase.FROZEN
    assert list(map(str, game.table)) == ["MOOSE+1", "HUNTER", "L.WU+1", "L.WU+2", "L.WU+3", "L.WD+1"]


def test_second_pass_covers_piles_from_the_left() -> None:
    game = fold([START, *cards_laid("L.WU+1 L.WU+2 L.WU+3 L.WD+1 L.WD+2 L.WD+3 R.WU+1 R.WU+2")])
    assert list(map(str, game.table)) == ["R.WU+1", "R.WU+2", "L.WU+3", "L.WD+1", "L.WD+2", "L.WD+3"]


@pytest.mark.parametrize(("variant", "piles"), [(Variant.FOUR_LINES, 4), (Variant.EIGHT_LINES, 8)])
def test_table_has_one_pile_per_line_of_the_poem(variant: Variant, piles: int) -> None:
    start = GameStarted(FOUR, rules_for(variants=[variant]))
    assert fold([start, *[CardLaid(HUNTER)] * piles]).phase is Phase.DEALING
    assert fold([start, *[CardLaid(HUNTER)] * (piles + 1)]).phase is Phase.FROZEN


def test_round_closes_when_cards_and_poses_are_entered_after_bam() -> None:
    events: list[Event] = [START, Bam(), judged(Green="SF SF", Yellow="-- WU")]
    assert fold(events).phase is Phase.FROZEN
    events += [judged(Blue="WU WU")]
    assert fold(events).phase is Phase.FROZEN
    events += [BetCorrected(1, "Blue"), TableLaid(CARDS)]
    assert fold(events) == fold([START, *ROUND_ONE])


def test_cards_entered_together_can_be_replaced() -> None:
    told_twice = [START, BetPlaced("Blue"), TableLaid(OTHER_CARDS), TableLaid(CARDS), *ROUND_ONE[2:]]
    assert fold(told_twice) == fold([START, *ROUND_ONE])


def test_deal_continues_at_its_pile_after_cards_are_entered() -> None:
    game = fold([START, *cards_laid("L.WU+1 L.WU+2"), TableLaid(CARDS), *cards_laid("TONGUE+1")])
    assert game.table == (parse_card("TONGUE+1"), *CARDS[1:])
    game = fold([START, *cards_laid("L.WU+1 " * 8), TableLaid(CARDS), *cards_laid("TONGUE+1")])
    assert game.table == (*CARDS[:2], parse_card("TONGUE+1"), *CARDS[3:])


def test_dealt_cards_replaced_by_players_become_used_cards() -> None:
    dealt = CardLaid(ANTLER, from_deck=True)
    game = fold([START, DeckShuffled((ANTLER, HUNTER)), dealt, TableLaid(CARDS)])
    assert (game.table, game.used, game.draw) == (CARDS, (ANTLER,), (HUNTER,))


def test_open_round_can_be_corrected() -> None:
    wrong: list[Event] = [START, TableLaid(OTHER_CARDS), Bam(), judged(Blue="TS TS")]
    corrections: list[Event] = [
        BetCorrected(1, "Blue"),
        TableCorrected(1, CARDS),
        PoseCorrected(1, "Blue", Pose.parse("WU WU")),
    ]
    rest = judged(Green="SF SF", Yellow="-- WU")
    assert fold([*wrong, *corrections, rest]) == fold([START, *ROUND_ONE])


def test_later_bet_replaces_an_earlier_one() -> None:
    assert fold([START, BetPlaced("Green"), *ROUND_ONE]) == fold([START, *ROUND_ONE])


def test_correction_of_an_older_round_recomputes_later_rounds() -> None:
    round_two: tuple[Event, ...] = (TableLaid(CARDS), Bam(), judged(Red="TS TS", Blue="WU WU", Green="CD CD"))
    before = fold([START, *ROUND_ONE, *round_two])
    after = fold([START, *ROUND_ONE, *round_two, PoseCorrected(1, "Yellow", Pose.parse("WU CD t"))])
    assert before.rounds[0].verdicts[2].score.total is None
    assert after.rounds[0].verdicts[2].score.total == 0
    assert after.rounds[1].verdicts == before.rounds[1].verdicts
    assert after.rounds[1].trail != before.rounds[1].trail
    assert after.ranking != before.ranking


def test_basic_half_of_a_first_game_ignores_tongues() -> None:
    events: list[Event] = [GameStarted(FOUR, rules_for(variants=[Variant.FIRST_GAME]))]
    for _ in range(5):
        seats = fold(events).seats
        events += [TableLaid(CARDS), Bam(), PosesJudged(dict.fromkeys(seats, Pose.parse("WU WU t")))]
    species = [played.verdicts[0].score.species for played in fold(events).rounds]
    assert species == [Animal.MOOSE] * 4 + [Animal.RABBIT]


FROZEN = [START, *ROUND_ONE[:3]]
DEALT = DeckShuffled(parse_table("L.WU+1 " * 8))


ILLEGAL: list[tuple[list[Event], str]] = [
    ([], "The game has not started"),
    ([Bam()], "The game has not started"),
    ([START, START], "The game has already started"),
    ([GameStarted(FOUR[:2], SECOND)], "3 to 6 people can play"),
    ([GameStarted((*FOUR, "Pink", "Black", "White"), SECOND)], "3 to 6 people can play"),
    ([GameStarted(("Red", "Blue", "Red"), SECOND)], "a name of their own"),
    ([GameStarted(("Red", "Blue", " "), SECOND)], "a name of their own"),
    ([replace(START, colours=(1, 2, 3))], "a colour of their own"),
    ([replace(START, colours=(1, 2, 3, 3))], "a colour of their own"),
    ([replace(START, colours=(1, 2, 3, 7))], "numbered from 1"),
    ([Undone()], "nothing left to undo"),
    ([START, Undone()], "nothing left to undo"),
    ([START, Bam(), Undone(), Undone()], "nothing left to undo"),
    ([START, BetPlaced("Red")], "Nobody can bet on"),
    ([START, BetPlaced("Nobody")], "Nobody can bet on"),
    ([START, CardLaid(ANTLER), BetPlaced("Blue")], "The deal has begun"),
    ([*FROZEN, BetPlaced("Blue")], "The deal has begun"),
    ([START, CardLaid(ANTLER, from_deck=True)], "cannot be dealt"),
    ([START, DEALT, CardLaid(HUNTER, from_deck=True)], "cannot be dealt"),
    ([START, DEALT, CardLaid(ANTLER, from_deck=True), DEALT], "cards are left to deal"),
    (
        [START, DEALT, *[CardLaid(ANTLER, from_deck=True)] * 8, DeckShuffled(parse_table("L.WU+1"))],
        "all used cards are shuffled, and no others",
    ),
    ([START, TableLaid(CARDS[:5])], "cards are on the table, one per pile"),
    ([START, TableLaid((*CARDS, ANTLER))], "cards are on the table, one per pile"),
    ([START, TableCorrected(1, CARDS)], "There are no cards in this round yet"),
    ([START, *ROUND_ONE, TableCorrected(2, CARDS)], "There are no cards in this round yet"),
    ([*FROZEN, CardLaid(ANTLER)], "Bam has been said"),
    ([*FROZEN, Bam()], "Bam has been said"),
    ([*FROZEN, DEALT], "Bam has been said"),
    ([START, judged(Blue="WU WU")], "Nobody is judged before Bam"),
    ([*FROZEN, judged(Red="WU WU")], "shows nothing in round"),
    ([*FROZEN, judged(Nobody="WU WU")], "shows nothing in round"),
    ([*FROZEN, judged(Blue="WU WU"), judged(Blue="WU WU")], "has been judged in this round"),
    ([*FROZEN, PoseCorrected(1, "Blue", ALL_POSES[0])], "has not been judged in this round"),
    ([*FROZEN, PoseCorrected(1, "Red", ALL_POSES[0])], "shows nothing in round"),
    ([START, PoseCorrected(2, "Blue", ALL_POSES[0])], "There is no round"),
    ([START, *ROUND_ONE, PoseCorrected(0, "Blue", ALL_POSES[0])], "There is no round"),
    ([START, *ROUND_ONE, PoseCorrected(1, "Red", ALL_POSES[0])], "shows nothing in round"),
    ([START, *ROUND_ONE, TableCorrected(1, CARDS[:2])], "cards are on the table, one per pile"),
    ([START, *ROUND_ONE, BetCorrected(1, "Red")], "Nobody can bet on"),
]


@pytest.mark.parametrize(("events", "reason"), ILLEGAL)
def test_illegal_event_is_refused_with_its_reason(events: list[Event], reason: str) -> None:
    if len(events) > 1:
        fold(events[:-1])
    with pytest.raises(IllegalEventError) as caught:
        fold(events)
    assert reason in str(caught.value)
    assert str(caught.value).endswith(".")


def test_every_refusal_is_tested() -> None:
    """The refusal of events after the game's end has a test of its own, because it takes a whole game."""
    raised = set()
    for events, _ in ILLEGAL:
        with pytest.raises(IllegalEventError) as caught:
            fold(events)
        place = caught.traceback[-1]
        raised.add((Path(place.path).name, place.lineno + 1))
    refusals = [
        (Path(str(module.__file__)).name, node)
        for module in (fold_module, open_round)
        for node in ast.walk(ast.parse(Path(str(module.__file__)).read_text("utf-8")))
        if isinstance(node, ast.Raise) and "IllegalEventError" in ast.unparse(node)
    ]
    untested = [ast.unparse(node) for name, node in refusals if (name, node.lineno) not in raised]
    assert len(refusals) > 20
    assert ["The game is over" in reason for reason in untested] == [True], untested


few = settings(max_examples=40)
poses = st.sampled_from(ALL_POSES)
deck_cards = st.sampled_from(sorted(set(SECOND.cards(load_deck("second"))), key=str))
rules = st.sampled_from(
    [SECOND, rules_for("first"), rules_for(advanced=False), rules_for(variants=[Variant.FIRST_GAME])]
)


@st.composite
def evenings(draw: st.DrawFn) -> tuple[Event, ...]:
    """Draw a started game with a few finished rounds and perhaps an open one."""
    return draw_evening(draw, draw(rules), draw(st.integers(0, 4)))


def draw_evening(draw: st.DrawFn, chosen: Rules, rounds: int) -> tuple[Event, ...]:
    events: list[Event] = [GameStarted(FOUR, chosen)]
    for _ in range(rounds):
        seats = fold(events).seats
        if bet := draw(st.sampled_from([None, *seats])):
            events.append(BetPlaced(bet))
        events += [TableLaid(draw(tables)), Bam(), PosesJudged({player: draw(poses) for player in seats})]
    events += draw(st.sampled_from([[], [Bam()], [CardLaid(ANTLER), CardLaid(HUNTER)]]))
    return tuple(events)


tables = st.lists(deck_cards, min_size=6, max_size=6).map(tuple)


@st.composite
def corrections(draw: st.DrawFn, game: Game) -> Event:
    played = draw(st.sampled_from(game.rounds)).facts
    return draw(
        st.one_of(
            st.builds(PoseCorrected, st.just(played.number), st.sampled_from(played.seats), poses),
            st.builds(TableCorrected, st.just(played.number), tables),
            st.builds(BetCorrected, st.just(played.number), st.sampled_from([None, *played.seats])),
        )
    )


@few
@given(evenings())
def test_replaying_the_events_gives_the_same_state(events: tuple[Event, ...]) -> None:
    assert fold(events) == fold(list(events))
    assert fold(events).ranking == fold(iter(events)).ranking


@few
@given(evenings())
def test_undo_restores_the_previous_state(events: tuple[Event, ...]) -> None:
    for length in range(2, len(events) + 1):
        assert fold([*events[:length], Undone()]) == fold(events[: length - 1])


@few
@given(evenings())
def test_no_figure_falls_a_whole_trail_behind(events: tuple[Event, ...]) -> None:
    game = fold(events)
    for played in game.rounds:
        places = played.trail.places.values()
        assert max(places) - min(places) <= game.rules.spaces - 1


@few
@given(evenings().filter(lambda events: bool(fold(events).rounds)), st.data())
def test_correction_and_undo_change_nothing(events: tuple[Event, ...], data: st.DataObject) -> None:
    correction = data.draw(corrections(fold(events)))
    assert fold([*events, correction, Undone()]) == fold(events)


@few
@given(evenings().filter(lambda events: bool(fold(events).rounds)), st.data())
def test_correction_equals_entering_the_right_value_at_once(events: tuple[Event, ...], data: st.DataObject) -> None:
    correction = data.draw(corrections(fold(events)))
    right: list[Event] = []
    for event in events:
        number = fold(right).round_number if right else 0
        right.append(event)
        if number != getattr(correction, "round_number", None):
            continue
        match correction, event:
            case PoseCorrected(_, player, pose), PosesJudged(shown):
                right[-1] = PosesJudged({**shown, player: pose})
            case TableCorrected(_, cards), TableLaid():
                right[-1] = TableLaid(cards)
            case BetCorrected(_, player), BetPlaced():
                right.pop()
                right += [BetPlaced(player)] if player else []
            case BetCorrected(_, player), TableLaid() if player and not isinstance(right[-2], BetPlaced):
                right.insert(-1, BetPlaced(player))
    assert fold([*events, correction]) == fold(right)


@few
@given(evenings().filter(lambda events: bool(fold(events).rounds)), st.data())
def test_later_of_two_corrections_wins(events: tuple[Event, ...], data: st.DataObject) -> None:
    correction = data.draw(corrections(fold(events)))
    if isinstance(correction, PoseCorrected):
        earlier: Event = replace(correction, pose=data.draw(poses))
        assert fold([*events, earlier, correction]) == fold([*events, correction])
