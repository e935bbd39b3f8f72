"""`bunnymoose calibrate`: the check of the table in the terminal."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.calibration.checks.check_finding import Level
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.core.phrase import Phrase
from bunnymoose_cv.i18n.language import Language

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.check_finding import Finding
    from bunnymoose_cv.cli.terminal.keyboard import Keyboard
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_checker import CheckState, CheckStep, TableChecker

_POLL_S: Final = 0.1


def calibrate(
    *,
    camera: Annotated[
        str | None,
        typer.Option("--camera", metavar="N|NAME|FILE|URL", help="What sees you; “bunnymoose cameras” lists."),
    ] = None,
    microphone: Annotated[
        str | None, typer.Option("--microphone", metavar="NAME", help="What hears the round; empty for the usual one.")
    ] = None,
    language: Annotated[Language | None, typer.Option("--language", help="Of what is told; English.")] = None,
    ask: Annotated[
        bool | None,
        typer.Option("--ask/--no-ask", help="Ask a player to raise a hand; usually where somebody sits here."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per finding.")] = False,
) -> None:
    """Check the table in a minute: light, distance, room for hands, focus, left and right, microphone, speed.

    Each line is good, weak or bad, with a remedy; exit with 1 where one is bad. Enter skips a question, Ctrl+C ends
    the check. What the computer keeps up with is kept, and cameras are asked for no more from then on.

    For example:

        bunnymoose calibrate

        bunnymoose calibrate --camera http://192.168.1.20:8080/video --language de

        bunnymoose calibrate --camera evening.mp4 --json
    """
    from bunnymoose_cv.capture.camera_list import list_cameras
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.source_choice import camera_source
    from bunnymoose_cv.session.table_checker import TableChecker
    from bunnymoose_cv.vision.reader import Reader

    where = camera or next((each.name for each in list_cameras()), None)
    if where is None:
        raise InputError(Phrase("This computer sees no camera: plug one in, or name a stream or a clip by --camera."))
    settings = load_settings()
    source = camera_source(where, where, settings.camera, microphone).make()
    asks = sys.stdin.isatty() if ask is None else ask
    texts = Texts(language or Language.ENGLISH)
    with Reader(settings) as reader, TableChecker(source, reader, asks=asks, on_screen=False) as checker:
        over = _followed(checker, texts, as_json=as_json)
    if over.refusal:
        raise InputError(over.refusal)
    if any(finding.level is Level.BAD for finding in over.findings):
        raise typer.Exit(1)


def _followed(checker: TableChecker, texts: Texts, *, as_json: bool) -> CheckState:
    """Tell each finding as soon as it is known, until the check is over."""
    from bunnymoose_cv.cli.terminal.keyboard import Keyboard
    from bunnymoose_cv.session.table_checker import CheckStep

    states: SimpleQueue[CheckState] = SimpleQueue()
    checker.listen(states.put)
    told: list[Finding] = []
    state = checker.state
    step: CheckStep | None = None
    with Keyboard() as keyboard:
        while True:
            if state.step is not step:
                step = state.step
                _ask(step, texts)
            for finding in state.findings:
                if finding not in told:
                    told.append(finding)
                    echo(_as_json(finding, texts) if as_json else _as_lines(finding, texts))
            if state.step is CheckStep.OVER:
                return state
            state = _next(states, state, keyboard, checker)


def _next(states: SimpleQueue[CheckState], state: CheckState, keyboard: Keyboard, checker: TableChecker) -> CheckState:
    """The next state; any key skips the question that is being asked."""
    while True:
        if keyboard.next() is not None:
            checker.skip()
        with suppress(Empty):
            newer = states.get(timeout=_POLL_S)
            if newer.version > state.version:
                return newer


def _ask(step: CheckStep, texts: Texts) -> None:
    """Tell people on stderr what is to be done."""
    from bunnymoose_cv.session.table_checker import request_of

    request = request_of(step, on_screen=False)
    if request is not None:
        echo(f"{texts(request)} {texts('Any key skips it.')}", err=True)


def _as_lines(finding: Finding, texts: Texts) -> str:
    """The finding, and under it the remedy."""
    from bunnymoose_cv.calibration.checks.check_words import level_name, line_name

    level, line = level_name(finding.level, texts), line_name(finding.line, texts)
    told = f"{level:8}  {line:20}  {texts(finding.sentence)}"
    return told if finding.remedy is None else f"{told}\n{'':32}→ {texts(finding.remedy)}"


def _as_json(finding: Finding, texts: Texts) -> str:
    return json.dumps(
        {
            "line": finding.line.value,
            "level": finding.level.value,
            "cause": finding.cause.value,
            "sentence": texts(finding.sentence),
            "remedy": None if finding.remedy is None else texts(finding.remedy),
            "value": None if finding.value is None else round(finding.value, 4),
        },
        ensure_ascii=False,
    )
