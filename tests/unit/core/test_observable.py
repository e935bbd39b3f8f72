"""Observable: who listens is told, in order, until the listening ends."""

from __future__ import annotations

import pytest

from bunnymoose_cv.core.observable import Observable


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
