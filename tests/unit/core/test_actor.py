"""Actor thread, observables and published states: order, turns, a clean end, and faults where results are fetched."""

from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread, current_thread

import pytest

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.core.published import Published, VersionedState

CLOSED = Phrase("It is closed.")
LONG_S = 60.0
"""Longer than any test lasts: what waits so long is woken by something else."""


class Gate:
    """A command that holds the thread until it is opened."""

    def __init__(self) -> None:
        self.reached, self.opened = Event(), Event()

    def __call__(self) -> None:
        self.reached.set()
        assert self.opened.wait(LONG_S)


def test_commands_of_many_threads_are_carried_out_in_order_on_one() -> None:
    done: list[tuple[str, int]] = []
    names: set[str] = set()

    def command(who: str, number: int) -> int:
        names.add(current_thread().name)
        done.append((who, number))
        return number

    with ActorThread("the actor") as actor:
        results: SimpleQueue[Future[int]] = SimpleQueue()

        def give(who: str) -> None:
            for number in range(100):
                results.put(actor.submit(partial(command, who, number)))

        givers = [Thread(target=give, args=(who,)) for who in "abcd"]
        for giver in givers:
            giver.start()
        for giver in givers:
            giver.join()
        assert sum(results.get().result(LONG_S) for _ in range(400)) == 4 * sum(range(100))
    assert names == {"the actor"}
    for who in "abcd":
        assert [number for whose, number in done if whose == who] == list(range(100))


def test_what_was_submitted_before_the_start_is_carried_out_and_a_stop_wakes_it_out_of_its_pause() -> None:
    actor = ActorThread("early", lambda: LONG_S)
    result = actor.submit(lambda: 3)
    assert not actor.running
    with actor:
        assert result.result(LONG_S) == 3
        assert actor.running
    assert not actor.running


def test_an_input_error_fails_its_command_alone() -> None:
    def refuse() -> None:
        raise InputError(Phrase("No such card."))

    with ActorThread("patient") as actor:
        with pytest.raises(InputError, match="No such card"):
            actor.submit(refuse).result(LONG_S)
        assert actor.submit(lambda: "goes on").result(LONG_S) == "goes on"


@pytest.mark.parametrize("in_a_turn", [False, True])
def test_a_fault_ends_the_thread_and_is_raised_at_the_end_once(*, in_a_turn: bool) -> None:
    told: list[BaseException | None] = []
    fault = ZeroDivisionError("ours")

    def fail() -> float | None:
        raise fault

    actor = ActorThread("faulty", fail if in_a_turn else lambda: LONG_S, ended=told.append, refusal=CLOSED)
    actor.start()
    if not in_a_turn:
        assert actor.submit(fail).exception(LONG_S) is fault
    actor.stop()
    with pytest.raises(InputError, match=r"It is closed\."):
        actor.submit(lambda: None).result(LONG_S)
    assert told == [fault]
    with pytest.raises(ZeroDivisionError, match="ours"):
        actor.raise_fault()
    actor.raise_fault()


def test_another_exception_on_its_way_is_not_hidden_by_a_fault() -> None:
    def fail() -> float | None:
        raise ZeroDivisionError

    with pytest.raises(LookupError), ActorThread("faulty", fail):
        raise LookupError


def test_commands_come_before_the_first_turn() -> None:
    done: list[str] = []

    def turn() -> None:
        done.append("turn")

    with ActorThread("patient", turn, first_turn_s=LONG_S) as actor:
        actor.submit(partial(done.append, "command")).result(LONG_S)
        actor.submit(lambda: None).result(LONG_S)
    assert done == ["command", "turn"]


def test_turns_come_after_commands_and_after_their_pauses() -> None:
    turns: SimpleQueue[int] = SimpleQueue()
    pauses_s = iter([0.0, 0.001, LONG_S, None])
    count = iter(range(10))

    def turn() -> float | None:
        turns.put(next(count))
        return next(pauses_s)

    with ActorThread("turning", turn) as actor:
        assert [turns.get(timeout=LONG_S) for _ in range(3)] == [0, 1, 2]
        actor.submit(lambda: None).result(LONG_S)  # wakes it out of its long pause
        assert turns.get(timeout=LONG_S) == 3
        actor.submit(lambda: None).result(LONG_S)
        actor.submit(lambda: None).result(LONG_S)
    assert turns.empty()  # the last one wanted no other


@pytest.mark.parametrize("refusal", [CLOSED, None])
def test_a_stop_lets_the_running_command_end_and_refuses_the_rest(refusal: Phrase | None) -> None:
    told: list[BaseException | None] = []
    actor = ActorThread("stopping", ended=told.append, refusal=refusal)
    actor.start()
    gate = Gate()
    running = actor.submit(gate)
    assert gate.reached.wait(LONG_S)
    waiting = actor.submit(lambda: None)
    actor.stop(patience_s=0.0)
    gate.opened.set()
    actor.stop()
    assert running.result(0) is None
    for late in (waiting, actor.submit(lambda: None)):
        with pytest.raises(InputError if refusal else CancelledError):
            late.result(0)
    assert told == [None]


def test_finishing_carries_out_all_that_was_submitted() -> None:
    done: list[int] = []
    actor = ActorThread("finishing")
    for number in range(5):
        actor.submit(partial(done.append, number))
    actor.start()
    actor.finish()
    assert done == [0, 1, 2, 3, 4]


def test_what_waits_can_be_cancelled_and_the_thread_goes_on() -> None:
    with ActorThread("forgetful") as actor:
        gate = Gate()
        actor.submit(gate)
        assert gate.reached.wait(LONG_S)
        forgotten = [actor.submit(lambda: None) for _ in range(3)]
        actor.cancel_waiting()
        assert all(each.cancelled() for each in forgotten)
        own_cancelled = actor.submit(lambda: None)
        assert own_cancelled.cancel()
        gate.opened.set()
        assert actor.submit(lambda: 5).result(LONG_S) == 5


def test_cancelling_does_not_take_the_end_away() -> None:
    actor = ActorThread("ending")
    gate = Gate()
    actor.submit(gate)
    actor.start()
    assert gate.reached.wait(LONG_S)
    actor.stop(patience_s=0.0)
    actor.cancel_waiting()
    gate.opened.set()
    actor.stop()
    assert not actor.running


def test_one_that_never_started_refuses_after_its_end() -> None:
    actor = ActorThread("unused", refusal=CLOSED)
    early = actor.submit(lambda: None)
    actor.stop()
    for late in (early, actor.submit(lambda: None)):
        with pytest.raises(InputError, match=r"It is closed\."):
            late.result(0)


def test_listeners_are_told_in_their_order_until_they_stop() -> None:
    changes: Observable[int, str] = Observable()
    heard: list[tuple[str, int, str]] = []
    end = changes.listen(lambda number, word: heard.append(("first", number, word)))
    changes.listen(lambda number, word: heard.append(("second", number, word)))
    changes.tell(1, "a")
    end()
    changes.tell(2, "b")
    assert heard == [("first", 1, "a"), ("second", 1, "a"), ("second", 2, "b")]


def test_it_is_true_while_anybody_listens_and_an_end_counts_once() -> None:
    changes: Observable[[]] = Observable()
    assert not changes
    heard: list[None] = []

    def hear() -> None:
        heard.append(None)

    ends = [changes.listen(hear), changes.listen(hear)]
    changes.tell()
    assert len(heard) == 2
    ends[0]()
    ends[0]()
    assert changes
    changes.tell()
    assert len(heard) == 3
    ends[1]()
    assert not changes


def test_a_listener_may_leave_and_another_come_while_they_are_told() -> None:
    changes: Observable[int] = Observable()
    heard: list[tuple[str, int]] = []

    def hear_once(number: int) -> None:
        heard.append(("once", number))
        end()
        changes.listen(lambda later: heard.append(("later", later)))

    end = changes.listen(hear_once)
    changes.listen(lambda number: heard.append(("always", number)))
    changes.tell(1)
    changes.tell(2)
    assert heard == [("once", 1), ("always", 1), ("always", 2), ("later", 2)]


def test_what_a_listener_raises_is_raised_where_it_was_told() -> None:
    changes: Observable[[]] = Observable()

    def fail() -> None:
        raise LookupError("nothing here")

    changes.listen(fail)
    with pytest.raises(LookupError, match="nothing here"):
        changes.tell()


@dataclass(frozen=True, slots=True)
class Count(VersionedState):
    """A state with one number."""

    number: int


def test_each_snapshot_follows_the_newest_one() -> None:
    published = Published(Count(5))
    heard: list[Count] = []
    end = published.listen(heard.append)
    published.publish(replace(published.state, number=6))
    published.publish(Count(7))
    end()
    published.publish(Count(8))
    assert heard == [Count(6, version=1), Count(7, version=2)]
    assert published.state == Count(8, version=3)
