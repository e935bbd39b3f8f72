"""Commands of the set-up page: each takes one choice, all of them together begin a game."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import Variant, edition_names
from bunnymoose_cv.web.auth.access import Action
from bunnymoose_cv.web.commands.form_command import Command
from bunnymoose_cv.web.commands.form_fields import CommandFormError, decimal_field, number_field, text_field
from bunnymoose_cv.web.live.setup_changes import (
    LINES,
    SIMPLER,
    in_language,
    moved_up,
    one_more,
    recoloured,
    renamed,
    with_rules,
    without,
)
from bunnymoose_cv.web.urls import TABLE
from bunnymoose_cv.web.widgets.dealer_panel import FASTEST_S, SLOWEST_S

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.commands.form_command import Answer
    from bunnymoose_cv.web.commands.form_fields import Form
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.setup_choices import Choices


def _take_names(host: Host, form: Form) -> Choices:
    """The choices with the names as they stand in the form.

    Raises:
        InputError: others play by now, on another page.
    """
    names = [form[name] for place in range(len(host.choices.players) + 1) if (name := f"name-{place}") in form]
    if len(names) != len(host.choices.players):
        raise InputError(Phrase("Somebody else has changed who plays: look once more."))
    return renamed(host.choices, names)


def _parse_place(form: Form, choices: Choices) -> int:
    place = number_field(form, "place")
    if place >= len(choices.players):
        raise CommandFormError
    return place


def _make_seat_command(change: Callable[[Choices, int], Choices]) -> Command:
    """Make a command that changes who sits where, about one player."""

    def change_seats(host: Host, _visitor: Visitor, form: Form) -> Answer:
        choices = _take_names(host, form)
        host.choose(change(choices, _parse_place(form, choices)))
        host.setup.look_again()
        return None

    return Command(Action.SET_UP, change_seats)


def _rename(host: Host, _visitor: Visitor, form: Form) -> Answer:
    host.choose(_take_names(host, form))
    return None


def _recolour(host: Host, _visitor: Visitor, form: Form) -> Answer:
    choices = _take_names(host, form)
    host.choose(recoloured(choices, _parse_place(form, choices)))
    return None


def _add(host: Host, _visitor: Visitor, form: Form) -> Answer:
    host.choose(one_more(_take_names(host, form), host.texts))
    host.setup.look_again()
    return None


def _choose_camera(host: Host, _visitor: Visitor, form: Form) -> Answer:
    camera = None if text_field(form, "camera") == "none" else number_field(form, "camera")
    if camera is not None and camera >= len(host.cameras):
        raise CommandFormError
    host.choose(replace(host.choices, camera=camera))
    host.setup.look_again()
    return None


def _choose_language(host: Host, _visitor: Visitor, form: Form) -> Answer:
    chosen = text_field(form, "language")
    if chosen not in set(Language):
        raise CommandFormError
    host.choose(replace(in_language(host.choices, Language(chosen)), voice=None))
    return None


def _choose_speaking(host: Host, _visitor: Visitor, form: Form) -> Answer:
    host.choose(replace(host.choices, speaks="speaks" in form))
    return None


def _choose_voice(host: Host, _visitor: Visitor, form: Form) -> Answer:
    chosen = text_field(form, "voice")
    if chosen != "usual" and chosen not in {voice.name for voice in host.setup.voices}:
        raise CommandFormError
    host.choose(replace(host.choices, voice=None if chosen == "usual" else chosen))
    return None


def _choose_tempo(host: Host, _visitor: Visitor, form: Form) -> Answer:
    tempo_s = min(max(decimal_field(form, "tempo"), FASTEST_S), SLOWEST_S)
    host.choose(replace(host.choices, tempo_s=tempo_s))
    return None


def _choose_questions(host: Host, _visitor: Visitor, form: Form) -> Answer:
    host.choose(replace(host.choices, asks_everything="everything" in form))
    return None


def _choose_rules(host: Host, _visitor: Visitor, form: Form) -> Answer:
    edition, lines, before = text_field(form, "edition"), number_field(form, "lines"), host.choices.rules
    if edition not in edition_names() or lines not in LINES:
        raise CommandFormError
    advanced = "advanced" in form if before.edition.has_advanced_cards else before.advanced
    host.choose(with_rules(host.choices, edition, advanced=advanced, variants=_parse_variants(form, lines)))
    return None


def _parse_variants(form: Form, lines: int) -> frozenset[Variant]:
    boxes = {variant for variant in (Variant.FIRST_GAME, *SIMPLER) if variant.value in form}
    long = LINES[lines]
    return frozenset(boxes if long is None else boxes | {long})


async def _open_game(host: Host, begin: Callable[[Choices], None], choices: Choices) -> str:
    await asyncio.to_thread(host.setup.begin, begin, choices)
    return TABLE


def _begin(host: Host, _visitor: Visitor, form: Form) -> Answer:
    host.choose(_take_names(host, form))
    if host.runs and "ends" not in form:
        raise InputError(Phrase("A game is being played. A new one ends it; it is kept."))
    return _open_game(host, host.begin, host.choices)


def _resume(host: Host, _visitor: Visitor, _form: Form) -> Answer:
    left = host.setup.left
    if left is None:
        raise CommandFormError
    return _open_game(host, host.go_on, left)


def _take_last(host: Host, _visitor: Visitor, _form: Form) -> Answer:
    """Take players and camera of the last table over; all else stays as it was chosen meanwhile."""
    last = host.setup.last
    if last is None:
        raise CommandFormError
    host.setup.last = None
    host.choose(replace(host.choices, players=last.players, colours=last.colours, camera=last.camera))
    host.setup.look_again()
    return None


SETUP_COMMANDS: Final[Mapping[str, Command]] = {
    "rename-players": Command(Action.SET_UP, _rename),
    "recolour-player": Command(Action.SET_UP, _recolour),
    "move-player-up": _make_seat_command(moved_up),
    "leave-out-player": _make_seat_command(without),
    "add-player": Command(Action.SET_UP, _add),
    "choose-camera": Command(Action.SET_UP, _choose_camera),
    "choose-language": Command(Action.SET_UP, _choose_language),
    "choose-speaking": Command(Action.SET_UP, _choose_speaking),
    "choose-voice": Command(Action.SET_UP, _choose_voice),
    "choose-tempo": Command(Action.SET_UP, _choose_tempo),
    "choose-questions": Command(Action.SET_UP, _choose_questions),
    "choose-rules": Command(Action.SET_UP, _choose_rules),
    "begin": Command(Action.SET_UP, _begin),
    "resume-game": Command(Action.SET_UP, _resume),
    "take-last-table": Command(Action.SET_UP, _take_last),
}
"""By the last part of their address."""
