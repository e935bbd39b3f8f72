"""Language, voice and tempo on the set-up page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.voice.voices import Voice
    from bunnymoose_cv.web.live.setup_choices import Choices

SLOWEST_S, FASTEST_S, STEP_S = 8.0, 1.0, 0.5
"""Seconds from one line of the poem to the next, as the slider offers them."""

MOST_VOICES: Final = 24
"""Some computers have more than a hundred in each language."""


def audio_parts(choices: Choices, voices: Sequence[Voice], texts: Texts) -> Mapping[str, Markup]:
    """Choices of everything that is heard, by part; a game that is played keeps the language of `texts`."""
    language = choices.language
    fitting = dict.fromkeys(voice.name for voice in voices if voice.language.split("-")[0] == language.value)
    return {
        "language": render(
            "setup/language",
            texts,
            languages=tuple(Language),
            chosen=language,
            later=language is not texts.language,
        ),
        "speaks": render("setup/speaks", texts, speaks=choices.speaks),
        "voice": render("setup/voice", texts, voices=tuple(fitting)[:MOST_VOICES], chosen=choices.voice),
        "tempo": render(
            "setup/tempo", texts, tempo_s=choices.tempo_s, fastest=FASTEST_S, slowest=SLOWEST_S, step=STEP_S
        ),
    }
