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
from bunnymoose_cv.web.live.setup_changes import (
    LINES,
    SIMPLER,
    moved_up,
    one_more,
    recoloured,
    renamed,
    with_rules,
    without,
)
from bunnymoose_cv.web.server.command_form import CommandFormError, decimal_field, expect, number_field, text_field
from bunnymoose_cv.web.urls import TABLE
from bunnymoose_cv.web.widgets.audio_settings import FASTEST_S, SLOWEST_S

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.setup_choices import Choices
    from bunnymoose_cv.web.server.command_form import Answer, Command, Form


def _named(host: Host, form: Form) -> Choices:
    """The choices with the names as they stand in the form.

    Raises:
        InputError: others play by now, on another page.
    """
    names = [form[name] for place in range(len(host.choices.players) + 1) if (name := f"name-{place}") in form]
    if len(names) != len(host.choices.players):
        raise InputError(Phrase("Somebody else has changed who plays: look once more."))
    return renamed(host.choices, names)


def _place(form: Form, choices: Choices) -> int:
    place = number_field(form, "place")
    if place >= len(choices.players):
        raise CommandFormError
    return place


def _seating(change: Callable[[Choices, int], Choices]) -> Command:
    """A command that changes who sits where, about one player."""

    def command(host: Host, visitor: Visitor, form: Form) -> Answer:
        expect(visitor, Action.SET_UP)
        choices = _named(host, form)
        host.choose(change(choices, _place(form, choices)))
        host.setup.look_again()
        return None

    return command


def _rename(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    host.choose(_named(host, form))
    return None


def _recolour(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    choices = _named(host, form)
    host.choose(recoloured(choices, _place(form, choices)))
    return None


def _add(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    host.choose(one_more(_named(host, form), host.texts))
    host.setup.look_again()
    return None


def _choose_camera(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    camera = None if text_field(form, "camera") == "none" else number_field(form, "camera")
    if camera is not None and camera >= len(host.cameras):
        raise CommandFormError
    host.choose(replace(host.choices, camera=camera))
    host.setup.look_again()
    return None


def _choose_language(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    chosen = text_field(form, "language")
    if chosen not in set(Language):
        raise CommandFormError
    host.choose(replace(host.choices, language=Language(chosen), voice=None))
    return None


def _choose_speaking(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    host.choose(replace(host.choices, speaks="speaks" in form))
    return None


def _choose_voice(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    chosen = text_field(form, "voice")
    if chosen != "usual" and chosen not in {voice.name for voice in host.setup.voices}:
        raise CommandFormError
    host.choose(replace(host.choices, voice=None if chosen == "usual" else chosen))
    return None


def _choose_tempo(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    tempo_s = min(max(decimal_field(form, "tempo"), FASTEST_S), SLOWEST_S)
    host.choose(replace(host.choices, tempo_s=tempo_s))
    return None


def _choose_questions(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    host.choose(replace(host.choices, asks_everything="everything" in form))
    return None


def _choose_rules(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    edition, lines, before = text_field(form, "edition"), number_field(form, "lines"), host.choices.rules
    if edition not in edition_names() or lines not in LINES:
        raise CommandFormError
    advanced = "advanced" in form if before.edition.has_advanced_cards else before.advanced
    host.choose(with_rules(host.choices, edition, advanced=advanced, variants=_variants(form, lines)))
    return None


def _variants(form: Form, lines: int) -> frozenset[Variant]:
    boxes = {variant for variant in (Variant.FIRST_GAME, *SIMPLER) if variant.value in form}
    long = LINES[lines]
    return frozenset(boxes if long is None else boxes | {long})


async def _begun(host: Host, begin: Callable[[Choices], None], choices: Choices) -> str:
    await asyncio.to_thread(host.setup.begin, begin, choices)
    return TABLE


def _begin(host: Host, visitor: Visitor, form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    host.choose(_named(host, form))
    if host.runs and "ends" not in form:
        raise InputError(Phrase("A game is being played. A new one ends it; it is kept."))
    return _begun(host, host.begin, host.choices)


def _resume(host: Host, visitor: Visitor, _form: Form) -> Answer:
    expect(visitor, Action.SET_UP)
    left = host.setup.left
    if left is None:
        raise CommandFormError
    return _begun(host, host.go_on, left)


def _take_last(host: Host, visitor: Visitor, _form: Form) -> Answer:
    """Take players and camera of the last table over; all else stays as it was chosen meanwhile."""
    expect(visitor, Action.SET_UP)
    last = host.setup.last
    if last is None:
        raise CommandFormError
    host.setup.last = None
    host.choose(replace(host.choices, players=last.players, colours=last.colours, camera=last.camera))
    host.setup.look_again()
    return None


SETUP_COMMANDS: Final[Mapping[str, Command]] = {
    "rename-players": _rename,
    "recolour-player": _recolour,
    "move-player-up": _seating(moved_up),
    "leave-out-player": _seating(without),
    "add-player": _add,
    "choose-camera": _choose_camera,
    "choose-language": _choose_language,
    "choose-speaking": _choose_speaking,
    "choose-voice": _choose_voice,
    "choose-tempo": _choose_tempo,
    "choose-questions": _choose_questions,
    "choose-rules": _choose_rules,
    "begin": _begin,
    "resume-game": _resume,
    "take-last-table": _take_last,
}
"""By the last part of their address."""
