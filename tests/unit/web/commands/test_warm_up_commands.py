"""Commands of the warm-up page on a real guide: the owner's alone, and pages are told of each change."""

from __future__ import annotations

from concurrent.futures import Future
from threading import Condition
from typing import TYPE_CHECKING

import pytest

from bunnymoose_cv.calibration.profiles.player_profiles import PlayerProfiles
from bunnymoose_cv.calibration.profiles.profile_files import ProfileFiles
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.record.game_store import GameStore
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.rules.exemptions import Exemption
from bunnymoose_cv.session.video_source import NoVideoSource
from bunnymoose_cv.session.warmup.warm_up_guide import WarmUpGuide, WarmUpPhase
from bunnymoose_cv.web.auth.access import Access, AccessError, Role, Visitor
from bunnymoose_cv.web.auth.access_file import AccessFile
from bunnymoose_cv.web.commands.form_fields import CommandFormError
from bunnymoose_cv.web.commands.preparation_commands import WARM_UP_COMMANDS
from bunnymoose_cv.web.live import open_while_watched
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.setup_choices import Choices
from bunnymoose_cv.web.pages import warm_up_page
from tests.unit.web.hosts import PATIENCE_S, owner_of, told
from tests.unit.web.openings import Openings

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.vision.reader import Reader


@pytest.fixture
def host(reader: Reader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Host:
    monkeypatch.setattr(open_while_watched, "LINGER_S", 0.01)
    choices = Choices(("Red", "Blue", "Green"), rules_for(), camera=0)

    def warm_up(chosen: Choices) -> WarmUpGuide:
        return WarmUpGuide(
            NoVideoSource(), reader, chosen.players, PlayerProfiles(ProfileFiles(tmp_path / "profiles")), str
        )

    access = Access.of_the_evening(AccessFile(tmp_path / "access.json"), resume=False)
    return Host(GameStore(tmp_path / "games"), access, choices, Openings(warm_up=warm_up), ("a camera",))


def send(host: Host, command: str, **form: str) -> None:
    done = WARM_UP_COMMANDS[command](host, owner_of(host), form)
    assert isinstance(done, Future)
    done.result(PATIENCE_S)


def shown(host: Host) -> dict[str, str]:
    return dict(warm_up_page.page(host, owner_of(host)).parts)


def test_a_page_opens_the_warm_up_shows_each_change_and_closes_it(host: Host) -> None:
    assert "the camera is being opened" in shown(host)["problem"]
    with told(host) as expect:
        with warm_up_page.watch(host, owner_of(host)):
            expect(lambda: host.camera.warm_up.opened is not None)
            guide = host.camera.warm_up.opened
            assert guide is not None
            assert "Begin the warm-up" in shown(host)["asked"]
            send(host, "seat-players", **{"seat-1": "1", "seat-2": "1"})
            expect(lambda: shown(host)["people"].count(" checked") == 2)
            assert guide.state.row == ("Blue", "Green")
            send(host, "exempt-player", player="Blue", **{Exemption.TONGUE.value: "1"})
            expect(lambda: "Blue: Tongue not judged" in shown(host)["people"])
            send(host, "begin-warm-up", player="Blue")
            expect(lambda: "Pose 1 of 5 · Blue" in shown(host)["asked"])
            assert not shown(host)["people"], "nobody changes seats in the middle"
            for _ in range(4):
                send(host, "skip-pose")
            expect(lambda: "Pose 5 of 5 · Blue" in shown(host)["asked"])
            send(host, "skip-pose")
            expect(lambda: "Blue: no pose was understood." in shown(host)["asked"])
            send(host, "begin-warm-up")
            expect(lambda: guide.state.phase is WarmUpPhase.POSES)
            send(host, "leave-warm-up")
            expect(lambda: "Begin the warm-up" in shown(host)["asked"])
        assert _closes(guide)


def _closes(guide: WarmUpGuide) -> bool:
    """Wait for the guide's last state."""
    closed = Condition()

    def note(_: object) -> None:
        with closed:
            closed.notify_all()

    guide.listen(note)
    with closed:
        return closed.wait_for(lambda: guide.state.phase is WarmUpPhase.CLOSED, PATIENCE_S)


@pytest.mark.parametrize("command", WARM_UP_COMMANDS)
def test_nobody_but_the_owner_warms_up(host: Host, command: str) -> None:
    host.camera.warm_up.open()
    visitor = Visitor(Role.PLAYER, "Blue", "", host.access)
    with pytest.raises(AccessError):
        WARM_UP_COMMANDS[command](host, visitor, {"player": "Blue"})
    host.camera.warm_up.close()


@pytest.mark.parametrize("command", WARM_UP_COMMANDS)
def test_a_page_of_a_warm_up_that_is_over_is_told_so(host: Host, command: str) -> None:
    with pytest.raises(InputError, match="The warm-up is closed"):
        send(host, command, player="Blue")


def test_nobody_else_is_exempted(host: Host) -> None:
    host.camera.warm_up.open()
    with pytest.raises(CommandFormError):
        send(host, "exempt-player", player="Eve")
    with pytest.raises(CommandFormError):
        send(host, "exempt-player")
    host.camera.warm_up.close()
