"""Commands of the set-up page: one for each choice, and those that open a game."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import Variant, edition_names
from bunnymoose_cv.web.auth.permissions import Action
from bunnymoose_cv.web.commands.form_command import Command, CommandFormError, number_field, tempo_field, text_field
from bunnymoose_cv.web.live.setup_changes import (
    LINES,
    SIMPLER,
    add_players,
    choose_language,
    choose_rules,
    move_player_up,
    recolour_player,
    remove_player,
    rename_players,
)
from bunnymoose_cv.web.urls import TABLE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bunnymoose_cv.session.game_setup import GameSetup
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer, Form
    from bunnymoose_cv.web.live.host import Host


MOST_CHARACTERS: Final = 2_000
"""Largest length of an address in characters."""


def _choice(choose: Callable[[Host, Form], GameSetup], *, reopens: bool = False) -> Command:
    """Return a command that chooses a set-up, and reopens the preview if its players or camera may have changed."""

    def act(host: Host, _visitor: Visitor, form: Form) -> None:
        host.choose(choose(host, form))
        if reopens:
            host.camera.preview.open_again()

    return Command(Action.SET_UP, act)


def _take_names(host: Host, form: Form) -> GameSetup:
    """Return the set-up with the names in the form, unless the players were changed on another page."""
    names = [form[name] for place in range(len(host.choices.players) + 1) if (name := f"name-{place}") in form]
    if len(names) != len(host.choices.players):
        raise InputError(Phrase("Somebody else has changed who plays: please check again."))
    return rename_players(host.choices, names)


def _take_place(host: Host, form: Form) -> tuple[GameSetup, int]:
    """Return the set-up with the names in the form, and the index of the player that the form is about."""
    setup, place = _take_names(host, form), number_field(form, "place")
    if place >= len(setup.players):
        raise CommandFormError
    return setup, place


def _add(host: Host, form: Form) -> GameSetup:
    count = number_field(form, "count", most_digits=1) if "count" in form else 1
    return add_players(_take_names(host, form), count)


def _choose_camera(host: Host, form: Form) -> GameSetup:
    camera = None if text_field(form, "camera") == "none" else number_field(form, "camera")
    if camera is not None and camera >= len(host.setup.cameras):
        raise CommandFormError
    return replace(host.choices, camera=camera)


def _choose_address(host: Host, form: Form) -> GameSetup:
    """Choose an address or a file; only the owner has the permission."""
    where = text_field(form, "where").strip()
    if not where or len(where) > MOST_CHARACTERS or not where.isprintable():
        raise InputError(Phrase("Type the address of a camera in the network, or the path of a film on this computer."))
    return host.setup.offer(where)


def _choose_language(host: Host, form: Form) -> GameSetup:
    chosen = text_field(form, "language")
    if chosen not in set(Language):
        raise CommandFormError
    return replace(choose_language(host.choices, Language(chosen)), voice=None)


def _choose_voice(host: Host, form: Form) -> GameSetup:
    chosen = text_field(form, "voice")
    if chosen != "usual" and chosen not in {voice.name for voice in host.setup.voices}:
        raise CommandFormError
    return replace(host.choices, voice=None if chosen == "usual" else chosen)


def _choose_rules(host: Host, form: Form) -> GameSetup:
    edition, lines, before = text_field(form, "edition"), number_field(form, "lines"), host.choices.rules
    if edition not in edition_names() or lines not in LINES:
        raise CommandFormError
    advanced = "advanced" in form if before.edition.has_advanced_cards else before.advanced
    boxes = {variant for variant in (Variant.FIRST_GAME, *SIMPLER) if variant.value in form}
    variants = boxes if (poem := LINES[lines]) is None else boxes | {poem}
    return choose_rules(host.choices, edition, advanced=advanced, variants=frozenset(variants))


def _take_last(host: Host, _form: Form) -> GameSetup:
    """Choose players and camera of the last table, and keep all other choices."""
    last = host.setup.last_table
    if last is None:
        raise CommandFormError
    host.setup.last_table = None
    return replace(host.choices, players=last.players, colours=last.colours, camera=last.camera)


async def _open_game(host: Host, begin: Callable[[GameSetup], None], setup: GameSetup) -> str:
    await asyncio.to_thread(host.setup.begin, begin, setup)
    return TABLE


def _begin(host: Host, _visitor: Visitor, form: Form) -> Answer:
    host.choose(_take_names(host, form))
    if host.runs and "ends" not in form:
        raise InputError(Phrase("A game is being played. A new one ends it; it is kept."))
    return _open_game(host, host.begin, host.choices)


def _resume(host: Host, _visitor: Visitor, _form: Form) -> Answer:
    unfinished = host.setup.unfinished
    if unfinished is None:
        raise CommandFormError
    return _open_game(host, partial(host.begin, resume=True), unfinished)


SETUP_COMMANDS: Final[Mapping[str, Command]] = {
    "rename-players": _choice(_take_names),
    "recolour-player": _choice(lambda host, form: recolour_player(*_take_place(host, form))),
    "move-player-up": _choice(lambda host, form: move_player_up(*_take_place(host, form)), reopens=True),
    "leave-out-player": _choice(lambda host, form: remove_player(*_take_place(host, form)), reopens=True),
    "add-player": _choice(_add, reopens=True),
    "choose-camera": _choice(_choose_camera, reopens=True),
    "look-for-cameras": Command(Action.SET_UP, lambda host, *_: host.setup.search_cameras(interval_s=0)),
    "choose-address": _choice(_choose_address, reopens=True),
    "choose-demo": _choice(lambda host, _: host.setup.offer_demo(), reopens=True),
    "choose-language": _choice(_choose_language),
    "choose-speaking": _choice(lambda host, form: replace(host.choices, speaks="speaks" in form)),
    "choose-voice": _choice(_choose_voice),
    "choose-tempo": _choice(lambda host, form: replace(host.choices, tempo_s=tempo_field(form))),
    "choose-questions": _choice(lambda host, form: replace(host.choices, asks_everything="everything" in form)),
    "choose-rules": _choice(_choose_rules),
    "begin": Command(Action.SET_UP, _begin),
    "resume-game": Command(Action.SET_UP, _resume),
    "take-last-table": _choice(_take_last, reopens=True),
}
