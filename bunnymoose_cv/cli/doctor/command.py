"""`bunnymoose doctor`: a line for each thing that a game needs."""

from __future__ import annotations

import json
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
    """Check this computer for a game: good, weak or bad, with a remedy; exit with 1 where no game can be played.

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
    """All findings, each as soon as it is known; what a damaged library could hinder comes after the libraries."""
    from bunnymoose_cv.cli.doctor import software_checks, software_facts

    platform = software_facts.this_platform()
    missing = software_facts.missing_libraries()
    yield software_checks.check_python(sys.version_info[:2])
    yield software_checks.check_platform(platform)
    yield software_checks.check_libraries(missing)
    yield software_checks.check_cv2(software_facts.cv2_owners())
    yield software_checks.check_model_files(software_facts.model_states())
    if missing:
        return
    from bunnymoose_cv.core.user_settings import load_settings

    try:
        settings = load_settings()
    except InputError as error:
        yield Finding(CheckLine.PROFILE, Level.BAD, str(error), "Mend the file, or move it away.")
        return
    yield from device_findings(camera, platform.system, settings)
    yield from _place_findings(settings)


def device_findings(camera: str | None, system: str, settings: Settings) -> Iterator[Finding]:
    """Findings about the camera and the sound, each as soon as it is known."""
    from bunnymoose_cv.cli.doctor import device_checks
    from bunnymoose_cv.cli.doctor.camera_facts import camera_facts
    from bunnymoose_cv.cli.doctor.computer import SourceKind
    from bunnymoose_cv.cli.doctor.sound_facts import sound_facts
    from bunnymoose_cv.i18n.language import Language

    seen = camera_facts(camera, settings.camera)
    if seen.kind is SourceKind.CAMERA:
        yield device_checks.check_camera(seen)
        if seen.asked or not seen.permitted:
            yield device_checks.check_camera_permission(seen, system)
            yield device_checks.check_camera_free(seen)
    if seen.asked:
        yield device_checks.check_camera_image(seen)
    sound = sound_facts()
    yield device_checks.check_sound_out(sound, system)
    yield device_checks.check_sound_in(sound)
    for language in Language:
        yield device_checks.check_installed_voice(sound, language)


def _place_findings(settings: Settings) -> Iterator[Finding]:
    from bunnymoose_cv.cli.doctor import place_checks, place_facts

    storage = place_facts.storage_facts()
    yield place_checks.check_disk(storage)
    yield place_checks.check_folders(storage)
    yield place_checks.check_network(place_facts.network_facts())
    yield place_checks.check_reading_speed(place_facts.speed_facts(settings))


def _as_lines(finding: Finding) -> str:
    """The finding, and under it the remedy."""
    line = f"{finding.level.value:4}  {finding.line.value:17}  {finding.sentence}"
    return f"{line}\n{'':25}→ {finding.remedy}" if finding.remedy else line


def _as_json(finding: Finding) -> str:
    return json.dumps(
        {
            "name": finding.line.value,
            "state": finding.level.value,
            "sentence": finding.sentence,
            "remedy": finding.remedy,
        },
        ensure_ascii=False,
    )
