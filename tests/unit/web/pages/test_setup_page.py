"""Set-up page: who is seen of the players of the form, names beside their mistakes, and what helps without a camera."""

import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import PropertyMock

import pytest

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.session.table_state import LatestReading, TableState
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.pages.setup_page import page, players_html, preview_renderer
from tests.unit.web.hosts import CHOICES, host_in, owner_of
from tests.unit.web.states import state_after

ROW = ("Red", "Blue", "Green", "Yellow", "Orange", "Purple")


def playing(state: TableState | None) -> Any:
    """Return a game as far as the page asks it."""
    return None if state is None else SimpleNamespace(state=state, texts=Texts())


@pytest.mark.parametrize(
    ("bystanders", "players", "sentences", "missing"),
    [
        (0, 3, ("Everybody is seen.", "In the mirror from the left: Green, Blue."), []),
        (2, 3, ("4 people in the picture, 2 players: who plays?", "Add the missing 2"), ["2"]),
        (3, 5, ("5 people in the picture, 4 players: who plays?", "Add the missing one"), ["1"]),
        (4, 6, ("6 people in the picture, 5 players: who plays?",), []),
        (0, 4, ("? Not seen: Yellow",), []),
        (2, 5, ("Everybody is seen.",), []),
    ],
)
@pytest.mark.parametrize("state", [None, state_after()])
def test_the_preview_says_who_is_seen_of_the_form_whatever_is_played(  # noqa: PLR0913, PLR0917 - columns of the table
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    party: FrameReading,
    bystanders: int,
    players: int,
    sentences: tuple[str, ...],
    missing: list[str],
    state: TableState | None,
) -> None:
    host = host_in(tmp_path, replace(CHOICES, players=ROW[:players]))
    monkeypatch.setattr(host.camera, "session", playing(state))
    newest = LatestReading(1, replace(party, bystanders=bystanders))
    monkeypatch.setattr(Host, "latest_reading", PropertyMock(return_value=newest))
    parts = preview_renderer(host)()
    seen = re.sub(r"\s+", " ", parts["seen"])
    assert all(sentence in seen for sentence in sentences), seen
    assert ("Everybody is seen." in seen) is ("Everybody is seen." in sentences)
    assert re.findall(r'name="count" value="(\d)"', seen) == missing


def test_a_lost_camera_reports_no_seen_players(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, party: FrameReading
) -> None:
    host = host_in(tmp_path)
    monkeypatch.setattr(Host, "latest_reading", PropertyMock(return_value=LatestReading(1, party)))
    preview = SimpleNamespace(camera=CameraState.WATCHING)
    monkeypatch.setattr(host.camera.preview, "opened", preview)
    render = preview_renderer(host)
    assert "Everybody is seen." in render()["seen"]
    preview.camera = CameraState.LOST
    parts = render()
    assert ("The camera shows nothing now." in parts["seen"], parts["over"]) == (True, "")


def test_without_a_camera_the_page_shows_remedies(tmp_path: Path) -> None:
    host = host_in(tmp_path, replace(CHOICES, camera=None), cameras=())
    parts = page(host, owner_of(host)).parts
    assert "No camera found: plug one in; this page sees it." in parts["cameras"]
    assert set(re.findall(r'"/command/([a-z-]+)"', parts["cameras"])) == {
        *("choose-camera", "choose-address", "choose-demo", "look-for-cameras")
    }
    assert "href" not in parts["checks"]
    assert "Both need a camera." in parts["checks"]
    assert "Questions after Bam" in parts["questions"]
    seeing = host_in(tmp_path)
    shown = page(seeing, owner_of(seeing)).parts
    assert "No camera found" not in shown["cameras"]
    assert ('href="/check"' in shown["checks"], 'href="/warm-up"' in shown["checks"]) == (True, True)


def test_an_invalid_name_is_reported_beside_its_field() -> None:
    shown = players_html(replace(CHOICES, players=("Ann", "", "ann"), colours=(1, 2, 3)), Texts())
    fields = re.findall(r'<input[^>]* name="name-(\d)"[^>]*aria-describedby="(.*?)"', shown)
    problems = dict(re.findall(r'<p id="(problem-\d)"[^>]*>(.*?)</p>', shown))
    assert {place: problems[of] for place, of in fields} == {
        "0": "Somebody else has that name.",
        "1": "Type a name.",
        "2": "Somebody else has that name.",
    }
    assert "aria-invalid" not in players_html(CHOICES, Texts())
