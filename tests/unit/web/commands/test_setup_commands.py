"""Commands of the set-up page: each changes one choice, for the owner alone, and a stale page changes nothing."""

from __future__ import annotations

import asyncio
from contextlib import contextmanager
from dataclasses import replace
from inspect import isawaitable
from typing import TYPE_CHECKING, Any

import pytest

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import Variant, rules_for
from bunnymoose_cv.web.auth.access import AccessError, Role, Visitor
from bunnymoose_cv.web.commands.form_fields import CommandFormError
from bunnymoose_cv.web.commands.setup_commands import SETUP_COMMANDS
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.openings import Openings
from bunnymoose_cv.web.live.setup_choices import Choices
from tests.unit.web.hosts import host_in, owner_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHOICES = Choices(("Red", "Blue", "Green"), rules_for(), colours=(1, 2, 3), camera=0)
NAMES = {f"name-{place}": name for place, name in enumerate(CHOICES.players)}
OTHER_NAMES = {**NAMES, "name-1": "Ann"}
RULES = {"edition": "second", "lines": "6", "advanced": "1"}


@pytest.fixture
def host(tmp_path: Path) -> Host:
    @contextmanager
    def refuses(choices: Choices) -> Iterator[Any]:
        del choices
        raise InputError("The camera is gone.")
        yield

    return host_in(tmp_path, CHOICES, Openings(session=refuses), ("a camera", "another camera"))


def send(host: Host, command: str, form: dict[str, str], role: Role = Role.OWNER) -> object:
    """Send a form as a visitor; gives where its page goes on to."""
    visitor = owner_of(host) if role is Role.OWNER else Visitor(role, None, "", host.access)
    answer: Any = SETUP_COMMANDS[command](host, visitor, form)

    async def done() -> object:
        return await answer

    return asyncio.run(done()) if isawaitable(answer) else answer


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
def test_a_choice_is_kept_and_pages_are_told(
    host: Host, command: str, form: dict[str, str], chosen: dict[str, Any]
) -> None:
    told: list[None] = []
    host.listen(lambda: told.append(None))
    assert send(host, command, form) is None
    assert host.choices == replace(CHOICES, **chosen)
    assert told, "pages show it"


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
def test_a_page_that_is_behind_changes_nobody_else(host: Host, command: str, form: dict[str, str]) -> None:
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
def test_a_form_that_no_page_sends(host: Host, command: str, form: dict[str, str]) -> None:
    with pytest.raises(CommandFormError):
        send(host, command, form)
    assert host.choices == CHOICES


@pytest.mark.parametrize("command", SETUP_COMMANDS)
@pytest.mark.parametrize("role", [Role.PLAYER, Role.GUEST])
def test_nobody_but_the_owner_sets_up(host: Host, command: str, role: Role) -> None:
    with pytest.raises(AccessError):
        send(host, command, {**NAMES, **RULES, "place": "1", "camera": "1"}, role)
    assert host.choices == CHOICES


def test_a_game_that_cannot_begin_leaves_what_was_typed(host: Host) -> None:
    with pytest.raises(InputError, match="The camera is gone"):
        send(host, "begin", OTHER_NAMES)
    assert host.choices.players == ("Red", "Ann", "Green")
    assert not host.setup.begins


def test_a_game_that_runs_ends_only_where_that_was_asked(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Host, "runs", True)
    with pytest.raises(InputError, match="A new one ends it"):
        send(host, "begin", OTHER_NAMES)
    with pytest.raises(InputError, match="The camera is gone"):
        send(host, "begin", {**OTHER_NAMES, "ends": "1"})
    assert host.choices.players == ("Red", "Ann", "Green")


def test_the_last_table_brings_players_and_camera_back(host: Host) -> None:
    last = replace(CHOICES, players=("A", "B", "C", "D"), colours=(), camera=1, language=Language.GERMAN)
    host.setup.last = last
    send(host, "take-last-table", {})
    assert host.choices == replace(CHOICES, players=last.players, colours=(), camera=1)
    assert host.setup.last is None
