"""The practice in a real browser: it hints, goes on, counts, and keeps takes only while the box is ticked."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import LARGE, SMALL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.browser.conftest import Visit

PLAYERS = Path(__file__).parents[2] / "fixtures" / "players"
PATIENCE_MS = 60_000
LONG = 2000
"""Images at ten a second: longer than all tests here take."""

ASKS_WU_WU_FIRST = "205"
"""A number for --seed: what the player of 0009.jpg shows."""


@dataclass
class Practising:
    """A screen that somebody practises at, and where takes are kept."""

    address: str
    takes: Path

    @property
    def asked(self) -> list[str]:
        return [json.loads(line)["asked"] for line in (self.takes / "takes.jsonl").read_text("utf-8").splitlines()]


@pytest.fixture
def practising(tmp_path: Path) -> Iterator[Practising]:
    """`bunnymoose mirror` before a player who shows two wide antlers up and does not stir."""
    for number in range(LONG):
        (tmp_path / f"{number:04}.jpg").symlink_to(PLAYERS / "0009.jpg")
    wishes = ("--camera", str(tmp_path), "--seed", ASKS_WU_WU_FIRST, "--port", "0")
    command = [sys.executable, "-c", "from bunnymoose_cv.cli import main; main()", "mirror", *wishes]
    where = {"XDG_DATA_HOME": str(tmp_path / "data"), "BROWSER": "true"}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | where)
    assert process.stderr is not None
    told = process.stderr.readline()
    found = re.search(r"http://\S+", told)
    assert found is not None, told
    yield Practising(found[0], tmp_path / "data" / "bunnymoose" / "takes")
    process.terminate()
    process.wait(PATIENCE_MS / 1000)
    process.stderr.close()


def test_it_hints_goes_on_counts_and_keeps_only_what_is_wished(
    practising: Practising, open_page: Callable[..., Visit]
) -> None:
    visit = open_page(LARGE)
    page = visit.page
    page.goto(practising.address)
    page.set_default_timeout(PATIENCE_MS)
    expect(page.get_by_text("1 pose agreed")).to_be_visible(timeout=PATIENCE_MS)
    expect(page.get_by_text("No. 2")).to_be_visible()
    expect(page.locator(".hint")).to_contain_text("On your", timeout=PATIENCE_MS)
    expect(page.get_by_role("row", name="Tongue out or in").get_by_role("cell")).to_have_text("1 / 1")
    assert not practising.takes.exists()

    page.get_by_label("Keep takes").check()
    expect(page.get_by_label("Keep takes")).to_be_checked()
    second = page.locator(".asked").inner_text()
    page.keyboard.press("i")
    expect(page.get_by_text("1 take", exact=True)).to_be_visible()
    page.get_by_label("Keep takes").uncheck()
    expect(page.get_by_text("No. 3")).to_be_visible()
    page.keyboard.press("i")
    expect(page.get_by_text("No. 4")).to_be_visible()
    assert len(practising.asked) == 1
    assert second != page.locator(".asked").inner_text()
    assert not list(practising.takes.glob("*.jpg"))

    page.reload()  # the practice goes on where it was
    expect(page.get_by_text("No. 4")).to_be_visible()
    page.get_by_role("button", name="Delete them…").click()
    page.get_by_role("button", name="Delete for good").click()
    expect(page.get_by_text("0 takes")).to_be_visible()
    assert not practising.takes.exists()
    assert (visit.complaints, visit.foreign) == ([], [])

    width, _ = SMALL
    page.set_viewport_size({"width": width, "height": SMALL[1]})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
