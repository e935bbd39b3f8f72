"""`bunnymoose calibrate`: the check of the table in the terminal."""

from __future__ import annotations

import json
import sys
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Annotated, Final

import typer

from bunnymoose_cv.calibration.checks.check_finding import LEVEL_NAMES, LINE_NAMES, Level
from bunnymoose_cv.cli.shared_options import CameraOption, MicrophoneOption, camera_or_first
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError
from bunnymoose_cv.i18n.language import Language

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.check_finding import Finding
    from bunnymoose_cv.cli.terminal.keyboard import Keyboard
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.sources.table_checker import CheckState, CheckStep, TableChecker

_POLL_S: Final = 0.1


def calibrate(
    *,
    camera: CameraOption = None,
    microphone: MicrophoneOption = None,
    language: Annotated[
        Language | None, typer.Option("--language", help="Language of the output; usually English.")
    ] = None,
    ask: Annotated[
        bool | None, typer.Option("--ask/--no-ask", help="Ask a player to raise a hand; usually if run by a person.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per finding.")] = False,
) -> None:
    """Check the table in a minute: light, distance, room for hands, focus, left and right, microphone, speed.

    Each line is good, weak or bad, with a remedy; the exit code is 1 if one is bad. Enter skips a question, Ctrl+C ends
    the check. The image size that this computer can keep up with is stored and used from then on.

    For example:

        bunnymoose calibrate

        bunnymoose calibrate --camera http://192.168.1.20:8080/video --language de

        bunnymoose calibrate --camera evening.mp4 --json
    """
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.source_choice import camera_source
    from bunnymoose_cv.session.sources.table_checker import TableChecker
    from bunnymoose_cv.vision.reader import Reader

    settings, where = load_settings(), camera_or_first(camera)
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
    """Print each finding as soon as it is known, until the check is over."""
    from bunnymoose_cv.cli.terminal.keyboard import Keyboard
    from bunnymoose_cv.session.sources.table_checker import CheckStep, request_of

    states: SimpleQueue[CheckState] = SimpleQueue()
    checker.listen(states.put)
    printed: list[Finding] = []
    state = checker.state
    step: CheckStep | None = None
    with Keyboard() as keyboard:
        while True:
            if state.step is not step:
                step = state.step
                request = request_of(step, on_screen=False)
                if request is not None:
                    echo(f"{texts(request)} {texts('Any key skips it.')}", err=True)
            for finding in state.findings:
                if finding not in printed:
                    printed.append(finding)
                    echo(_as_json(finding, texts) if as_json else _as_lines(finding, texts))
            if state.step is CheckStep.OVER:
                return state
            state = _next(states, state, keyboard, checker)


def _next(states: SimpleQueue[CheckState], state: CheckState, keyboard: Keyboard, checker: TableChecker) -> CheckState:
    """Wait for the next state; any key skips the current question."""
    while True:
        if keyboard.next() is not None:
            checker.skip()
        with suppress(Empty):
            newer = states.get(timeout=_POLL_S)
            if newer.version > state.version:
                return newer


def _as_lines(finding: Finding, texts: Texts) -> str:
    level, line = texts(LEVEL_NAMES[finding.level]), texts(LINE_NAMES[finding.line])
    described = f"{level:8}  {line:20}  {texts(finding.sentence)}"
    return described if finding.remedy is None else f"{described}\n{'':32}→ {texts(finding.remedy)}"


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
