"""`bunnymoose mirror`: practice on the screen or in the terminal."""

from __future__ import annotations

import json
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Annotated, Any, Protocol

import typer

from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.practice.lesson import LessonState
    from bunnymoose_cv.session.practice.practice_session import PracticeSession, PracticeSessionState
    from bunnymoose_cv.session.source_choice import SourceChoice


def mirror(
    *,
    camera: Annotated[
        str | None,
        typer.Option("--camera", metavar="N|NAME|FILE|URL", help="What sees you; “bunnymoose cameras” lists."),
    ] = None,
    language: Annotated[
        Language | None, typer.Option("--language", help="Of what is asked; English, or what was chosen last.")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Ask as in another practice with this number.")] = None,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", min=0, max=65535, help="Where the screen is found.")
    ] = None,
    no_screen: Annotated[bool, typer.Option("--no-screen", help="Practise in the terminal.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="In the terminal: print JSON objects, one a line, and nothing else.")
    ] = False,
) -> None:
    """Practise antlers, ears and tongue: what is asked, what the referee sees of it, and what to change.

    The screen also keeps takes for calibration, if you ask for it there. In the terminal Ctrl+C ends it and tells how
    often each part agreed.

    For example:

        bunnymoose mirror

        bunnymoose mirror --camera 1 --language de

        bunnymoose mirror --camera 0 --no-screen --json
    """
    if not (no_screen or as_json):
        _on_screen(camera, language, seed, port)
        return
    from bunnymoose_cv.i18n.texts import Texts

    words = _Json() if as_json else _Lines()
    _in_terminal(_source(camera), seed, Texts(language or Language.ENGLISH), words)


def _on_screen(camera: str | None, language: Language | None, seed: int | None, port: int | None) -> None:
    from bunnymoose_cv.cli.play.play_options import PlayOptions
    from bunnymoose_cv.cli.play.play_screen import play_on_screen
    from bunnymoose_cv.record.game_store import GameStore, default_games_folder

    told = PlayOptions(camera=camera, language=language, seed=seed)
    play_on_screen(GameStore(default_games_folder()), told, port=port, home="/practice")


def _source(camera: str | None) -> SourceChoice:
    """Choose the source: the given camera, else the first one.

    Raises:
        InputError: there is none.
    """
    from bunnymoose_cv.capture.camera_list import list_cameras
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.session.source_choice import camera_source

    where = camera or next((each.name for each in list_cameras()), None)
    if where is None:
        raise InputError(Phrase("This computer sees no camera: plug one in, or name a stream or a clip by --camera."))
    return camera_source(where, where, load_settings().camera)


def _in_terminal(source: SourceChoice, seed: int | None, texts: Texts, words: _Words) -> None:
    """Tell each change until the source ends or people leave, last how often each part agreed."""
    from random import Random

    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.session.practice.practice_session import PracticeSession
    from bunnymoose_cv.session.practice.takes import Takes, default_takes_folder
    from bunnymoose_cv.vision.reader import Reader

    with (
        Reader(load_settings()) as reader,
        PracticeSession(source.make(), reader, Random(seed), Takes(default_takes_folder())) as session,
    ):
        with suppress(KeyboardInterrupt):  # people leave so
            _tell_changes(session, texts, words)
        echo(words.summary(session.state.practice.lesson, texts))


def _tell_changes(session: PracticeSession, texts: Texts, words: _Words) -> None:
    """Tell whenever something else is asked, seen or to be changed."""
    from bunnymoose_cv.capture.camera_state import CameraState

    states: SimpleQueue[PracticeSessionState] = SimpleQueue()
    stop = session.listen(states.put)
    told, problem = "", ""
    try:
        while True:
            state = states.get()
            if state.problem != problem and state.camera is not CameraState.ENDED:
                problem = state.problem
                echo(texts(problem), err=True)
            line = words.progress(state.practice.lesson, texts)
            if line != told:
                told = line
                echo(line)
            if state.camera is CameraState.ENDED:
                return
    finally:
        stop()


class _Words(Protocol):
    """Output format of a practice."""

    def progress(self, lesson: LessonState, texts: Texts) -> str:
        """Format the asked pose, the reading and the differences."""

    def summary(self, lesson: LessonState, texts: Texts) -> str:
        """Format the share of agreement of each part."""


class _Lines:
    """For people."""

    def progress(self, lesson: LessonState, texts: Texts) -> str:
        from bunnymoose_cv.session.practice.coach import hint_words
        from bunnymoose_cv.web.art.art_names import pose_name

        seen = texts("nobody") if lesson.seen is None else pose_name(lesson.seen.pose, texts)
        words = texts("Yes! Hold it.") if lesson.hint is None else hint_words(lesson.hint, texts)
        return f"{lesson.number}  {pose_name(lesson.asked, texts)}  →  {seen}  ·  {words}"

    def summary(self, lesson: LessonState, texts: Texts) -> str:
        from bunnymoose_cv.session.practice.coach import field_name

        agreed = texts.counted("{count} pose agreed", "{count} poses agreed", lesson.done)
        parts = (f"{field_name(each.field, texts)} {each.agreed}/{each.asked}" for each in lesson.tallies if each.asked)
        return "  ·  ".join((agreed, *parts))


class _Json:
    """For other programs."""

    def progress(self, lesson: LessonState, texts: Texts) -> str:
        from bunnymoose_cv.session.practice.coach import hint_words

        seen = lesson.seen
        shape: dict[str, Any] = {
            "number": lesson.number,
            "asked": str(lesson.asked),
            "seen": None if seen is None else str(seen.pose),
            "unclear": [] if seen is None else list(seen.unclear),
            "hint": None if lesson.hint is None else hint_words(lesson.hint, texts),
            "done": lesson.done,
        }
        return json.dumps(shape, ensure_ascii=False)

    def summary(self, lesson: LessonState, texts: Texts) -> str:
        del texts
        tallies = {each.field.value: {"agreed": each.agreed, "asked": each.asked} for each in lesson.tallies}
        return json.dumps({"done": lesson.done, "tallies": tallies})
