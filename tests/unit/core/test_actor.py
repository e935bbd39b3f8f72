"""Actor thread, observables and published states: order, turns, a clean end, and errors delivered by futures."""

from concurrent.futures import CancelledError, Future
from dataclasses import dataclass, replace
from functools import partial
from queue import SimpleQueue
from threading import Event, Thread, current_thread

import pytest

from bunnymoose_cv.core.actor import ActorThread
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Observable, Published, VersionedState
from bunnymoose_cv.core.phrase import Phrase

CLOSED = Phrase("It is closed.")
LONG_S = 60.0
"""Pause that no test waits out: a thread in it must be woken."""


class Gate:
    """A command that blocks the thread until it is opened."""

    def __init__(self) -> None:
        self.reached, self.opened = Event(), Event()

    def __call__(self) -> None:
        self.reached.set()
        assert self.opened.wait(LONG_S)


def test_commands_from_many_threads_run_in_order_on_one_thread() -> None:
    done: list[tuple[str, int]] = []
    names: set[str] = set()

    def command(giver: str, number: int) -> int:
        names.add(current_thread().name)
        done.append((giver, number))
        return number

    with ActorThread("the actor") as actor:
        results: SimpleQueue[Future[int]] = SimpleQueue()

        def give(giver: str) -> None:
            for number in range(100):
                results.put(actor.submit(partial(command, giver, number)))

        givers = [Thread(target=give, args=(giver,)) for giver in "abcd"]
        for giver in givers:
            giver.start()
        for giver in givers:
            giver.join()
        assert sum(results.get().result(LONG_S) for _ in range(400)) == 4 * sum(range(100))
    assert names == {"the actor"}
    for letter in "abcd":
        assert [number for giver, number in done if giver == letter] == list(range(100))


def test_early_command_runs_after_start_and_stop_interrupts_the_pause() -> None:
    actor = ActorThread("early", lambda: LONG_S)
    result = actor.submit(lambda: 3)
    assert not actor.running
    with actor:
        assert result.result(LONG_S) == 3
        assert actor.running
    assert not actor.running


def test_input_error_fails_only_its_command() -> None:
    def refuse() -> None:
        raise InputError(Phrase("No such card."))

    with ActorThread("patient") as actor:
        with pytest.raises(InputError, match="No such card"):
            actor.submit(refuse).result(LONG_S)
        assert actor.submit(lambda: "goes on").result(LONG_S) == "goes on"


@pytest.mark.parametrize("in_a_turn", [False, True])
def test_unexpected_error_ends_the_thread_and_is_raised_once(*, in_a_turn: bool) -> None:
    ends: SimpleQueue[BaseException | None] = SimpleQueue()
    fault = ZeroDivisionError("ours")

    def fail() -> float | None:
        raise fault

    actor = ActorThread("faulty", fail if in_a_turn else lambda: LONG_S, ended=ends.put, refusal=CLOSED)
    actor.start()
    if not in_a_turn:
        assert actor.submit(fail).exception(LONG_S) is fault
    assert ends.get(timeout=LONG_S) is fault
    actor.stop()
    with pytest.raises(InputError, match=r"It is closed\."):
        actor.submit(lambda: None).result(LONG_S)
    assert ends.empty()
    with pytest.raises(ZeroDivisionError, match="ours"):
        actor.raise_fault()
    actor.raise_fault()


def test_error_of_the_thread_does_not_hide_an_exception_in_the_body() -> None:
    def fail() -> float | None:
        raise ZeroDivisionError

    with pytest.raises(LookupError), ActorThread("faulty", fail):
        raise LookupError


def test_commands_run_before_the_first_turn() -> None:
    done: SimpleQueue[str] = SimpleQueue()

    def turn() -> None:
        done.put("turn")

    with ActorThread("patient", turn, first_turn_s=LONG_S) as actor:
        actor.submit(partial(done.put, "command"))
        assert [done.get(timeout=LONG_S) for _ in range(2)] == ["command", "turn"]
        actor.submit(lambda: None).result(LONG_S)
    assert done.empty()


def test_turns_run_after_commands_and_after_their_pauses() -> None:
    turns: SimpleQueue[int] = SimpleQueue()
    pauses_s = iter([0.0, 0.001, LONG_S, None])
    count = iter(range(10))

    def turn() -> float | None:
        turns.put(next(count))
        return next(pauses_s)

    with ActorThread("turning", turn) as actor:
        assert [turns.get(timeout=LONG_S) for _ in range(3)] == [0, 1, 2]
        actor.submit(lambda: None).result(LONG_S)  # interrupts the long pause
        assert turns.get(timeout=LONG_S) == 3
        actor.submit(lambda: None).result(LONG_S)
        actor.submit(lambda: None).result(LONG_S)
    assert turns.empty()  # the last turn requested no other


@pytest.mark.parametrize("refusal", [CLOSED, None])
def test_stop_finishes_the_running_command_and_refuses_the_rest(refusal: Phrase | None) -> None:
    ends: list[BaseException | None] = []
    actor = ActorThread("stopping", ended=ends.append, refusal=refusal)
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
    assert ends == [None]


def test_finish_runs_all_submitted_commands() -> None:
    done: list[int] = []
    actor = ActorThread("finishing")
    for number in range(5):
        actor.submit(partial(done.append, number))
    actor.start()
    actor.finish()
    assert done == [0, 1, 2, 3, 4]


def test_waiting_commands_can_be_cancelled_while_the_thread_continues() -> None:
    with ActorThread("forgetful") as actor:
        gate = Gate()
        actor.submit(gate)
        assert gate.reached.wait(LONG_S)
        forgotten = [actor.submit(lambda: None) for _ in range(3)]
        actor.cancel_waiting()
        assert all(future.cancelled() for future in forgotten)
        own_cancelled = actor.submit(lambda: None)
        assert own_cancelled.cancel()
        gate.opened.set()
        assert actor.submit(lambda: 5).result(LONG_S) == 5


def test_command_submitted_at_a_cancellation_is_not_cancelled() -> None:
    with ActorThread("renewed") as actor:
        gate, again = Gate(), list[Future[int]]()
        actor.submit(gate)
        assert gate.reached.wait(LONG_S)
        actor.submit(lambda: 4).add_done_callback(lambda _: again.append(actor.submit(lambda: 5)))
        actor.cancel_waiting()
        gate.opened.set()
        assert again[0].result(LONG_S) == 5


def test_cancelling_does_not_cancel_the_stop() -> None:
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


def test_actor_that_never_started_refuses_commands_after_stop() -> None:
    actor = ActorThread("unused", refusal=CLOSED)
    early = actor.submit(lambda: None)
    actor.stop()
    for late in (early, actor.submit(lambda: None)):
        with pytest.raises(InputError, match=r"It is closed\."):
            late.result(0)


def test_listeners_are_notified_in_order_until_they_unsubscribe() -> None:
    changes: Observable[int, str] = Observable()
    heard: list[tuple[str, int, str]] = []
    end = changes.listen(lambda number, word: heard.append(("first", number, word)))
    changes.listen(lambda number, word: heard.append(("second", number, word)))
    changes.notify(1, "a")
    end()
    changes.notify(2, "b")
    assert heard == [("first", 1, "a"), ("second", 1, "a"), ("second", 2, "b")]


def test_observable_is_true_while_it_has_listeners() -> None:
    changes: Observable[[]] = Observable()
    assert not changes
    heard: list[None] = []

    def hear() -> None:
        heard.append(None)

    ends = [changes.listen(hear), changes.listen(hear)]
    changes.notify()
    assert len(heard) == 2
    ends[0]()
    ends[0]()
    assert changes
    changes.notify()
    assert len(heard) == 3
    ends[1]()
    assert not changes


def test_listeners_can_be_added_and_removed_during_a_notification() -> None:
    changes: Observable[int] = Observable()
    heard: list[tuple[str, int]] = []

    def hear_once(number: int) -> None:
        heard.append(("once", number))
        end()
        changes.listen(lambda later: heard.append(("later", later)))

    end = changes.listen(hear_once)
    changes.listen(lambda number: heard.append(("always", number)))
    changes.notify(1)
    changes.notify(2)
    assert heard == [("once", 1), ("always", 1), ("always", 2), ("later", 2)]


def test_error_of_a_listener_reaches_the_notifier() -> None:
    changes: Observable[[]] = Observable()

    def fail() -> None:
        raise LookupError("nothing here")

    changes.listen(fail)
    with pytest.raises(LookupError, match="nothing here"):
        changes.notify()


@dataclass(frozen=True, slots=True)
class Count(VersionedState):
    """A state with one number."""

    number: int


def test_published_states_have_increasing_versions() -> None:
    published = Published(Count(5))
    heard: list[Count] = []
    end = published.listen(heard.append)
    published.publish(replace(published.state, number=6))
    published.publish(Count(7))
    end()
    published.publish(Count(8))
    assert heard == [Count(6, version=1), Count(7, version=2)]
    assert published.state == Count(8, version=3)


def test_long_command_runs_urgent_commands_until_a_normal_one_waits() -> None:
    done: list[str] = []
    reached, go_on = Event(), Event()
    with ActorThread("the actor") as actor:

        def work_long() -> None:
            reached.set()
            assert go_on.wait(LONG_S)
            actor.carry_out_urgent()
            done.append("long")

        actor.submit(work_long)
        assert reached.wait(LONG_S)
        for name, is_urgent in (("one", True), ("two", True), ("usual", False), ("late", True)):
            actor.submit(partial(done.append, name), is_urgent=is_urgent)
        go_on.set()
        actor.submit(lambda: None).result(LONG_S)
    assert done == ["one", "two", "long", "usual", "late"]


def test_deferred_commands_run_before_the_end() -> None:
    done: list[str] = []
    reached, go_on = Event(), Event()
    actor = ActorThread("the actor", refusal=CLOSED)
    actor.start()

    def work_long() -> None:
        reached.set()
        assert go_on.wait(LONG_S)
        actor.carry_out_urgent()
        done.append("long")

    actor.submit(work_long)
    assert reached.wait(LONG_S)
    actor.submit(partial(done.append, "usual"))
    go_on.set()
    actor.finish()
    assert done == ["long", "usual"]
