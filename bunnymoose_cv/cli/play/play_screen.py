"""`bunnymoose play` with the table screen: command-line options as defaults of the set-up page."""

from __future__ import annotations

import shlex
import sys
from dataclasses import replace
from subprocess import list2cmdline
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.profiles.profile_files import default_profile_files
from bunnymoose_cv.capture.camera_list import find_camera, list_cameras, unmistakable_name
from bunnymoose_cv.capture.frame import UnreadableError
from bunnymoose_cv.capture.live import address_of, is_stored, shown_name
from bunnymoose_cv.cli.cards_command import usual_enrolment
from bunnymoose_cv.cli.framework.secret_arguments import without_typed_secrets
from bunnymoose_cv.cli.play.last_table import ask_for_secrets
from bunnymoose_cv.cli.terminal.echo import warn
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.exhaustion import expect_room_for_an_evening
from bunnymoose_cv.core.user_settings import load_settings
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.session.cards.table_card_reader import TableCardReader
from bunnymoose_cv.session.game_setup import default_setup_file
from bunnymoose_cv.session.source_choice import DEMO, OfferedSources, camera_source, script_source
from bunnymoose_cv.session.table_factory import CardCamera, TableFactory
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import default_access_file
from bunnymoose_cv.web.live.host import Host
from bunnymoose_cv.web.live.setup_changes import choose_language
from bunnymoose_cv.web.server.addresses import PORT
from bunnymoose_cv.web.server.table_server import serve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from bunnymoose_cv.capture.camera_list import CameraFound
    from bunnymoose_cv.cli.play.play_options import PlayOptions
    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.record.game_store import GameStore
    from bunnymoose_cv.rules.deck import Deck
    from bunnymoose_cv.session.cards.deck_enrolment import DeckEnrolment
    from bunnymoose_cv.session.game_setup import GameSetup
    from bunnymoose_cv.session.source_choice import SourceChoice


def play_on_screen(
    games: GameStore,
    options: PlayOptions,
    *,
    bam: BamProfile | None = None,
    table_camera: str | None = None,
    enrolment: DeckEnrolment | None = None,
    lan: bool = False,
    port: int | None = None,
    home: str | None = None,
) -> None:
    """Serve the screen until it is closed; start the game at once if players and camera were given.

    Args:
        table_camera: the camera that watches the cards; None without one.
        enrolment: the enrolment of the players' own cards; None opens the default one.
        port: the TCP port of the server; None for the default.
        home: the page that is opened first; None for the table or, before a game, the set-up.

    Raises:
        InputError: the screen cannot be served, or the game cannot begin with these options.
        MemoryError: the process has too little address space.
    """
    expect_room_for_an_evening()
    sources = OfferedSources(
        offered_sources(options),
        find=lambda: _connected(options, list_cameras()),
        at=lambda where: camera_source(where, where, load_settings().camera, options.microphone),
    )
    file, port = default_setup_file(), PORT if port is None else port
    enrolment = enrolment or _enrolment_or_none(options.given.get("deck"))
    card_reader = None if enrolment is None else _card_reader(enrolment)
    card_camera = None
    if table_camera is not None and card_reader is not None:
        card_camera = CardCamera(table_camera, card_reader)
    with TableFactory(games, sources, file, warn, bam=bam, card_camera=card_camera) as factory:
        setup = offered_setup(options, file.read(sources.titles))
        access = Access.of_the_evening(default_access_file(port), resume=options.resume)
        host = Host(games, access, setup, factory, sources.titles, card_reader=card_reader, enrolment=enrolment)
        host.home = home
        if options.resume:
            _resume(host, factory, options)
        elif options.given.get("players") is not None and options.camera is not None:
            host.begin(setup)
        try:
            serve(host, lan=lan, port=port)
        finally:
            played, folder = host.camera.played if host.runs else None, host.folder
            host.end()
        source = None if played is None or played.camera is None else sources.choice(played.camera).place
        is_kept = folder is not None and folder.is_dir()  # a game in which nothing has happened goes as it ends
        if played is not None and is_kept and source != DEMO:
            warn(f"The game is kept. Go on with it: {resume_command(sys.argv[1:], source, options)}")


def resume_command(words: Sequence[str], source: str | None, options: PlayOptions) -> str:
    """Return the command that continues a game.

    Args:
        words: the command line of the program.
        source: the camera, stream or script of the game; None without a camera.
    """
    named = options.camera if options.script_path is None else str(options.script_path.resolve())
    kept = list(words)
    if named is not None and source != shown_name(named):
        kept = _without_options(words, ("--camera", "--script"))
    if source is not None and source != (named and shown_name(named)) and (is_stored(source) or address_of(source)):
        kept += ["--camera", source]  # no list of cameras names it
    if "--resume" not in kept:
        kept.append("--resume")
    line = ["bunnymoose", *kept]
    return without_typed_secrets(list2cmdline(line) if sys.platform == "win32" else shlex.join(line))


def _without_options(words: Sequence[str], options: Sequence[str]) -> list[str]:
    """Return words without some options, each with its value."""
    kept: list[str] = []
    following = iter(words)
    for word in following:
        if word in options:
            next(following, None)
        elif not word.startswith(tuple(f"{option}=" for option in options)):
            kept.append(word)
    return kept


def _enrolment_or_none(own: Deck | None) -> DeckEnrolment | None:
    """Open the default enrolment; None if it cannot be read, so that the game can still begin."""
    try:
        return usual_enrolment(own)
    except InputError as error:
        warn(error.sentence)
        return None


def _card_reader(enrolment: DeckEnrolment) -> TableCardReader:
    """Return a reader that is updated when cards are enrolled."""
    reader = TableCardReader(lambda: enrolment.to_play_with)
    enrolment.listen(reader.forget)
    return reader


def offered_sources(options: PlayOptions) -> tuple[SourceChoice, ...]:
    """Return the sources to offer: the given one first, then the cameras of this computer."""
    settings, cameras = load_settings().camera, _cameras(options)
    offered = _connected(options, cameras)
    last = default_profile_files().last_table()
    if last is not None and address_of(last.camera) is not None:  # streams are not in the list of cameras
        camera = ask_for_secrets(last.camera) if options.camera is None else last.camera
        offered.append(camera_source(last.camera, camera, settings, options.microphone))
    if options.script_path is not None and options.script is not None:
        return (script_source(options.script_path.name, str(options.script_path.resolve()), options.script), *offered)
    if options.camera is None:
        return tuple(offered)
    found = None if is_stored(options.camera) else find_camera(options.camera, cameras)
    title = shown_name(options.camera) if found is None else unmistakable_name(found, cameras)
    others = [source for source in offered if source.title != title]
    return (camera_source(title, options.camera, settings, options.microphone), *others)


def _connected(options: PlayOptions, cameras: tuple[CameraFound, ...]) -> list[SourceChoice]:
    names = [unmistakable_name(camera, cameras) for camera in cameras]
    return [camera_source(name, name, load_settings().camera, options.microphone) for name in names]


def _cameras(options: PlayOptions) -> tuple[CameraFound, ...]:
    """List the cameras of this computer; empty if they cannot be listed and a source was given."""
    try:
        return list_cameras()
    except UnreadableError:
        if options.camera is None and options.script is None:
            raise
        return ()


def offered_setup(options: PlayOptions, last: GameSetup) -> GameSetup:
    """Return the last evening's set-up, overridden by the given options."""
    given = options.given
    setup = choose_language(last, given.get("language") or last.language).merge(**given)
    if setup.deck is not None and setup.deck.edition != setup.rules.edition.name:
        setup = replace(setup, rules=rules_for(setup.deck.edition))
    return setup if options.camera is None and options.script is None else replace(setup, camera=0)


def _resume(host: Host, factory: TableFactory, options: PlayOptions) -> None:
    """Resume the newest unfinished game, restricted to the given camera or script."""
    named = options.camera is not None or options.script is not None
    unfinished = factory.unfinished(host.choices, cameras=(0,) if named else None)
    if unfinished is None:
        raise InputError(
            "There is no unfinished game with the given or connected source: "
            "name its --camera or --script, or play without --resume to begin one."
        )
    host.begin(unfinished, resume=True)
