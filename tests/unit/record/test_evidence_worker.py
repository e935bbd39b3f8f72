"""Worker of the evidence: it is quiet when it is asked to be, and a failure stops no other job."""

from __future__ import annotations

from threading import Event

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.evidence_worker import EvidenceWorker

PATIENCE_S = 20


class Watched(Event):
    """An event that tells when it is waited for in vain."""

    def __init__(self) -> None:
        super().__init__()
        self.reached = Event()

    def wait(self, timeout: float | None = None) -> bool:
        if not self.is_set():
            self.reached.set()
        return super().wait(timeout)


def test_while_it_is_quiet_no_job_is_begun() -> None:
    worker, done = EvidenceWorker(pytest.fail), list[str]()
    watched = worker.may_work = Watched()
    with worker.quiet():
        worker.do_later(lambda: done.append("late"))
        assert watched.reached.wait(PATIENCE_S)
        worker.attempt(lambda: done.append("now"))
        assert done == ["now"]
    worker.finish()
    assert done == ["now", "late"]


def test_it_works_again_where_what_it_was_quiet_for_has_failed() -> None:
    def fail_quietly() -> None:
        with worker.quiet():
            assert not worker.may_work.is_set()
            raise ZeroDivisionError

    worker = EvidenceWorker(pytest.fail)
    with pytest.raises(ZeroDivisionError):
        fail_quietly()
    assert worker.may_work.is_set()
    worker.finish()


def test_what_cannot_be_kept_is_told_and_a_fault_of_ours_raised_when_all_else_is_done() -> None:
    def refuse() -> None:
        raise InputError("no room")

    def fail() -> None:
        raise ZeroDivisionError

    told, done = list[str](), list[str]()
    worker = EvidenceWorker(told.append)
    for job in (refuse, fail, lambda: done.append("the rest")):
        worker.do_later(job)
    with pytest.raises(ZeroDivisionError):
        worker.finish()
    assert (told, done) == (["no room"], ["the rest"])
