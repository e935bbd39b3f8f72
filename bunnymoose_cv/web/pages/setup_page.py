"""Set-up page: players, camera, and options that may be left as they were last time."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS, Variant, edition_names, load_edition
from bunnymoose_cv.web.art.animals import narrator_art
from bunnymoose_cv.web.live.setup_changes import COLOURS, LINES, SIMPLER
from bunnymoose_cv.web.live.setup_choices import LONGEST_NAME
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.dealer_panel import FASTEST_S, SLOWEST_S, STEP_S
from bunnymoose_cv.web.widgets.live_overlay import art_definitions, missing, overlay
from bunnymoose_cv.web.widgets.live_video import OverlaySync

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.voice.voices import Voice
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.event_stream import PartsRenderer
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.setup_choices import Choices


def page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts, choices = host.texts, host.choices
    left, last = host.setup.left, host.setup.last if host.session is None else None
    parts = {
        "begin": render("setup/begin", texts, begins=host.setup.begins, runs=host.runs),
        "running": render("setup/running", texts, runs=host.runs),
        "left": render("setup/left", texts, left=left, last=last, cameras=host.cameras),
        "players": players_html(choices, texts),
        "cameras": render("setup/cameras", texts, cameras=host.cameras, chosen=choices.camera),
        "live-video": preview_html(host),
        **audio_parts(choices, host.setup.voices, texts),
        "rules": rules_html(choices.rules, texts),
        "questions": render("setup/questions", texts, everything=choices.asks_everything),
    }
    return HtmlPage("setup/page", texts("New game"), parts, sheets=("table", "setup"))


@contextmanager
def watch(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer]:
    """Keep the chosen camera open, and look at its preview."""
    with host.setup.watched():
        yield preview_renderer(host)


def preview_html(host: Host) -> Markup:
    """Preview image, or the reason why there is none."""
    return render(
        "setup/live_video",
        host.texts,
        has_camera=host.choices.camera is not None,
        problem=host.setup.problem,
        narrator_art=drawing(narrator_art()),
        art_definitions=drawing(art_definitions()),
    )


def preview_renderer(host: Host) -> PartsRenderer:
    """Begin to look at the preview: what is drawn over it, and who is seen."""
    in_step = OverlaySync()

    def render_parts() -> Mapping[str, str]:
        newest, (narrator, *row) = host.latest_reading, host.players
        if newest is None:
            return {}
        reading = in_step.shown(newest).reading
        absent = missing(reading, row)
        return {
            "over": overlay(reading, row, host.styles),
            "seen": render("setup/seen", host.texts, absent=absent, row=row, narrator=narrator),
        }

    return render_parts


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
