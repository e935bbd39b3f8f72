"""Set-up page: players, camera, and options with the values of last time."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from bunnymoose_cv.art.animals import narrator_art
from bunnymoose_cv.i18n.language import Language
from bunnymoose_cv.rules.deck import FEWEST_PLAYERS, MOST_PLAYERS, Variant, edition_names, load_edition
from bunnymoose_cv.rules.player_names import LONGEST_NAME as LONGEST_TYPED
from bunnymoose_cv.vision.video.seats import seated
from bunnymoose_cv.web.live.player_styles import styles_of
from bunnymoose_cv.web.live.setup_changes import COLOURS, LINES, SIMPLER, name_problems
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.controls import FASTEST_S, SLOWEST_S, STEP_S
from bunnymoose_cv.web.widgets.live_video import OverlaySync, art_definitions, missing, overlay

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.rules.deck import Rules
    from bunnymoose_cv.session.game_setup import GameSetup
    from bunnymoose_cv.vision.readings import FrameReading
    from bunnymoose_cv.voice.voices import Voice
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host
    from bunnymoose_cv.web.live.streams import PartsRenderer


def page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts, setup = host.texts, host.choices
    unfinished, last = host.setup.unfinished, host.setup.last_table if host.session is None else None
    parts = {
        "begin": render("setup/begin", texts, begins=host.setup.is_opening, runs=host.runs),
        "running": render("setup/running", texts, runs=host.runs),
        "left": render("setup/left", texts, left=unfinished, last=last, cameras=host.setup.cameras),
        "players": players_html(setup, texts),
        "cameras": render("setup/cameras", texts, cameras=host.setup.cameras, chosen=setup.camera),
        "checks": render("setup/checks", texts, has_camera=setup.camera is not None),
        "live-video": preview_html(host),
        **audio_parts(setup, host.setup.voices, texts, runs=host.runs),
        "rules": rules_html(setup.rules, texts),
        "questions": render("setup/questions", texts, everything=setup.asks_everything),
    }
    return HtmlPage("setup/page", texts("New game"), parts, sheets=("table", "setup"))


@contextmanager
def watch(host: Host, _visitor: Visitor) -> Iterator[PartsRenderer]:
    """Keep the preview of the chosen camera open, and yield the renderer of its parts."""
    with host.setup.watched():
        yield preview_renderer(host)


def preview_html(host: Host) -> Markup:
    """Render the preview image, or the reason why it is missing."""
    return render(
        "setup/live_video",
        host.texts,
        has_camera=host.choices.camera is not None,
        problem=host.camera.preview.problem,
        narrator_art=drawing(narrator_art()),
        art_definitions=drawing(art_definitions()),
    )


def preview_renderer(host: Host) -> PartsRenderer:
    """Return a renderer of the drawing over the preview and of the list of seen players."""
    in_step = OverlaySync()

    def render_parts() -> Mapping[str, str]:
        if not host.setup.cameras:
            host.setup.search_cameras()
        newest, setup = host.latest_reading, host.choices
        if host.is_blind:
            return {"over": "", "seen": render("setup/seen", host.texts, blind=True)}
        if newest is None:
            return {}
        reading = _reseated(in_step.shown(newest).reading, len(setup.players) - 1)
        return {
            "over": overlay(reading, setup.players[1:], styles_of(setup.players, setup.colours)),
            "seen": render("setup/seen", host.texts, blind=False, **_seen(reading, setup)),
        }

    return render_parts


def _reseated(reading: FrameReading, seats: int) -> FrameReading:
    """Return a reading with the seats of the form, which may differ from those of the running game or preview."""
    people = len(reading.players) + reading.bystanders
    if all(player.seat <= seats for player in reading.players) and (len(reading.players) == seats or people < seats):
        return reading
    again = seated(reading, seats)
    return replace(again, bystanders=people - len(again.players))


def _seen(reading: FrameReading, setup: GameSetup) -> dict[str, object]:
    """Return template values about the form's players in the image, and the number of other people in it."""
    narrator, *row = setup.players
    people = len(reading.players) + reading.bystanders
    return {
        "absent": missing(reading, row) if people < len(row) else (),
        "row": row,
        "narrator": narrator,
        "people": people,
        "in_mirror": row[::-1] if len(reading.players) == len(row) else (),
        "missing": min(people - len(row), MOST_PLAYERS - len(setup.players)),
    }


MOST_VOICES: Final = 24
"""Largest number of offered voices, since some computers have more than a hundred in each language."""


def players_html(setup: GameSetup, texts: Texts) -> Markup:
    """Render the players in seating order with colour and symbol; every button submits all names."""
    styles = styles_of(setup.players, setup.colours)
    rows = [
        (player, style := styles[player], texts(COLOURS[style.number - 1]), problem)
        for player, problem in zip(setup.players, name_problems(setup.players), strict=True)
    ]
    return render(
        "setup/players",
        texts,
        rows=rows,
        longest=LONGEST_TYPED,
        can_leave=len(rows) > FEWEST_PLAYERS,
        can_come=len(rows) < MOST_PLAYERS,
    )


def rules_html(rules: Rules, texts: Texts) -> Markup:
    """Render one form with edition, cards, poem and variants."""
    return render(
        "setup/rules",
        texts,
        rules=rules,
        editions=[load_edition(name) for name in edition_names()],
        lines=tuple(LINES),
        first_game=Variant.FIRST_GAME,
        simpler=[(variant, texts(name)) for variant, name in SIMPLER.items()],
    )


def audio_parts(setup: GameSetup, voices: Sequence[Voice], texts: Texts, *, runs: bool = False) -> Mapping[str, Markup]:
    """Render language, voice and tempo by part; a running game keeps the language of `texts`."""
    language = setup.language
    fitting = dict.fromkeys(voice.name for voice in voices if voice.language.split("-")[0] == language.value)
    return {
        "language": render("setup/language", texts, languages=tuple(Language), chosen=language, runs=runs),
        "speaks": render("setup/speaks", texts, speaks=setup.speaks),
        "voice": render("setup/voice", texts, voices=tuple(fitting)[:MOST_VOICES], chosen=setup.voice),
        "tempo": render("setup/tempo", texts, tempo_s=setup.tempo_s, fastest=FASTEST_S, slowest=SLOWEST_S, step=STEP_S),
    }
