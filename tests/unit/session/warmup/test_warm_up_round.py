"""The warm-up round: takes of everybody at once, a second one only where the halves disagree."""

from __future__ import annotations

from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.warmup.warm_up_round import HALF_S, MOVING_S, TAKE_S, WarmUpRound
from bunnymoose_cv.session.warmup.warm_up_steps import STEPS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.vision.reader import Reader
    from bunnymoose_cv.vision.readings import FrameReading

STEP_S = 0.25


def played(warm_up: WarmUpRound, readings: Iterator[FrameReading]) -> int:
    """Readings that were needed until the round was over."""
    for count, reading in enumerate(readings, 1):
        if warm_up.see(reading).step is None:
            return count
    raise AssertionError


def times(party: FrameReading) -> Iterator[FrameReading]:
    return (replace(party, time_s=number * STEP_S) for number in range(1000))


def test_everybody_is_read_at_once_within_thirty_seconds(reader: Reader, party: FrameReading) -> None:
    warm_up = WarmUpRound(reader, len(party.players))
    count = played(warm_up, times(party))
    assert count * STEP_S <= 30
    assert set(warm_up.takes) == {player.seat for player in party.players}


def test_who_surely_shows_another_animal_teaches_nothing(reader: Reader, party: FrameReading) -> None:
    warm_up = WarmUpRound(reader, len(party.players))
    played(warm_up, times(party))
    rabbit, moose = ({str(take.shown) for take in warm_up.takes[seat]} for seat in (1, 2))
    assert rabbit == {"TS TS", "SF SF"}
    assert moose == {"WU WU", "CD CD"}
    assert len(warm_up.takes[2]) == len(moose) * 2


def test_halves_that_disagree_are_taken_once_more(reader: Reader, party: FrameReading) -> None:
    swapped = replace(party, players=tuple(reversed([*party.players])))
    heads = [player.player.head for player in party.players]
    swapped = replace(
        party,
        players=tuple(
            replace(other, player=replace(other.player, head=head))
            for other, head in zip(swapped.players, heads, strict=True)
        ),
    )
    first_half_ends_s = MOVING_S + HALF_S

    def changing() -> Iterator[FrameReading]:
        for reading in times(party):
            yield replace(swapped, time_s=reading.time_s) if reading.time_s >= first_half_ends_s else reading

    warm_up = WarmUpRound(reader, len(party.players))
    again = [warm_up.see(reading).again for reading in changing() if reading.time_s <= TAKE_S]
    assert again[-1]
    assert warm_up.state.number == 1
    assert not any(warm_up.takes.values())


def test_a_hand_that_is_not_judged_spoils_no_take(reader: Reader, party: FrameReading) -> None:
    rests = frozenset({Exemption.LEFT_HAND, Exemption.RIGHT_HAND})
    warm_up = WarmUpRound(reader, len(party.players), exempt={2: rests})
    played(warm_up, times(party))
    assert {str(take.shown) for take in warm_up.takes[2]} == {str(step.asked) for step in STEPS}


def test_people_move_first_and_are_read_then(reader: Reader, party: FrameReading) -> None:
    warm_up = WarmUpRound(reader, len(party.players))
    states = [warm_up.see(reading) for reading in islice(times(party), int(TAKE_S / STEP_S))]
    assert [state.counts for state in states] == [number * STEP_S >= MOVING_S for number in range(len(states))]
    assert (states[0].moving_s, states[0].left_s, states[-1].left_s) == (MOVING_S, TAKE_S, STEP_S)


def test_a_take_that_was_disturbed_begins_afresh(reader: Reader, party: FrameReading) -> None:
    warm_up = WarmUpRound(reader, len(party.players))
    for reading in islice(times(party), int(TAKE_S / STEP_S)):
        warm_up.see(reading)
    warm_up.restart_take()
    assert warm_up.state.left_s == TAKE_S
    assert not any(warm_up.takes.values())


def test_one_person_is_done_again_alone(reader: Reader, party: FrameReading) -> None:
    warm_up = WarmUpRound(reader, len(party.players), frozenset({1}))
    played(warm_up, times(party))
    assert set(warm_up.takes) == {1}


def test_a_step_that_is_skipped_teaches_nothing(reader: Reader, party: FrameReading) -> None:
    warm_up = WarmUpRound(reader, len(party.players))
    warm_up.skip()
    played(warm_up, times(party))
    assert STEPS[0].asked not in [take.shown for take in warm_up.takes[2]]
