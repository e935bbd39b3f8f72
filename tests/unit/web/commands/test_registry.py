"""Commands of the pages: each is declared with its permission, and refused to a visitor without it; typed poses."""

from __future__ import annotations

import re
from pathlib import Path
from unittest.mock import Mock

import pytest

import bunnymoose_cv.web
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.rules.events import Bam, TableLaid
from bunnymoose_cv.rules.pose import NotationError, Pose
from bunnymoose_cv.web.auth.access import AccessError, Action, Role, Visitor
from bunnymoose_cv.web.commands.registry import COMMANDS
from bunnymoose_cv.web.commands.typed_pose import player_and_pose
from tests.unit.web.hosts import NARRATOR, OTHER, guest_of, host_at, owner_of, phone_of
from tests.unit.web.states import CARDS, state_after

WEB = Path(bunnymoose_cv.web.__file__).parent
PAGES = "".join(
    path.read_text("utf-8")
    for folder in ("templates", "pages", "widgets")
    for path in sorted((WEB / folder).rglob("*.*"))
    if path.suffix in {".html", ".py"}
)
"""Sources of the pages and templates, concatenated."""

OF_A_GUEST = {"choose-player", "give-phone-back"}
OF_A_PLAYER = OF_A_GUEST | {"answer-question", "correct-verdict"}
OF_THE_NARRATOR = OF_A_PLAYER | {"bet", "bam", "lay", "deal", "rest", "dismiss", "undo", "settle-card"}


def test_every_command_of_a_page_is_declared() -> None:
    sent = {*re.findall(r"(?:/command/|\{COMMANDS\})([a-z-]+)", PAGES)}
    assert sent
    assert sent <= {*COMMANDS}
    assert [name for name in COMMANDS if not re.search(rf"\b{name}\b", PAGES)] == [], "sent by no page"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_visitor_without_the_permission_is_refused_before_anything_is_done(tmp_path: Path, name: str) -> None:
    stranger = Visitor(Role.OWNER, None, "unknown", host_at(tmp_path, state_after()).access)
    assert COMMANDS[name].needs in Action
    with pytest.raises(AccessError):
        COMMANDS[name](Mock(spec=()), stranger, {"player": OTHER})


def allowed(visitor: Visitor, player: str) -> set[str]:
    """Commands that a visitor may send about a player."""
    return {name for name, each in COMMANDS.items() if visitor.may(each.needs, player if each.about else None)}


def test_everybody_may_send_what_is_theirs(tmp_path: Path) -> None:
    host = host_at(tmp_path, state_after(TableLaid(CARDS), Bam()))
    guest, other, narrator, owner = guest_of(host), phone_of(host, OTHER), phone_of(host, NARRATOR), owner_of(host)
    assert allowed(guest, OTHER) == OF_A_GUEST
    assert (allowed(other, OTHER), allowed(other, "Green")) == (OF_A_PLAYER, OF_A_GUEST)
    assert (allowed(narrator, NARRATOR), allowed(narrator, OTHER)) == (
        OF_THE_NARRATOR,
        OF_THE_NARRATOR - {"answer-question", "correct-verdict"},
    )
    assert allowed(owner, OTHER) == {*COMMANDS}


PLAYERS = ("Red", "Tom", "Anna Maria")


@pytest.mark.parametrize(
    ("typed", "player", "pose"),
    [
        ("Red WU CD t", "Red", "WU CD t"),
        ("red wu cd t", "Red", "WU CD t"),
        ("Red Wu cD T", "Red", "WU CD t"),
        ("anna maria ts tf", "Anna Maria", "TS TF"),
        ("tom -- ss  T", "Tom", "-- SS t"),
        ("Tom -- --", "Tom", "-- --"),
    ],
)
def test_small_letters_are_meant_as_the_notation_has_them(typed: str, player: str, pose: str) -> None:
    assert player_and_pose(typed, PLAYERS) == (player, Pose.parse(pose))


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("red wx cd", "“WX” is no headgear"),
        ("red wu", "something is missing"),
        ("red wu t", "“t” is no headgear"),
        ("red wu cd t t", "“T”"),
        ("red", "something is missing"),
    ],
)
def test_what_is_no_pose_is_told(typed: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        player_and_pose(typed, PLAYERS)


def test_a_stranger_is_told_who_plays() -> None:
    with pytest.raises(InputError, match="begin with one of Red, Tom, Anna Maria"):
        player_and_pose("Ida WU CD", PLAYERS)
