"""Commands of the practice page in a real session: the owner's alone, and pages are told of each change."""

from __future__ import annotations

from concurrent.futures import Future
from random import Random
from threading import Condition
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.session.practice.practice_session import PracticeSession
from bunnymoose_cv.session.practice.takes import Consent, Takes
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.web.auth.access import Access, AccessError, Role, Visitor
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.commands.preparation_commands import PRACTICE_COMMANDS
from bunnymoose_cv.web.live import open_while_watched
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.setup_choices import Choices
from bunnymoose_cv.web.pages import practice_page
from tests.unit.web.hosts import PATIENCE_S, owner_of, told
from tests.unit.web.openings import Openings

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from bunnymoose_cv.vision.reader import Reader

OF_AN_OPEN_SESSION = [name for name in PRACTICE_COMMANDS if name != "open-practice"]


@pytest.fixture
def host(reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Host]:
    monkeypatch.setattr(open_while_watched, "LINGER_S", 0.01)

    def practice(_: Choices) -> PracticeSession:
        return PracticeSession(NoVideoSource(), reader, Random(0), Takes(tmp_path / "takes <b>"))

    access = Access.of_the_evening(AccessFile(tmp_path / "access.json"), resume=False)
    choices = Choices(("Red", "Blue", "Green"), rules_for(), camera=0)
    host = Host(GameStore(tmp_path / "games"), access, choices, Openings(practice=practice), ("a camera",))
    yield host
    host.camera.practice.close()


def send(host: Host, command: str, **form: str) -> None:
    done = PRACTICE_COMMANDS[command](host, owner_of(host), form)
    if isinstance(done, Future):
        done.result(PATIENCE_S)


def shown(host: Host) -> dict[str, str]:
    return dict(practice_page.page(host, owner_of(host)).parts)


def closed(mirror: PracticeSession) -> bool:
    """Wait for the mirror's last state."""
    changed = Condition()

    def note(_: object) -> None:
        with changed:
            changed.notify_all()

    mirror.listen(note)
    with changed:
        return changed.wait_for(lambda: mirror.state.over, PATIENCE_S)


def test_a_page_opens_the_mirror_shows_each_change_and_closes_it(host: Host) -> None:
    before = shown(host)
    assert "the camera is being opened" in before["problem"]
    assert not before["asked"], "the page is empty until then"
    with told(host) as expect:
        with practice_page.watch(host, owner_of(host)) as look:
            expect(lambda: host.camera.practice.opened is not None)
            mirror = host.camera.practice.opened
            assert mirror is not None
            assert not shown(host)["problem"]
            assert "No. 1" in shown(host)["asked"]
            assert "takes &lt;b&gt;" in shown(host)["consent"]
            assert set(look()) == {"over", "seen", "hint", "held"}
            assert "nobody" in look()["seen"]
            send(host, "another-pose")
            expect(lambda: "No. 2" in shown(host)["asked"])
            assert "0 poses agreed" in shown(host)["tallies"]
            send(host, "keep-takes", takes="1")
            expect(lambda: shown(host)["consent"].count(" checked") == 1)
            assert mirror.state.practice.consent == Consent(takes=True, images=False)
            send(host, "keep-takes")
            expect(lambda: " checked" not in shown(host)["consent"])
            send(host, "delete-takes")
            assert "0 takes" in shown(host)["kept"]
            assert "Delete" not in shown(host)["kept"], "there is nothing to delete"
        assert closed(mirror)


def test_a_mirror_that_was_closed_says_so_and_is_opened_by_a_press(host: Host) -> None:
    with told(host) as expect, practice_page.watch(host, owner_of(host)) as look:
        expect(lambda: host.camera.practice.opened is not None)
        first = host.camera.practice.opened
        host.camera.release()
        expect(lambda: "The mirror is closed." in shown(host)["problem"])
        assert "/command/open-practice" in shown(host)["problem"]
        assert not shown(host)["asked"]
        assert look() == {}
        send(host, "open-practice")
        expect(lambda: host.camera.practice.opened is not None)
        assert host.camera.practice.opened is not first
        assert "No. 1" in shown(host)["asked"]
        again = host.camera.practice.opened
        send(host, "open-practice")
        assert host.camera.practice.opened is again, "one that is open stays"


def test_what_keeps_people_from_practising_is_told(host: Host) -> None:
    host.choose(Choices(("Red", "Blue", "Green"), rules_for(), camera=None))
    with told(host) as expect, practice_page.watch(host, owner_of(host)):
        expect(lambda: "Practice needs a camera" in shown(host)["problem"])
        assert "/command/open-practice" in shown(host)["problem"]


@pytest.mark.parametrize("command", PRACTICE_COMMANDS)
def test_nobody_but_the_owner_practises(host: Host, command: str) -> None:
    host.camera.practice.open()
    visitor = Visitor(Role.PLAYER, "Blue", "", host.access)
    with pytest.raises(AccessError):
        PRACTICE_COMMANDS[command](host, visitor, {"takes": "1"})
    mirror = host.camera.practice.opened
    assert mirror is not None
    assert mirror.state.practice.lesson.number == 1
    assert mirror.state.practice.consent == Consent()


@pytest.mark.parametrize("command", OF_AN_OPEN_SESSION)
def test_a_page_of_a_mirror_that_is_closed_is_told_so(host: Host, command: str) -> None:
    with pytest.raises(InputError, match="The mirror is closed"):
        send(host, command)
