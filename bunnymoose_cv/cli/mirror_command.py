"""`bunnymoose mirror`: practice on the screen or in the terminal."""

from __future__ import annotations

import json
from contextlib import suppress
from queue import SimpleQueue
from typing import TYPE_CHECKING, Annotated, Any

import typer

from bunnymoose_cv.cli.games.kept_game_arguments import kept_games
from bunnymoose_cv.cli.shared_options import CameraOption, camera_or_first
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.i18n.language import Language

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.practice.lesson import LessonState
    from bunnymoose_cv.session.practice.practice import PracticeSession, PracticeState


def mirror(
    *,
    camera: CameraOption = None,
    language: Annotated[
        Language | None,
        typer.Option("--language", help="Language of the questions; usually the last one chosen, or English."),
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="Ask as in another practice with the same seed.")] = None,
    port: Annotated[
        int | None, typer.Option("--port", metavar="N", min=0, max=65535, help="The port of the screen.")
    ] = None,
    no_screen: Annotated[bool, typer.Option("--no-screen", help="Practise in the terminal.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="In the terminal: print JSON, one object per line, and nothing else.")
    ] = False,
) -> None:
    """Practise antlers, ears and tongue: see how the referee reads each task, and what to change.

    The screen also keeps takes for calibration, if you choose so there. In the terminal Ctrl+C ends the practice and
    prints how often each part was read as asked.

    For example:

        bunnymoose mirror

        bunnymoose mirror --camera 1 --language de

        bunnymoose mirror --camera 0 --no-screen --json
    """
    if not (no_screen or as_json):
        from bunnymoose_cv.cli.play.play_options import PlayOptions
        from bunnymoose_cv.cli.play.play_screen import play_on_screen

        options = PlayOptions(camera=camera, given={"language": language, "seed": seed})
        play_on_screen(kept_games(None), options, port=port, home="/practice")
        return
    from random import Random

    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.practice.practice import PracticeSession
    from bunnymoose_cv.session.practice.takes import Takes, default_takes_folder
    from bunnymoose_cv.session.source_choice import camera_source
    from bunnymoose_cv.vision.reader import Reader

    settings, where = load_settings(), camera_or_first(camera)
    source, takes = camera_source(where, where, settings.camera).make(), Takes(default_takes_folder())
    texts = Texts(language or Language.ENGLISH)
    with Reader(settings) as reader, PracticeSession(source, reader, Random(seed), takes) as session:
        with suppress(KeyboardInterrupt):  # the user leaves
            _print_changes(session, texts, as_json=as_json)
        lesson = session.state.lesson
        echo(_summary_json(lesson) if as_json else _summary(lesson, texts))


def _print_changes(session: PracticeSession, texts: Texts, *, as_json: bool) -> None:
    """Print a line whenever the asked pose, the reading or the hint changes, until the source ends."""
    from bunnymoose_cv.capture.live_source import CameraState

    states: SimpleQueue[PracticeState] = SimpleQueue()
    stop = session.listen(states.put)
    states.put(session.state)  # the source may be over before the listener is registered
    printed, problem = "", ""
    try:
        while True:
            state = states.get()
            if state.problem != problem and state.camera is not CameraState.ENDED:
                problem = state.problem
                echo(texts(problem), err=True)
            line = (_progress_json if as_json else _progress)(state.lesson, texts)
            if line != printed:
                printed = line
                echo(line)
            if state.camera is CameraState.ENDED:
                return
    finally:
        stop()


def _progress(lesson: LessonState, texts: Texts) -> str:
    """Format the asked pose, the reading and the differences."""
    from bunnymoose_cv.art.art_names import pose_name
    from bunnymoose_cv.session.practice.coach import hint_words

    seen = texts("nobody") if lesson.seen is None else pose_name(lesson.seen.pose, texts)
    words = texts("Yes! Hold it.") if lesson.hint is None else hint_words(lesson.hint, texts)
    return f"{lesson.number}  {pose_name(lesson.asked, texts)}  →  {seen}  ·  {words}"


def _progress_json(lesson: LessonState, texts: Texts) -> str:
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


def _summary(lesson: LessonState, texts: Texts) -> str:
    """Format the share of agreement of each part."""
    from bunnymoose_cv.session.practice.coach import FIELD_NAMES

    agreed = texts.counted("{count} pose agreed", "{count} poses agreed", lesson.done)
    asked = [tally for tally in lesson.tallies if tally.asked]
    return "  ·  ".join(
        (agreed, *(f"{texts(FIELD_NAMES[tally.field])} {tally.agreed}/{tally.asked}" for tally in asked))
    )


def _summary_json(lesson: LessonState) -> str:
    tallies = {tally.field.value: {"agreed": tally.agreed, "asked": tally.asked} for tally in lesson.tallies}
    return json.dumps({"done": lesson.done, "tallies": tallies})
