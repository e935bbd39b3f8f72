"""The check page: opened with the first page, told of each change, pressed by the owner alone, closed with the last."""

from __future__ import annotations

from threading import Condition
from typing import TYPE_CHECKING, Any, Self

import pytest

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.session.table_checker import CheckState, CheckStep
from bunnymoose_cv.web.auth.access import Access, AccessError, Visitor
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.commands.preparation_commands import CHECK_COMMANDS
from bunnymoose_cv.web.live import open_while_watched
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.setup_choices import Choices
from bunnymoose_cv.web.pages import check_page
from tests.unit.web.hosts import PATIENCE_S, owner_of, told
from tests.unit.web.openings import Openings

if TYPE_CHECKING:
    from pathlib import Path


LIGHT = Finding(CheckLine.LIGHT, Level.GOOD, Phrase("The faces are lit well."))
WEAK = Finding(CheckLine.LIGHT, Level.WEAK, Phrase("It is <dark>."), Phrase("Turn on a lamp."), CheckCause.DARK)
BAD = Finding(CheckLine.LIGHT, Level.BAD, Phrase("It is dark."), Phrase("Turn on a lamp."), CheckCause.DARK)


class _Checker:
    """A check that says what a test has it say."""

    def __init__(self) -> None:
        self.state = CheckState()
        self.pressed: list[str] = []
        self.is_open = False
        self._changes: Observable[[CheckState]] = Observable()
        self.listen = self._changes.listen

    def __enter__(self) -> Self:
        self.is_open = True
        return self

    def __exit__(self, *_: object) -> None:
        self.is_open = False

    def come_to(self, step: CheckStep, *findings: Finding) -> None:
        self.state = CheckState(step, findings, version=self.state.version + 1)
        self._changes.tell(self.state)

    def skip(self) -> None:
        self.pressed.append("skip")

    def again(self) -> None:
        self.pressed.append("again")


@pytest.fixture
def checker() -> _Checker:
    return _Checker()


@pytest.fixture
def host(checker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.setattr(open_while_watched, "LINGER_S", 0.01)
    access = Access.of_the_evening(AccessFile(tmp_path / "access.json"), resume=False)
    choices = Choices(("Red", "Blue", "Green"), rules_for(), camera=0)
    return Host(GameStore(tmp_path / "games"), access, choices, Openings(check=lambda *_: checker), ("a camera",))


def shown(host: Host) -> dict[str, str]:
    return dict(check_page.page(host, owner_of(host)).parts)


def press(host: Host, visitor: Visitor, command: str) -> object:
    return CHECK_COMMANDS[command](host, visitor, {})


@pytest.mark.parametrize(
    ("step", "finding", "words"),
    [
        (CheckStep.LOOK, None, "The camera is looked through"),
        (CheckStep.HAND, None, "hold your right hand up"),
        (CheckStep.SPEED, LIGHT, "The computer reads five players"),
        (CheckStep.OVER, LIGHT, "The table is ready."),
        (CheckStep.OVER, WEAK, "You can play; some things could be better."),
        (CheckStep.OVER, BAD, "Something is bad"),
    ],
)
def test_each_step_and_the_sum_are_told(
    host: Host, checker: _Checker, step: CheckStep, finding: Finding | None, words: str
) -> None:
    with told(host) as expect, check_page.watch(host, owner_of(host)):
        expect(lambda: host.camera.check.opened is not None)
        found = () if finding is None else (finding,)
        checker.come_to(step, *found)
        parts = shown(host)
        assert words in parts["request"]
        assert ("Nothing is known yet." in parts["lines"]) is (finding is None)
        assert ("Turn on a lamp." in parts["lines"]) is (finding in {WEAK, BAD})
        assert "<dark>" not in parts["lines"]


@pytest.mark.parametrize(
    ("step", "finding", "offered"),
    [
        (CheckStep.LOOK, LIGHT, ()),
        (CheckStep.HAND, LIGHT, ("Skip this question",)),
        (CheckStep.BAM, BAD, ("Skip this question",)),
        (CheckStep.OVER, LIGHT, ("button main",)),
        (CheckStep.OVER, WEAK, ("button main",)),
        (CheckStep.OVER, BAD, ()),
    ],
)
def test_only_a_question_is_skipped_and_a_ready_table_leads_on(
    host: Host, checker: _Checker, step: CheckStep, finding: Finding, offered: tuple[str, ...]
) -> None:
    with told(host) as expect, check_page.watch(host, owner_of(host)):
        expect(lambda: host.camera.check.opened is not None)
        checker.come_to(step, finding)
        buttons = shown(host)["buttons"]
        assert tuple(each for each in ("Skip this question", "button main") if each in buttons) == offered


def test_pages_are_told_of_each_change_and_the_camera_rests_after_the_last(host: Host, checker: _Checker) -> None:
    assert "the camera is being opened" in shown(host)["request"]
    with told(host) as expect:
        with check_page.watch(host, owner_of(host)), check_page.watch(host, owner_of(host)):
            expect(lambda: host.camera.check.opened is not None)
            before = host.change_count
            checker.come_to(CheckStep.OVER, BAD)
            assert host.change_count > before
            for command in CHECK_COMMANDS:
                press(host, owner_of(host), command)
            assert checker.pressed == ["skip", "again"]
        closed = Condition()
        host.camera.check.do(lambda: _notify(closed))
        with closed:
            assert closed.wait_for(lambda: not checker.is_open, PATIENCE_S)
    assert host.camera.check.opened is None


def _notify(condition: Condition) -> None:
    with condition:
        condition.notify_all()


def test_without_a_camera_it_says_what_helps(host: Host) -> None:
    host.choices = Choices(("Red", "Blue", "Green"), rules_for())
    with told(host) as expect, check_page.watch(host, owner_of(host)):
        expect(lambda: host.camera.check.problem is not None)
        assert "The check needs a camera" in shown(host)["request"]
        assert not shown(host)["lines"]


@pytest.mark.parametrize("command", CHECK_COMMANDS)
def test_a_press_before_the_camera_is_open_is_refused_by_a_sentence(host: Host, command: str) -> None:
    with pytest.raises(InputError, match="the camera is being opened"):
        press(host, owner_of(host), command)


@pytest.mark.parametrize("command", CHECK_COMMANDS)
def test_nobody_but_the_owner_presses(host: Host, checker: _Checker, command: str) -> None:
    host.camera.check.open()
    phone = host.access.visitor(host.access.join(host.access.code))
    assert phone is not None
    with pytest.raises(AccessError):
        press(host, phone, command)
    assert checker.pressed == []
