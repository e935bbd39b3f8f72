"""Pages with the camera (check, practice, warm-up): open while watched, updated at each change, for the owner alone."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from random import Random
from threading import Event
from typing import Any, Final, Self

import pytest

from bunnymoose_cv.calibration.checks.check_finding import CheckCause, CheckLine, Finding, Level
from bunnymoose_cv.calibration.checks.delay_meter import BITS
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.observable import Observable
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session import camera_owner
from bunnymoose_cv.session.practice.practice import PracticeSession
from bunnymoose_cv.session.practice.takes import Consent, Takes
from bunnymoose_cv.session.sources.table_checker import CheckState, CheckStep
from bunnymoose_cv.session.sources.video_source import NoVideoSource
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide, WarmUpPhase
from bunnymoose_cv.vision.reader import Reader
from bunnymoose_cv.web.auth.access import Visitor
from bunnymoose_cv.web.auth.permissions import AccessError, Role
from bunnymoose_cv.web.commands.form_command import CommandFormError
from bunnymoose_cv.web.commands.preparation_commands import CHECK_COMMANDS, PRACTICE_COMMANDS, WARM_UP_COMMANDS
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.pages import phone_pages
from bunnymoose_cv.web.pages.camera_pages import (
    check_page,
    practice_page,
    warm_up_page,
    watch_check,
    watch_practice,
    watch_warm_up,
)
from bunnymoose_cv.web.pages.html_page import HtmlPage
from tests.unit.web.hosts import CHOICES, PATIENCE_S, change_waiter, guest_of, host_in, owner_of, phone_of
from tests.unit.web.openings import Openings

LIGHT = Finding(CheckLine.LIGHT, Level.GOOD, Phrase("The faces are lit well."))
WEAK = Finding(CheckLine.LIGHT, Level.WEAK, Phrase("It is <dark>."), Phrase("Turn on a lamp."), CheckCause.DARK)
BAD = Finding(CheckLine.LIGHT, Level.BAD, Phrase("It is dark."), Phrase("Turn on a lamp."), CheckCause.DARK)

USES: Final = (
    ("check", CHECK_COMMANDS, "the camera is being opened"),
    ("practice", PRACTICE_COMMANDS, "The mirror is closed"),
    ("warm_up", WARM_UP_COMMANDS, "The warm-up is closed"),
)
"""Commands by use of the camera, with their refusal while it is closed."""

CAMERA_COMMANDS: Final = {**CHECK_COMMANDS, **PRACTICE_COMMANDS, **WARM_UP_COMMANDS}


class _Checker:
    """Check whose states are set by the test."""

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
        self._changes.notify(self.state)

    def skip(self) -> None:
        self.pressed.append("skip")

    def again(self) -> None:
        self.pressed.append("again")


@pytest.fixture
def checker() -> _Checker:
    return _Checker()


@pytest.fixture
def host(reader: Reader, checker: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setattr(camera_owner, "LINGER_S", 0.01)
    profiles = ProfileFiles(tmp_path / "profiles")
    openings = Openings(
        check=lambda *_: checker,
        practice=lambda _: PracticeSession(NoVideoSource(), reader, Random(0), Takes(tmp_path / "takes <b>")),
        warm_up=lambda chosen: WarmUpGuide(NoVideoSource(), reader, chosen.players, profiles, str),
    )
    host = host_in(tmp_path, openings=openings)
    yield host
    host.camera.close()


def shown(host: Host, page: Callable[[Host, Visitor], HtmlPage]) -> dict[str, str]:
    return dict(page(host, owner_of(host)).parts)


def send(host: Host, command: str, by: Visitor | None = None, /, **form: str) -> None:
    done = CAMERA_COMMANDS[command](host, by or owner_of(host), form)
    if isinstance(done, Future):
        done.result(PATIENCE_S)


@pytest.mark.parametrize(
    ("use", "command", "refusal"), [(use, command, refusal) for use, commands, refusal in USES for command in commands]
)
def test_commands_need_the_owner_and_an_open_camera(
    host: Host, checker: _Checker, use: str, command: str, refusal: str
) -> None:
    if command != "open-practice":
        with pytest.raises(InputError, match=refusal):
            send(host, command, player="Blue")
    opened = getattr(host.camera, use).open()
    for visitor in (guest_of(host), Visitor(Role.PLAYER, "Blue", "", host.access)):
        with pytest.raises(AccessError):
            send(host, command, visitor, player="Blue", takes="1")
    assert checker.pressed == []
    if isinstance(opened, PracticeSession):
        assert opened.state.lesson.number == 1
        assert opened.state.consent == Consent()


@pytest.mark.parametrize(
    ("step", "finding", "words", "offered"),
    [
        (CheckStep.LOOK, None, "The camera is being checked", ""),
        (CheckStep.LOOK, LIGHT, "The camera is being checked", ""),
        (CheckStep.HAND, None, "hold your right hand up", "Skip this question"),
        (CheckStep.BAM, BAD, "", "Skip this question"),
        (CheckStep.DELAY, LIGHT, "The camera’s delay is measured", "Skip this question"),
        (CheckStep.SPEED, LIGHT, "The computer reads five players", ""),
        (CheckStep.OVER, LIGHT, "The table is ready.", "button main"),
        (CheckStep.OVER, WEAK, "You can play; some things could be better.", "button main"),
        (CheckStep.OVER, BAD, "Something is not right", ""),
    ],
)
def test_each_step_and_the_result_are_shown_with_remedies(  # noqa: PLR0913, PLR0917 - columns of the table
    host: Host, checker: _Checker, step: CheckStep, finding: Finding | None, words: str, offered: str
) -> None:
    with change_waiter(host) as expect, watch_check(host, owner_of(host)):
        expect(lambda: host.camera.check.opened is not None)
        checker.come_to(step, *(() if finding is None else (finding,)))
        parts = shown(host, check_page)
        assert words in parts["request"]
        assert ("Nothing is known yet." in parts["lines"]) is (finding is None)
        assert ("Turn on a lamp." in parts["lines"]) is (finding in {WEAK, BAD})
        assert "<dark>" not in parts["lines"]
        assert [label for label in ("Skip this question", "button main") if label in parts["buttons"]] == (
            [offered] if offered else []
        )


def test_the_pattern_is_on_the_page_and_on_phones_while_the_delay_is_measured(host: Host, checker: _Checker) -> None:
    pages = [(check_page, owner_of(host)), (phone_pages.phone_page, phone_of(host, host.players[0]))]
    with change_waiter(host) as expect, watch_check(host, owner_of(host)):
        expect(lambda: host.camera.check.opened is not None)
        seen = []
        for step in (CheckStep.BAM, CheckStep.DELAY, CheckStep.SPEED):
            checker.come_to(step)
            seen.append([f'data-pattern="{BITS}"' in page(host, visitor).parts["pattern"] for page, visitor in pages])
    assert seen == [[False, False], [True, True], [False, False]]


def test_pages_follow_each_change_and_the_camera_closes_after_the_last(host: Host, checker: _Checker) -> None:
    assert "the camera is being opened" in shown(host, check_page)["request"]
    with change_waiter(host) as expect:
        with watch_check(host, owner_of(host)), watch_check(host, owner_of(host)):
            expect(lambda: host.change_count > 0)
            assert host.camera.check.opened is not None, "pages are told of it once it is followed"
            before = host.change_count
            checker.come_to(CheckStep.OVER, BAD)
            assert host.change_count > before
            for command in CHECK_COMMANDS:
                send(host, command)
            assert checker.pressed == ["skip", "again"]
        done = Event()
        host.camera.worker.do(done.set)
        assert done.wait(PATIENCE_S)
    assert not checker.is_open
    assert host.camera.check.opened is None


def test_without_a_camera_remedies_are_shown(host: Host) -> None:
    host.choose(replace(CHOICES, camera=None))
    with change_waiter(host) as expect, watch_check(host, owner_of(host)):
        expect(lambda: host.camera.check.problem is not None)
        assert "The check needs a camera" in shown(host, check_page)["request"]
        assert not shown(host, check_page)["lines"]


def test_a_page_opens_the_mirror_shows_each_change_and_closes_it(host: Host) -> None:
    before = shown(host, practice_page)
    assert "the camera is being opened" in before["problem"]
    assert not before["asked"], "the page is empty until then"
    with change_waiter(host) as expect:
        with watch_practice(host, owner_of(host)) as look:
            expect(lambda: host.camera.practice.opened is not None)
            mirror = host.camera.practice.opened
            assert mirror is not None
            assert not shown(host, practice_page)["problem"]
            assert "No. 1" in shown(host, practice_page)["asked"]
            assert "takes &lt;b&gt;" in shown(host, practice_page)["consent"]
            assert set(look()) == {"over", "seen", "hint", "held"}
            assert "nobody" in look()["seen"]
            send(host, "another-pose")
            expect(lambda: "No. 2" in shown(host, practice_page)["asked"])
            assert "0 poses agreed" in shown(host, practice_page)["tallies"]
            send(host, "keep-takes", takes="1")
            expect(lambda: shown(host, practice_page)["consent"].count(" checked") == 1)
            assert mirror.state.consent == Consent(takes=True, images=False)
            send(host, "keep-takes")
            expect(lambda: " checked" not in shown(host, practice_page)["consent"])
            send(host, "delete-takes")
            assert "0 takes" in shown(host, practice_page)["kept"]
            assert "Delete" not in shown(host, practice_page)["kept"], "there is nothing to delete"
        with change_waiter(mirror) as expect_of_mirror:
            expect_of_mirror(lambda: mirror.state.over)


def test_a_closed_mirror_says_so_and_can_be_opened_again(host: Host) -> None:
    with change_waiter(host) as expect, watch_practice(host, owner_of(host)) as look:
        expect(lambda: host.camera.practice.opened is not None)
        first = host.camera.practice.opened
        host.camera.close()
        expect(lambda: "The mirror is closed." in shown(host, practice_page)["problem"])
        assert "/command/open-practice" in shown(host, practice_page)["problem"]
        assert not shown(host, practice_page)["asked"]
        assert look() == {}
        send(host, "open-practice")
        expect(lambda: host.camera.practice.opened is not None)
        assert host.camera.practice.opened is not first
        assert "No. 1" in shown(host, practice_page)["asked"]
        again = host.camera.practice.opened
        send(host, "open-practice")
        assert host.camera.practice.opened is again, "one that is open stays"


def test_reasons_against_practising_are_shown(host: Host) -> None:
    host.choose(replace(CHOICES, camera=None))
    with change_waiter(host) as expect, watch_practice(host, owner_of(host)):
        expect(lambda: "Practice needs a camera" in shown(host, practice_page)["problem"])
        assert "/command/open-practice" in shown(host, practice_page)["problem"]


def test_a_page_opens_the_warm_up_shows_each_change_and_closes_it(host: Host) -> None:
    assert "the camera is being opened" in shown(host, warm_up_page)["problem"]
    with change_waiter(host) as expect:
        with watch_warm_up(host, owner_of(host)):
            expect(lambda: host.camera.warm_up.opened is not None)
            guide = host.camera.warm_up.opened
            assert guide is not None
            assert "Begin the warm-up" in shown(host, warm_up_page)["asked"]
            send(host, "seat-players", **{"seat-1": "1", "seat-2": "1"})
            expect(lambda: shown(host, warm_up_page)["people"].count(" checked") == 2)
            assert guide.state.row == ("Blue", "Green")
            send(host, "exempt-player", player="Blue", **{Exemption.TONGUE.value: "1"})
            expect(lambda: "Blue: Tongue not judged" in shown(host, warm_up_page)["people"])
            send(host, "begin-warm-up", player="Blue")
            expect(lambda: "Pose 1 of 5 · Blue" in shown(host, warm_up_page)["asked"])
            assert not shown(host, warm_up_page)["people"], "nobody changes seats in the middle"
            for _ in range(4):
                send(host, "skip-pose")
            expect(lambda: "Pose 5 of 5 · Blue" in shown(host, warm_up_page)["asked"])
            send(host, "skip-pose")
            expect(lambda: "Blue: no pose was understood." in shown(host, warm_up_page)["asked"])
            send(host, "begin-warm-up")
            expect(lambda: guide.state.phase is WarmUpPhase.POSES)
            send(host, "leave-warm-up")
            expect(lambda: "Begin the warm-up" in shown(host, warm_up_page)["asked"])
        with change_waiter(guide) as expect_of_guide:
            expect_of_guide(lambda: guide.state.phase is WarmUpPhase.CLOSED)


def test_only_players_can_be_exempted(host: Host) -> None:
    host.camera.warm_up.open()
    for form in ({"player": "Eve"}, {}):
        with pytest.raises(CommandFormError):
            send(host, "exempt-player", **form)
