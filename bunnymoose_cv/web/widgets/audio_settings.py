"""Language, voice and tempo on the set-up page."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Final

from nicegui import background_tasks, html, run, ui

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.voice.engine import Engine
from bunnymoose_cv.voice.voices import Voice, VoiceError
from bunnymoose_cv.web.widgets.region import Region
from bunnymoose_cv.web.widgets.rules_settings import check

if TYPE_CHECKING:
    from nicegui.events import GenericEventArguments

    from bunnymoose_cv.web.server.host import Host

SLOWEST_S, FASTEST_S, STEP_S = 8.0, 1.0, 0.5
"""Seconds from one line of the poem to the next, as the slider offers them."""

MOST_VOICES: Final = 24
"""Some computers have more than a hundred in each language."""

_TELLS: Final = "(event) => emit(event.target.value)"


class AudioSettings:
    """Choices of everything that is heard; built where it is made."""

    def __init__(self, host: Host) -> None:
        self._host, self._texts = host, host.texts
        self._build_language()
        check(self._texts("A voice announces"), host.choices.speaks, self._choose_speaking)
        self._voices: Region[tuple[str, ...]] = Region(html.div(), self._build_voices)
        background_tasks.create(self._show_voices(), name="voices")
        with html.label().classes("field"):
            self._tempo: Region[float] = Region(html.span(), self._tell_tempo)
            self._tempo.show(host.choices.tempo_s)
            slider = html.input_(type="range", min=FASTEST_S, max=SLOWEST_S, step=STEP_S)
            slider.props["defaultValue"] = host.choices.tempo_s  # `value` would be put back while it is being dragged
            slider.on("input", self._choose_tempo, js_handler=_TELLS, throttle=0.1)

    def _build_language(self) -> None:
        with html.label().classes("field"):
            html.span(self._texts("Language"))
            languages = html.select().on("change", self._choose_language, js_handler=_TELLS)
            languages.props["data-focus"] = "language"
            with languages:
                for language in Language:
                    name = html.option(language.own_name, value=language.value)
                    name.props("selected" if language is self._host.choices.language else "")

    def _choose_language(self, event: GenericEventArguments) -> None:
        self._host.choices = replace(self._host.choices, language=Language(event.args), voice=None)
        ui.navigate.reload()

    def _choose_speaking(self, speaks: bool) -> None:  # noqa: FBT001 - what the box tells
        self._host.choices = replace(self._host.choices, speaks=speaks)

    async def _show_voices(self) -> None:
        """The voices of the language, once the system has told them; that may take some seconds."""
        voices = await run.io_bound(_voices_of_this_computer)
        language = self._host.choices.language.value
        fitting = (voice.name for voice in voices or () if voice.language.split("-")[0] == language)
        self._voices.show(tuple(dict.fromkeys(fitting))[:MOST_VOICES])

    def _build_voices(self, voices: tuple[str, ...]) -> None:
        """Build the choice between several voices; the usual one comes first."""
        if len(voices) < 2:  # noqa: PLR2004 - a choice needs two
            return
        with html.label().classes("field"):
            html.span(self._texts("Voice"))
            with html.select().on("change", self._choose_voice, js_handler=_TELLS):
                html.option(self._texts("The usual one"), value="")
                for voice in voices:
                    html.option(voice, value=voice).props("selected" if voice == self._host.choices.voice else "")

    def _choose_voice(self, event: GenericEventArguments) -> None:
        self._host.choices = replace(self._host.choices, voice=str(event.args) or None)

    def _choose_tempo(self, event: GenericEventArguments) -> None:
        tempo_s = min(max(float(event.args), FASTEST_S), SLOWEST_S)
        self._host.choices = replace(self._host.choices, tempo_s=tempo_s)
        self._tempo.show(tempo_s)

    def _tell_tempo(self, tempo_s: float) -> None:
        html.span(self._texts("When the referee deals: {seconds:g} seconds a line", seconds=tempo_s))


@cache
def _voices_of_this_computer() -> tuple[Voice, ...]:
    """All voices, asked for once; none where nothing speaks here."""
    try:
        with Engine() as engine:
            return engine.voices()
    except VoiceError:
        return ()
