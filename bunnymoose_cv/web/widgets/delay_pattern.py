"""Pattern on screens and phones by which the check of the table measures a camera's delay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from bunnymoose_cv.calibration.checks.delay_meter import BIT_S, BITS
from bunnymoose_cv.session.table_checker import CheckStep
from bunnymoose_cv.web.templates.rendering import drawing, render

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.web.live.host import Host

DELAY: Final = "delay"
"""Script and style sheet of the pattern, without ending."""


def pattern_html(host: Host) -> Markup:
    """Return the pattern while the check of the table asks for it; delay.js lets it change."""
    checker = host.camera.check.opened
    if checker is None or checker.state.step is not CheckStep.DELAY:
        return drawing("")
    return render("check/pattern", host.texts, bits=BITS, bit_s=BIT_S)
