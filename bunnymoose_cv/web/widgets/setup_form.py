"""Form of the set-up page: players, rules, and everything that is heard."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS, Variant, edition_names, load_edition
from bunnymoose_cv.web.live.setup_changes import COLOURS, LINES, SIMPLER
from bunnymoose_cv.web.live.setup_choices import LONGEST_NAME
from bunnymoose_cv.web.templates.rendering import render
from bunnymoose_cv.web.widgets.dealer_panel import FASTEST_S, SLOWEST_S, STEP_S

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.voice.voices import Voice
    from bunnymoose_cv.web.live.setup_choices import Choices

MOST_VOICES: Final = 24
"""Some computers have more than a hundred in each language."""


def players_html(choices: Choices, texts: Texts) -> Markup:
    """Players in the order round the table, each with colour and symbol; every button sends all names along."""
    rows = [(player, style := choices.styles[player], texts(COLOURS[style.number - 1])) for player in choices.players]
    return render(
        "setup/players",
        texts,
        rows=rows,
        longest=LONGEST_NAME,
        can_leave=len(rows) > FEWEST_PLAYERS,
        can_come=len(rows) < MOST_PLAYERS,
    )


def rules_html(rules: Rules, texts: Texts) -> Markup:
    """Edition, cards, poem and variants, all in one form."""
    return render(
        "setup/rules",
        texts,
        rules=rules,
        editions=[load_edition(name) for name in edition_names()],
        lines=tuple(LINES),
        first_game=Variant.FIRST_GAME,
        simpler=[(variant, texts(name)) for variant, name in SIMPLER.items()],
    )


def audio_parts(choices: Choices, voices: Sequence[Voice], texts: Texts) -> Mapping[str, Markup]:
    """Language, voice and tempo, by part; a game that is played keeps the language of `texts`."""
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
