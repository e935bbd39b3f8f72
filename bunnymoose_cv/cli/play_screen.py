"""`bunnymoose play` with the table screen: what the command line told becomes what the set-up page offers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import typer

from bunnymoose_cv.capture.camera_list import find_camera, list_cameras
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.profile import load_profile
from bunnymoose_cv.session.source_choice import camera_source, script_source
from bunnymoose_cv.web.auth.access import Access
from bunnymoose_cv.web.auth.access_file import default_access_file
from bunnymoose_cv.web.live.setup_choices import default_choices_file
from bunnymoose_cv.web.server.host import Host
from bunnymoose_cv.web.server.session_factory import SessionFactory
from bunnymoose_cv.web.server.table_server import PORT, serve

if TYPE_CHECKING:
    from pathlib import Path

    from bunnymoose_cv.cues.bam import BamProfile
    from bunnymoose_cv.i18n.language import Language
    from bunnymoose_cv.record.game_store import Games
    from bunnymoose_cv.referee.script import Script
    from bunnymoose_cv.rules.deck import Deck, Rules
    from bunnymoose_cv.session.source_choice import SourceChoice
    from bunnymoose_cv.web.live.setup_choices import Choices


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """What the command line told; the set-up page asks for the rest.

    Attributes:
        players: round the table; None where nobody told.
        rules: what is played by, where the players are told.
        camera: what sees them; None where nobody told.
        script: instead of a camera; its file and what it holds.
        language: of screen and voice; None where nobody told, likewise below.
        tempo_s: from one line of the poem to the next, in seconds.
        speaks: whether a voice announces.
        microphone: what hears the round; None takes the camera's own sound.
        bam: the sound that means Bam, if one was learnt.
        seed: all chance of the dealer follows from it; None takes one by chance.
        resume: whether the game that was left goes on.
        deck: of people's own box, where they play with one.
        asks_everything: whether every unclear field waits for a person; None where nobody told.
    """

    players: tuple[str, ...] | None
    rules: Rules
    camera: str | None
    script: tuple[Path, Script] | None
    language: Language | None
    tempo_s: float | None
    speaks: bool | None
    microphone: str | None
    bam: BamProfile | None
    seed: int | None
    resume: bool
    deck: Deck | None = None
    asks_everything: bool | None = None


def play_on_screen(games: Games, told: PlayOptions, *, lan: bool, port: int | None, home: str | None = None) -> None:
    """Serve the screen until it is closed; a game of which all is told begins at once.

    Args:
        games: where games are kept.
        told: on the command line.
        lan: whether phones may join.
        port: where it listens; None where nobody told.
        home: the page that is opened first; usually the table, before a game the set-up.

    Raises:
        InputError: it cannot be served, or the game cannot be begun so.
    """
    sources = _sources(told)
    file, port = default_choices_file(), PORT if port is None else port
    with SessionFactory(games, sources, file, _tell, bam=told.bam, seed=told.seed, deck=told.deck) as openings:
        choices = _choices(told, file.read(openings.cameras))
        access = Access.of_the_evening(default_access_file(port), resume=told.resume)
        host = Host(
            games,
            access,
            choices,
            openings.session,
            openings.cameras,
            preview=openings.preview,
            practice=openings.practice,
            left=openings.left,
            go_on=openings.go_on,
            deck=told.deck,
        )
        host.home = home
        if told.resume:
            _go_on(host, openings, told)
        elif told.players is not None and told.camera is not None:
            host.begin(choices)
        try:
            serve(host, lan=lan, port=port)
        finally:
            host.stop_practising()
            host.look_away()
            host.end()


def _sources(told: PlayOptions) -> tuple[SourceChoice, ...]:
    """What is offered: what was told first, then the cameras of this computer."""
    limits, cameras = load_profile().camera, list_cameras()
    offered = [camera_source(each.name, each.name, limits, told.microphone) for each in cameras]
    if told.script is not None:
        path, evening = told.script
        return (script_source(path.name, str(path.resolve()), evening), *offered)
    if told.camera is None:
        return tuple(offered)
    found = find_camera(told.camera, cameras)
    others = [each for each in offered if found is None or each.where != found.name]
    title = told.camera if found is None else found.name
    return (camera_source(title, told.camera, limits, told.microphone), *others)


def _choices(told: PlayOptions, last: Choices) -> Choices:
    """The last evening's choices, with what was told now."""
    choices = replace(
        last,
        language=told.language or last.language,
        tempo_s=told.tempo_s or last.tempo_s,
        speaks=last.speaks if told.speaks is None else told.speaks,
        asks_everything=last.asks_everything if told.asks_everything is None else told.asks_everything,
    )
    if told.script is not None:
        _, evening = told.script
        choices = replace(choices, players=evening.players, rules=evening.rules, colours=())
    elif told.players is not None:
        choices = replace(choices, players=told.players, rules=told.rules, colours=())
    elif told.deck is not None and told.deck.edition != choices.rules.edition.name:
        choices = replace(choices, rules=told.rules)
    return choices if told.camera is None and told.script is None else replace(choices, camera=0)


def _go_on(host: Host, openings: SessionFactory, told: PlayOptions) -> None:
    """Go on with the newest game that was left, of what was told to look at where something was.

    Raises:
        InputError: there is none.
    """
    named = told.camera is not None or told.script is not None
    left = openings.left(host.choices, cameras=(0,) if named else None)
    if left is None:
        raise InputError("No game waits to be gone on with: play without --resume to begin one.")
    host.go_on(left)


def _tell(sentence: str) -> None:
    """Tell a person something that stops nothing."""
    typer.echo(sentence, err=True)
