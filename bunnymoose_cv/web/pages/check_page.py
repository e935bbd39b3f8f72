"""The check page: the camera's own image, and beside it a line for each check with what helps."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.checks.check_finding import Level
from bunnymoose_cv.calibration.checks.check_words import SIGNS, level_name, line_name
from bunnymoose_cv.session.table_checker import CheckStep, request_of
from bunnymoose_cv.web.pages.html_page import HtmlPage
from bunnymoose_cv.web.templates.rendering import drawing, render
from bunnymoose_cv.web.widgets.delay_pattern import DELAY, pattern_html
from bunnymoose_cv.web.widgets.key_words import KeyWords

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from markupsafe import Markup

    from bunnymoose_cv.calibration.checks.check_finding import Finding
    from bunnymoose_cv.i18n.texts import Texts
    from bunnymoose_cv.session.table_checker import CheckState
    from bunnymoose_cv.web.auth.access import Visitor
    from bunnymoose_cv.web.live.host import Host


def page(host: Host, _visitor: Visitor) -> HtmlPage:
    """Build the page."""
    texts, checker, problem = host.texts, host.camera.check.opened, host.camera.check.problem
    if checker is None:
        words = texts("One moment: the camera is being opened.") if problem is None else texts(problem)
        lines = drawing("")
    else:
        words = _describe_step(checker.state, texts)
        lines = render(
            "check/lines", texts, lines=[_describe_finding(finding, texts) for finding in checker.state.findings]
        )
    parts = {
        "request": render("check/request", texts, words=words),
        "pattern": pattern_html(host),
        "buttons": _buttons(None if checker is None else checker.state, texts, plays=host.session is not None),
        "lines": lines,
    }
    keys = (
        KeyWords(("n",), texts("Skip this question")),
        KeyWords(("a",), texts("Check again")),
        KeyWords(("f",), texts("Full screen")),
        KeyWords(("?",), texts("These keys")),
    )
    title, sheets = texts("Is the table ready?"), ("table", "check", DELAY)
    return HtmlPage("check/page", title, parts, sheets=sheets, scripts=(DELAY,), keys=keys)


@contextmanager
def watch(host: Host, _visitor: Visitor) -> Iterator[None]:
    """Keep the check open."""
    with host.camera.check.keep_open():
        yield None


def _buttons(state: CheckState | None, texts: Texts, *, plays: bool) -> Markup:
    """Buttons of the current step."""
    asks = state is not None and request_of(state.step) is not None
    ready = state is not None and state.step is CheckStep.OVER and Level.BAD not in _levels(state)
    return render("check/buttons", texts, asks=asks, ready=ready, plays=plays)


def _levels(state: CheckState) -> set[Level]:
    return {finding.level for finding in state.findings}


def _describe_step(state: CheckState, texts: Texts) -> str:
    """Describe the current step, and in the end the sum."""
    request = request_of(state.step)
    if request is not None:
        return texts(request)
    if state.step is CheckStep.LOOK:
        return texts("The camera is looked through: sit as you will play, hands down.")
    if state.step is CheckStep.SPEED:
        return texts("The computer reads five players, to see how long that takes.")
    levels = _levels(state)
    if Level.BAD in levels:
        return texts("Something is bad: see what helps, then check again. You may play all the same.")
    if Level.WEAK in levels:
        return texts("You can play; some things could be better.")
    return texts("The table is ready.")


def _describe_finding(finding: Finding, texts: Texts) -> Mapping[str, str]:
    return {
        "kind": finding.level.value,
        "sign": SIGNS[finding.level],
        "level": level_name(finding.level, texts),
        "line": line_name(finding.line, texts),
        "sentence": texts(finding.sentence),
        "remedy": "" if finding.remedy is None else texts(finding.remedy),
    }
