"""Commands of the pages: their permissions, typed poses, and those of the set-up page, each for one choice."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import pytest

import bunnymoose_cv.web
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import Variant, rules_for
from bunnymoose_cv.rules.events import Bam, TableLaid
from bunnymoose_cv.rules.pose import NotationError, Pose
from bunnymoose_cv.session.game_setup import GameSetup
from bunnymoose_cv.web.auth.access import Visitor
from bunnymoose_cv.web.auth.permissions import AccessError, Action, Role
from bunnymoose_cv.web.commands.form_command import CommandFormError
from bunnymoose_cv.web.commands.round_commands import player_and_pose
from bunnymoose_cv.web.commands.setup_commands import SETUP_COMMANDS
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.server.command_endpoint import COMMANDS
from tests.unit.web.hosts import NARRATOR, OTHER, carry_out, guest_of, host_at, host_in, owner_of, phone_of
from tests.unit.web.openings import Openings
from tests.unit.web.states import CARDS, ROUND, state_after

WEB = Path(bunnymoose_cv.web.__file__).parent
PAGES = "".join(
    path.read_text("utf-8")
    for folder in ("templates", "pages", "widgets")
    for path in sorted((WEB / folder).rglob("*.*"))
    if path.suffix in {".html", ".py"}
)
"""Sources of the pages and templates, concatenated."""

OF_A_GUEST = {"choose-player", "give-phone-back", "make-evening-film", "share-close-ups"}
OF_ONESELF = {"answer-question", "correct-verdict", "make-close-ups"}
OF_A_PLAYER = OF_A_GUEST | OF_ONESELF
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
    return {name for name, command in COMMANDS.items() if visitor.may(command.needs, player if command.about else None)}


def test_visitors_may_send_their_own_commands(tmp_path: Path) -> None:
    host = host_at(tmp_path, state_after(TableLaid(CARDS), Bam()))
    guest, other, narrator, owner = guest_of(host), phone_of(host, OTHER), phone_of(host, NARRATOR), owner_of(host)
    assert allowed(guest, OTHER) == OF_A_GUEST
    assert allowed(other, OTHER) == OF_A_GUEST | {"answer-question", "make-close-ups"}
    assert allowed(other, "Green") == OF_A_GUEST
    assert allowed(narrator, NARRATOR) == OF_THE_NARRATOR
    assert allowed(narrator, OTHER) == OF_THE_NARRATOR - {"make-close-ups"}
    assert allowed(owner, OTHER) == {*COMMANDS}


def test_without_questions_players_contest_only_their_own_verdict(tmp_path: Path) -> None:
    host = host_at(tmp_path, state_after(*ROUND))
    other, narrates_now, owner = phone_of(host, "Green"), phone_of(host, host.narrator or ""), owner_of(host)
    assert (allowed(other, "Green"), allowed(other, OTHER)) == (OF_A_PLAYER, OF_A_GUEST)
    assert allowed(narrates_now, "Green") == OF_THE_NARRATOR - OF_ONESELF
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
def test_lower_case_notation_is_accepted(typed: str, player: str, pose: str) -> None:
    assert player_and_pose(typed, PLAYERS) == (player, Pose.parse(pose))


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("red wx cd", "“WX” is not a headgear"),
        ("red wu", "something is missing"),
        ("red wu t", "“t” is not a headgear"),
        ("red wu cd t t", "“T”"),
        ("red", "something is missing"),
    ],
)
def test_invalid_poses_are_reported(typed: str, problem: str) -> None:
    with pytest.raises(NotationError, match=problem):
        player_and_pose(typed, PLAYERS)


def test_unknown_names_are_answered_with_the_players() -> None:
    with pytest.raises(InputError, match="begin with one of Red, Tom, Anna Maria"):
        player_and_pose("Ida WU CD", PLAYERS)


CHOICES = GameSetup(("Red", "Blue", "Green"), rules_for(), colours=(1, 2, 3), camera=0)
NAMES = {f"name-{place}": name for place, name in enumerate(CHOICES.players)}
OTHER_NAMES = {**NAMES, "name-1": "Ann"}
RULES = {"edition": "second", "lines": "6", "advanced": "1"}


@pytest.fixture
def host(tmp_path: Path) -> Host:
    @contextmanager
    def refuses(choices: GameSetup) -> Iterator[Any]:
        del choices
        raise InputError("The camera is gone.")
        yield

    return host_in(tmp_path, CHOICES, Openings(game=refuses), ("a camera", "another camera"))


def send(host: Host, command: str, form: dict[str, str], role: Role = Role.OWNER) -> object:
    """Send a form as a visitor, and return the address to which it redirects."""
    visitor = owner_of(host) if role is Role.OWNER else Visitor(role, None, "", host.access)
    return carry_out(host, visitor, command, form)


@pytest.mark.parametrize(
    ("command", "form", "chosen"),
    [
        ("rename-players", OTHER_NAMES, {"players": ("Red", "Ann", "Green")}),
        ("recolour-player", {**OTHER_NAMES, "place": "0"}, {"players": ("Red", "Ann", "Green"), "colours": (2, 1, 3)}),
        ("move-player-up", {**OTHER_NAMES, "place": "1"}, {"players": ("Ann", "Red", "Green"), "colours": (2, 1, 3)}),
        ("leave-out-player", {**OTHER_NAMES, "place": "0"}, {"players": ("Red", "Ann", "Green")}),
        ("add-player", NAMES, {"players": ("Red", "Blue", "Green", "Yellow"), "colours": (1, 2, 3, 4)}),
        ("choose-camera", {"camera": "1"}, {"camera": 1}),
        ("choose-camera", {"camera": "none"}, {"camera": None}),
        (
            "choose-language",
            {"language": "cs"},
            {"language": Language.CZECH, "players": ("Červený", "Modrý", "Zelený")},
        ),
        ("choose-speaking", {}, {"speaks": False}),
        ("choose-speaking", {"speaks": "1"}, {"speaks": True}),
        ("choose-voice", {"voice": "usual"}, {"voice": None}),
        ("choose-tempo", {"tempo": "2.5"}, {"tempo_s": 2.5}),
        ("choose-tempo", {"tempo": "99"}, {"tempo_s": 8.0}),
        ("choose-questions", {"everything": "1"}, {"asks_everything": True}),
        ("choose-rules", {**RULES, "lines": "8"}, {"rules": rules_for("second", variants=[Variant.EIGHT_LINES])}),
        ("choose-rules", {"edition": "second", "lines": "6"}, {"rules": rules_for("second", advanced=False)}),
        (
            "choose-rules",
            {**RULES, "first-game": "1", "no-reversal": "1"},
            {"rules": rules_for("second", variants=[Variant.FIRST_GAME, Variant.NO_REVERSAL])},
        ),
        ("choose-rules", {**RULES, "edition": "first", "first-game": "1"}, {"rules": rules_for("first")}),
    ],
)
def test_choices_are_stored_and_pages_notified(
    host: Host, command: str, form: dict[str, str], chosen: dict[str, Any]
) -> None:
    changes: list[None] = []
    host.listen(lambda: changes.append(None))
    assert send(host, command, form) is None
    assert host.choices == replace(CHOICES, **chosen)
    assert changes, "pages show it"


@pytest.mark.parametrize(
    ("command", "form"),
    [
        ("rename-players", {}),
        ("rename-players", {"name-0": "Red", "name-1": "Blue"}),
        ("begin", {**NAMES, "name-3": "Eve"}),
        ("add-player", {"name-0": "Red"}),
        ("move-player-up", {**NAMES, "name-3": "Eve", "place": "1"}),
    ],
)
def test_an_outdated_page_changes_no_other_player(host: Host, command: str, form: dict[str, str]) -> None:
    with pytest.raises(InputError, match="Somebody else has changed who plays"):
        send(host, command, form)
    assert host.choices == CHOICES


@pytest.mark.parametrize(
    ("command", "form"),
    [
        ("move-player-up", NAMES),
        ("move-player-up", {**NAMES, "place": "3"}),
        ("move-player-up", {**NAMES, "place": "-1"}),
        ("choose-camera", {}),
        ("choose-camera", {"camera": "2"}),
        ("choose-camera", {"camera": "one"}),
        ("choose-language", {"language": "tlh"}),
        ("choose-voice", {"voice": "HAL"}),
        ("choose-tempo", {"tempo": "quick"}),
        ("choose-tempo", {"tempo": "nan"}),
        ("choose-rules", {"edition": "third", "lines": "6"}),
        ("choose-rules", {"edition": "second", "lines": "7"}),
        ("resume-game", {}),
        ("take-last-table", {}),
    ],
)
def test_forms_that_no_page_sends_are_refused(host: Host, command: str, form: dict[str, str]) -> None:
    with pytest.raises(CommandFormError):
        send(host, command, form)
    assert host.choices == CHOICES


@pytest.mark.parametrize("command", SETUP_COMMANDS)
@pytest.mark.parametrize("role", [Role.PLAYER, Role.GUEST])
def test_only_the_owner_sets_up_games(host: Host, command: str, role: Role) -> None:
    with pytest.raises(AccessError):
        send(host, command, {**NAMES, **RULES, "place": "1", "camera": "1"}, role)
    assert host.choices == CHOICES


def test_a_refused_start_keeps_the_typed_names(host: Host) -> None:
    with pytest.raises(InputError, match="The camera is gone"):
        send(host, "begin", OTHER_NAMES)
    assert host.choices.players == ("Red", "Ann", "Green")
    assert not host.setup.is_opening


def test_a_running_game_ends_only_on_request(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Host, "runs", True)
    with pytest.raises(InputError, match="A new one ends it"):
        send(host, "begin", OTHER_NAMES)
    with pytest.raises(InputError, match="The camera is gone"):
        send(host, "begin", {**OTHER_NAMES, "ends": "1"})
    assert host.choices.players == ("Red", "Ann", "Green")


def test_the_last_table_brings_players_and_camera_back(host: Host) -> None:
    last = replace(CHOICES, players=("A", "B", "C", "D"), colours=(), camera=1, language=Language.GERMAN)
    host.setup.last_table = last
    send(host, "take-last-table", {})
    assert host.choices == replace(CHOICES, players=last.players, colours=(), camera=1)
    assert host.setup.last_table is None
