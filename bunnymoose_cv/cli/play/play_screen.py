"""`bunnymoose play` with the table screen: options of the command line as defaults of the set-up page."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.profiles.table_profiles import default_table_profiles
from bunnymoose_cv.capture.camera_list import find_camera, list_cameras, unmistakable_name
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.live import address_of, is_stored, shown_name
from bunnymoose_cv.cli.cards_command import usual_enrolment
from bunnymoose_cv.cli.framework.exhaustion import expect_room_for_an_evening
from bunnymoose_cv.cli.play.last_table import ask_for_secrets
from bunnymoose_cv.cli.terminal.echo import warn
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.session.source_choice import camera_source, script_source
from bunnymoose_cv.session.table_card_reader import TableCardReader
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import default_access_file
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.session_factory import SessionFactory, WatchedTable
from bunnymoose_cv.web.live.setup_changes import in_language
from bunnymoose_cv.web.live.setup_choices import default_choices_file
from bunnymoose_cv.web.server.addresses import PORT
from bunnymoose_cv.web.server.table_server import serve

if TYPE_CHECKING:
    from bunnymoose_cv.capture.camera_list import CameraFound
    from bunnymoose_cv.cli.play.play_options import PlayOptions
    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.session.deck_enrolment import DeckEnrolment
    from bunnymoose_cv.session.source_choice import SourceChoice
    from bunnymoose_cv.web.live.setup_choices import Choices


def play_on_screen(
    games: GameStore,
    told: PlayOptions,
    *,
    bam: BamProfile | None = None,
    table_camera: str | None = None,
    enrolment: DeckEnrolment | None = None,
    lan: bool = False,
    port: int | None = None,
    home: str | None = None,
) -> None:
    """Serve the screen until it is closed; a game of which all is told begins at once.

    Args:
        table_camera: what watches the cards fall; None where nothing does.
        enrolment: of people's own cards; None opens the usual one.
        port: where it listens; None where nobody told.
        home: the page that is opened first; usually the table, before a game the set-up.

    Raises:
        InputError: it cannot be served, or the game cannot be begun so.
        MemoryError: the process has too little address space.
    """
    expect_room_for_an_evening()
    sources = offered_sources(told)
    file, port = default_choices_file(), PORT if port is None else port
    enrolment = enrolment or _enrolment_or_none(told.own_deck)
    card_reader = None if enrolment is None else _card_reader(enrolment)
    watched = None
    if table_camera is not None and card_reader is not None:
        watched = WatchedTable(table_camera, card_reader)
    with SessionFactory(
        games, sources, file, warn, bam=bam, seed=told.seed, deck=told.own_deck, watched=watched
    ) as factory:
        choices = offered_choices(told, file.read(factory.cameras))
        access = Access.of_the_evening(default_access_file(port), resume=told.resume)
        host = Host(
            games,
            access,
            choices,
            factory,
            factory.cameras,
            deck=told.own_deck,
            card_reader=card_reader,
            enrolment=enrolment,
        )
        host.home = home
        if told.resume:
            _go_on(host, factory, told)
        elif told.names is not None and told.camera is not None:
            host.begin(choices)
        try:
            serve(host, lan=lan, port=port)
        finally:
            host.close()


def _enrolment_or_none(own: Deck | None) -> DeckEnrolment | None:
    """The usual enrolment; None where it cannot be read, which stops no game."""
    try:
        return usual_enrolment(own)
    except InputError as error:
        warn(error.sentence)
        return None


def _card_reader(enrolment: DeckEnrolment) -> TableCardReader:
    """A reader that learns what is enrolled while it is used."""
    reader = TableCardReader(lambda: enrolment.to_play_with)
    enrolment.listen(reader.forget)
    return reader


def offered_sources(told: PlayOptions) -> tuple[SourceChoice, ...]:
    """Offered sources: the given one first, then the cameras of this computer."""
    settings, cameras = load_settings().camera, _cameras(told)
    names = [unmistakable_name(each, cameras) for each in cameras]
    offered = [camera_source(name, name, settings, told.microphone) for name in names]
    last = default_table_profiles().last()
    if last is not None and address_of(last.camera) is not None:  # no list of cameras names a stream
        camera = ask_for_secrets(last.camera) if told.camera is None else last.camera
        offered.append(camera_source(last.camera, camera, settings, told.microphone))
    if told.script is not None and told.evening is not None:
        return (script_source(told.script.name, str(told.script.resolve()), told.evening), *offered)
    if told.camera is None:
        return tuple(offered)
    found = None if is_stored(told.camera) else find_camera(told.camera, cameras)
    title = shown_name(told.camera) if found is None else unmistakable_name(found, cameras)
    others = [each for each in offered if each.title != title]
    return (camera_source(title, told.camera, settings, told.microphone), *others)


def _cameras(told: PlayOptions) -> tuple[CameraFound, ...]:
    """The cameras of this computer; none where all are refused and something else may be looked at."""
    try:
        return list_cameras()
    except UnreadableError:
        if told.camera is None and told.script is None:
            raise
        return ()


def offered_choices(told: PlayOptions, last: Choices) -> Choices:
    """The last evening's choices, with what was told now."""
    choices = replace(
        in_language(last, told.language or last.language),
        tempo_s=told.tempo or last.tempo_s,
        speaks=last.speaks if told.speak is None else told.speak,
        asks_everything=last.asks_everything if told.ask_everything is None else told.ask_everything,
    )
    if told.evening is not None:
        choices = replace(choices, players=told.evening.players, rules=told.evening.rules, colours=())
    elif told.names is not None:
        choices = replace(choices, players=told.names, rules=told.rules, colours=())
    elif told.rules_told or (told.own_deck is not None and told.own_deck.edition != choices.rules.edition.name):
        choices = replace(choices, rules=told.rules)
    return choices if told.camera is None and told.script is None else replace(choices, camera=0)


def _go_on(host: Host, factory: SessionFactory, told: PlayOptions) -> None:
    """Go on with the newest game that was left, of what was told to look at where something was.

    Raises:
        InputError: there is none.
    """
    named = told.camera is not None or told.script is not None
    left = factory.left(host.choices, cameras=(0,) if named else None)
    if left is None:
        raise InputError(
            "No game waits to be gone on with from what is named or connected here: "
            "name its --camera or --script, or play without --resume to begin one."
        )
    host.go_on(left)
