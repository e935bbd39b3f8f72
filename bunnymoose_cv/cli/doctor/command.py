"""`bunnymoose doctor`: a line for each requirement of a game."""

from __future__ import annotations

import json
import platform
import sys
from typing import TYPE_CHECKING, Annotated

import typer

from bunnymoose_cv.calibration.checks.check_finding import CheckLine, Finding, Level
from bunnymoose_cv.cli.terminal.echo import echo
from bunnymoose_cv.core.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bunnymoose_cv.core.user_settings import Settings


def doctor(
    *,
    camera: Annotated[
        str | None,
        typer.Option(metavar="C", help="A camera's number or name, or a stream's address.", show_default="the first"),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per finding.")] = False,
) -> None:
    """Check whether a game can be played on this computer. Findings have remedies; the exit code is 1 if it cannot.

    For example:

        bunnymoose doctor

        bunnymoose doctor --camera http://192.168.1.20:8080/video --json
    """
    findings = []
    for finding in _findings(camera):
        echo(_as_json(finding) if as_json else _as_lines(finding))
        findings.append(finding)
    echo("The table itself, its light and its seats are checked by “bunnymoose calibrate”.", err=True)
    bad = sum(finding.level is Level.BAD for finding in findings)
    if bad:
        checks = f"{bad} of {len(findings)} checks {'is' if bad == 1 else 'are'} bad"
        echo(f"{checks}: no game can be played with a camera on this computer yet", err=True)
        raise typer.Exit(1)


def _findings(camera: str | None) -> Iterator[Finding]:
    """Yield each finding as soon as it is known; checks that need the libraries follow the check of the libraries."""
    from bunnymoose_cv.cli.doctor import software

    missing = software.missing_libraries()
    yield software.check_python(sys.version_info[:2])
    yield software.check_platform(sys.platform, platform.machine(), software.system_version())
    yield software.check_libraries(missing)
    yield software.check_cv2(software.cv2_owners())
    yield software.check_model_files(software.model_states())
    if missing:
        return
    from bunnymoose_cv.cli.doctor import place
    from bunnymoose_cv.core.user_settings import load_settings
    from bunnymoose_cv.web.server.addresses import addresses_of_this_computer

    try:
        settings = load_settings()
    except InputError as error:
        yield Finding(CheckLine.PROFILE, Level.BAD, str(error), "Mend the file, or move it away.")
        return
    yield from device_findings(camera, sys.platform, settings)
    yield place.check_disk()
    yield place.check_folders()
    yield place.check_network(addresses_of_this_computer(), place.active_firewall())
    yield place.check_reading_speed(settings)


def device_findings(camera: str | None, system: str, settings: Settings) -> Iterator[Finding]:
    """Yield findings about the camera and the sound, each as soon as it is known."""
    from bunnymoose_cv.cli.doctor import devices
    from bunnymoose_cv.i18n.language import Language

    seen = devices.camera_facts(camera, settings.camera)
    if seen.kind is devices.SourceKind.CAMERA:
        yield devices.check_camera(seen)
        if seen.asked or not seen.permitted:
            yield devices.check_camera_permission(seen, system)
            yield devices.check_camera_free(seen)
    if seen.asked:
        yield devices.check_camera_image(seen)
    outputs, inputs = devices.sound_devices()
    voices, silence = devices.installed_voices()
    yield devices.check_sound_out(devices.sound_player(), outputs, system)
    yield devices.check_sound_in(inputs)
    for language in Language:
        yield devices.check_installed_voice(voices, silence, language)


def _as_lines(finding: Finding) -> str:
    line = f"{finding.level.value:4}  {finding.line.value:17}  {finding.sentence}"
    return f"{line}\n{'':25}→ {finding.remedy}" if finding.remedy else line


def _as_json(finding: Finding) -> str:
    named = {"name": finding.line.value, "state": finding.level.value}
    return json.dumps(named | {"sentence": finding.sentence, "remedy": finding.remedy}, ensure_ascii=False)
