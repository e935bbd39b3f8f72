"""Effects of one round: the order of moves, the narrator's copies, catching up, look-alikes."""

from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.pose import Animal, Pose
from bunnymoose_cv.rules.round import Cause, Round, RoundFacts, play_round
from bunnymoose_cv.rules.trail import Figure, Trail

EVERYBODY = ("Red", "Blue", "Green", "Yellow")


def played(trail: Trail, poses: dict[str, str], cards: str, bet: str | None = None) -> Round:
    parsed = {player: Pose.parse(pose) for player, pose in poses.items()}
    return play_round(trail, RoundFacts(1, "Red", tuple(poses), bet, parse_table(cards), parsed, rules_for("first")))


def test_the_narrator_copies_at_once_after_the_player_bet_on() -> None:
    result = played(
        Trail.start(15, EVERYBODY), {"Blue": "WU WU", "Green": "TS TS", "Yellow": "WU WU"}, "R.WU+2 R.TS-1", "Green"
    )
    assert [(move.figure.player, move.cause, move.spaces) for move in result.moves[:4]] == [
        ("Blue", Cause.SCORE, 2),
        ("Green", Cause.SCORE, -1),
        ("Red", Cause.BET, -1),
        ("Yellow", Cause.SCORE, 2),
    ]
    assert result.moves[2].figure.animal is Animal.RABBIT


def test_without_a_bet_the_narrator_only_catches_up() -> None:
    result = played(Trail.start(15, EVERYBODY), {"Blue": "WU WU", "Green": "TS TS", "Yellow": "-- --"}, "R.WU+2 R.TS+3")
    causes = {move.cause for move in result.moves if move.figure.player == "Red"}
    assert causes <= {Cause.CATCH_UP}


def test_seat_order_decides_who_is_stopped_by_the_leader() -> None:
    """With the leader moved first the one behind stops at the rear end; the other way round it is taken along."""
    trail = Trail.start(15, EVERYBODY).moved(Figure("Blue", Animal.MOOSE), 12)
    poses = {"Blue": "WU WU", "Green": "TS TS", "Yellow": "-- --"}
    ahead_first = played(trail, poses, "R.WU-4 R.TS-3")
    back_first = played(trail, dict(reversed(poses.items())), "R.WU-4 R.TS-3")
    green = Figure("Green", Animal.RABBIT)
    assert next(move.place for move in ahead_first.moves if move.figure == green) == 2
    assert next(move.place for move in back_first.moves if move.figure == green) == 3


def test_all_on_one_space_are_all_last() -> None:
    result = played(Trail.start(15, EVERYBODY), {"Blue": "WU WU", "Green": "WU WU", "Yellow": "WU WU"}, "R.WU+1 R.WU-1")
    caught_up = [move.figure for move in result.moves if move.cause is Cause.CATCH_UP]
    assert len(caught_up) == 8
    assert set(result.trail.places.values()) == {6}


def test_a_bush_catches_up_too() -> None:
    result = played(Trail.start(15, EVERYBODY), {"Blue": "-- --", "Green": "WU WU", "Yellow": "TS TS"}, "L.WU+1 L.TS+1")
    assert result.trail.places[Figure("Blue", Animal.MOOSE)] == 5
    assert result.trail.places[Figure("Blue", Animal.RABBIT)] == 5
    assert result.trail.places[Figure("Red", Animal.RABBIT)] == 5


def test_rabbits_that_lead_together_take_the_last_moose_along_before_it_catches_up() -> None:
    trail = Trail.start(15, ("Red", "Blue", "Green"))
    for player in ("Red", "Blue", "Green"):
        trail = trail.moved(Figure(player, Animal.RABBIT), 14)
    trail = trail.moved(Figure("Red", Animal.MOOSE), 1)
    result = played(trail, {"Blue": "WU WU", "Green": "WU WU"}, "HUNTER")
    places = {figure.player: place for figure, place in result.trail.places.items() if figure.animal is Animal.MOOSE}
    assert places == {"Red": 7, "Blue": 7, "Green": 7}


def test_look_alikes_are_announced_together_in_seat_order() -> None:
    result = played(
        Trail.start(15, EVERYBODY), {"Blue": "WU CD", "Green": "-- --", "Yellow": "WU CD"}, "L.WU+1", "Blue"
    )
    said = [(announcement.players, announcement.score.total) for announcement in result.announcements]
    assert said == [(("Blue", "Yellow"), 1), (("Green",), None)]


def test_the_same_headgear_without_the_tongue_is_no_look_alike() -> None:
    result = played(Trail.start(15, EVERYBODY), {"Blue": "WU CD", "Green": "WU CD t", "Yellow": "CD WU"}, "HUNTER")
    assert len(result.announcements) == 3
    assert [verdict.seat for verdict in result.verdicts] == [1, 2, 3]
