"""The check of the table: every check of a look, in the order in which faults are to be mended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.calibration.checks.check_finding import Level
from bunnymoose_cv.calibration.checks.light_checks import check_backlight, check_flicker, check_noise
from bunnymoose_cv.calibration.checks.people_checks import check_distance, check_room, check_rotation
from bunnymoose_cv.calibration.checks.picture_checks import check_focus, check_image, check_motion, check_rate

if TYPE_CHECKING:
    from bunnymoose_cv.calibration.checks.check_finding import Finding
    from bunnymoose_cv.calibration.checks.table_look import TableLook


def check_look(look: TableLook) -> tuple[Finding, ...]:
    """Check a look at the table.

    What cannot be judged beside a fault is left out: light in a black image, distances in a turned one.
    """
    image = check_image(look)
    if image.level is Level.BAD:
        return (image,)
    rotation = check_rotation(look)
    seen = (image, rotation, check_rate(look), check_noise(look), check_backlight(look), check_flicker(look))
    if rotation is not None and rotation.level is Level.BAD:
        return _known(*seen)
    return _known(*seen, check_focus(look), check_motion(look), check_distance(look), check_room(look))


def _known(*findings: Finding | None) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding is not None)
