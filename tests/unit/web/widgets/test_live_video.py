"""Live video: line art and names at heads in step with the image, and who is seen or missing."""

import re
from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest

from bunnymoose_cv.capture.live_source import CameraState
from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.session.table_state import LatestReading, TablePhase, TableState
from bunnymoose_cv.vision.readings import FrameReading
from bunnymoose_cv.vision.video.seats import seated
from bunnymoose_cv.web.live.live_image import STANDS_STILL
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.widgets.live_video import LiveVideoWatch, OverlaySync, head_transform, missing, overlay
from tests.unit.web.states import PLAYERS, ROUND, state_after

SEATS = ("<b>Ann</b>", "Ben & Bo")


def drawn_over(reading: FrameReading) -> ET.Element:
    return ET.fromstring(overlay(reading, SEATS, styles_of(SEATS)))  # noqa: S314 - our own


def test_line_art_is_drawn_at_the_side_of_its_reading(party: FrameReading) -> None:
    drawing = drawn_over(party)
    height, width = party.image.shape[:2]
    assert drawing.get("viewBox") == f"0 0 {width} {height}"
    heads = [group for group in drawing if group.get("class") == "art"]
    assert len(heads) == len(party.players)
    for head, player in zip(heads, party.players, strict=True):
        assert head.get("transform") == head_transform(player.player.head)
        used = {use.get("href"): use.get("transform") for use in head if use.tag == "use"}
        assert used[f"#over-{player.pose.left}"] is None or player.pose.left == player.pose.right
        assert used[f"#over-{player.pose.right}"] == "scale(-1 1)"


def test_outdated_readings_of_moving_players_are_not_drawn(party: FrameReading) -> None:
    first, second = party.players
    moved = replace(party, players=(replace(first, has_moved=True), second))
    drawing = drawn_over(moved)
    heads = [group.get("transform") for group in drawing if group.get("class") == "art"]
    assert heads == [head_transform(second.player.head)]
    written = [str(group[-1].text) for group in drawing if group.get("class") == "written"]
    assert any(text.endswith(SEATS[0]) for text in written)  # the name stays, without a doubt


def test_art_is_placed_at_the_head(party: FrameReading) -> None:
    for player in party.players:
        head = player.player.head
        x, y, turn, scale = map(float, re.findall(r"-?[\d.]+", head_transform(head)))
        # A place in the art's own units, brought into the image as the browser does.
        turned = np.radians(turn)
        across, down = 46 * scale * np.cos(turned), 46 * scale * np.sin(turned)
        beside_the_left_temple = head.at(1.45, 0.0)
        assert (x + across, y + down) == pytest.approx(beside_the_left_temple, abs=0.2 * head.eye_distance)
        assert beside_the_left_temple[0] > head.centre[0]  # the player's left is at the right of the unmirrored image


def test_names_are_escaped_and_readable_in_the_mirror(party: FrameReading) -> None:
    drawing = drawn_over(party)
    written = [group for group in drawing if group.get("class") == "written"]
    named = [group for group in written if group[-1].text != "?"]
    assert [name in str(group[-1].text) for group, name in zip(named, SEATS, strict=True)] == [True, True]
    assert all(str(group.get("transform")).endswith("scale(-1 1)") for group in written)
    for group, player in zip(named, party.players, strict=True):
        x, y = map(float, re.findall(r"-?[\d.]+", str(group.get("transform")))[:2])
        assert abs(x - player.player.head.centre[0]) < player.player.head.eye_distance
        assert y < player.player.head.box.y
        assert str(group[-1].text).endswith("?") is bool(player.unclear)


def test_a_long_name_stays_in_the_image_and_off_the_next_players(party: FrameReading) -> None:
    seats = ("Bo", "Maximiliane-Ottoline")
    width = round(party.players[1].face.x + party.players[1].face.width)
    drawing = overlay(replace(party, image=party.image[:, :width]), seats, styles_of(seats))
    found = re.search(r'translate\((\d+) \d+\) scale\(-1 1\)"><text font-size="(\d+)"[^>]*>([^<]*Maxi[^<]*)<', drawing)
    assert found is not None
    half = 0.6 * float(found[2]) * len(found[3]) / 2
    assert half <= float(found[1]) <= width - half
    assert 2 * half < 0.4 * width
    assert "…" in found[3]


def test_the_ellipsis_of_a_right_to_left_name_is_isolated_with_it(party: FrameReading) -> None:
    seats = ("Bo", "שלמה בן־דוד הגדול")
    assert re.search("\u2068ש[^<]*…\u2069", overlay(party, seats, styles_of(seats)))


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_long_names_share_the_width_of_the_image(party: FrameReading, count: int) -> None:
    seats = ("Maximiliane-Ottoline", *(f"Bartholomäus {number}" for number in range(2, count + 1)))
    width = party.image.shape[1]
    found = re.search(r'<text font-size="(\d+)"[^>]*>([^<]*Max[^<?]*)', overlay(party, seats, styles_of(seats)))
    assert found is not None
    assert 0.6 * float(found[1]) * len(found[2].rstrip()) <= width / count


def test_missing_players_are_found_by_seat(party: FrameReading) -> None:
    moved_up = replace(
        party, players=tuple(replace(p, player=replace(p.player, seat=p.seat + 1)) for p in party.players)
    )
    assert missing(party, ("Ann", "Ben", "Cy")) == ("Cy",)
    assert missing(moved_up, ("Ann", "Ben", "Cy")) == ("Ann",)


def test_bystanders_are_counted(party: FrameReading) -> None:
    assert [seated(party, seats).bystanders for seats in (1, 2, 3)] == [1, 0, 0]


def test_the_overlay_is_in_step_with_its_image(party: FrameReading) -> None:
    styles = [LatestReading(number, party) for number in (1, 2, 3)]
    in_step, asked = OverlaySync(), (0, 1, 1, 2, *[2] * STANDS_STILL)
    assert [in_step.shown(styles[index]).number for index in asked] == [1, 1, 1, 2, *[2] * (STANDS_STILL - 1), 3]


def host_of(reading: LatestReading | None, state: TableState | None) -> Any:
    """Return a host as far as the live video asks it."""
    session = None if state is None else SimpleNamespace(state=state)
    return SimpleNamespace(latest_reading=reading, session=session, texts=Texts(), styles=styles_of(PLAYERS))


def test_a_blind_camera_reports_no_seen_players(party: FrameReading) -> None:
    host = host_of(LatestReading(1, party), state_after())
    watch = LiveVideoWatch(host)
    for camera in (CameraState.WATCHING, CameraState.LOST, CameraState.ENDED, CameraState.WATCHING):
        host.session.state = state_after(camera=camera)
        parts, blind = watch.parts(), camera is not CameraState.WATCHING
        assert ("The camera shows nothing now." in parts["seats"], parts["overlay"] == "") == (blind, blind)


def test_the_newest_reading_is_shown_until_bam_is_judged(party: FrameReading) -> None:
    nobody = replace(party, players=())
    watched = host_of(LatestReading(1, party), state_after())
    watch = LiveVideoWatch(watched)
    first = watch.parts()
    assert "#over-" in first["overlay"]
    assert "? Not seen: Yellow" in first["seats"]
    assert watch.parts() is first, "nothing is drawn anew without a new look"
    watched.session.state = state_after(phase=TablePhase.JUDGING)
    watched.latest_reading = LatestReading(2, nobody)
    assert watch.parts() is first, "the picture stands still"
    watched.session.state = state_after(*ROUND)
    for _ in range(STANDS_STILL + 1):
        last = watch.parts()
    assert "Nobody is seen" in last["seats"]
    watched.latest_reading = LatestReading(3, party)
    for _ in range(STANDS_STILL + 1):
        last = watch.parts()
    assert "Everybody moves one seat on." in last["seats"]
    assert "#over-" in last["overlay"]
    assert PLAYERS[1] not in last["overlay"], "between rounds nobody is named"


def test_without_a_game_or_a_camera_nothing_follows() -> None:
    for state in (None, state_after()):
        assert LiveVideoWatch(host_of(None, state)).parts() == {}
