"""Gets a wheel through pip, with a progress bar.

Owns neither what is in the wheel nor where the index of packages lies: pip knows that, with its user's settings.
"""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn

from bunnymoose_cv.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

_REFRESH_S = 0.2


class WheelError(InputError):
    """A wheel could not be had."""


@dataclass(frozen=True, slots=True)
class Wheel:
    """One wheel of the package index.

    Attributes:
        package: the package's name.
        version: its exact release.
        python: the Python it is made for, such as `3.11`; ours may be another, since nothing in it is run.
        platform: likewise the platform.
        size_bytes: how large it is, for the progress bar.
        licence: the licence of what is in it (SPDX).
    """

    package: str
    version: str
    python: str
    platform: str
    size_bytes: int
    licence: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}"


def download_wheel(wheel: Wheel, folder: Path) -> Path:
    """Let pip put the wheel into a folder that is otherwise empty; a progress bar goes to stderr.

    Raises:
        WheelError: this Python has no pip, or pip could not get the wheel.
    """
    if importlib.util.find_spec("pip") is None:
        raise WheelError(
            f"{wheel} cannot be fetched because this Python has no pip (“python -m ensurepip” installs it)"
        )
    report = folder / "pip.txt"
    with (
        report.open("wb") as words,
        subprocess.Popen(  # noqa: S603 - our own words and the manifest's
            _pip_command(wheel, folder), stdout=words, stderr=subprocess.STDOUT, env=os.environ | _scratch_in(folder)
        ) as pip,
    ):
        _show_progress(pip, wheel, folder)
    found = sorted(folder.glob("*.whl"))
    if pip.returncode != 0 or not found:
        raise WheelError(f"{wheel} could not be fetched (is there a network?), pip says “{_last_words(report)}”")
    return found[0]


def _pip_command(wheel: Wheel, folder: Path) -> list[str]:
    quiet = ["--disable-pip-version-check", "--no-input", "--progress-bar", "off", "--retries", "2"]
    which = ["--no-deps", "--only-binary", ":all:", "--python-version", wheel.python, "--platform", wheel.platform]
    return [
        *(sys.executable, "-m", "pip", "download", *quiet, *which),
        *("--dest", str(folder), f"{wheel.package}=={wheel.version}"),
    ]


def _scratch_in(folder: Path) -> dict[str, str]:
    """The settings that make pip keep its growing file where we can see it."""
    return dict.fromkeys(("TMPDIR", "TEMP", "TMP"), str(folder))


def _show_progress(pip: subprocess.Popen[bytes], wheel: Wheel, folder: Path) -> None:
    """Show how much has come until pip ends: pip's own bar differs from release to release and has no use in a pipe."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task(f"Fetching {wheel}, once", total=wheel.size_bytes)
        while pip.poll() is None:
            with suppress(subprocess.TimeoutExpired):
                pip.wait(_REFRESH_S)
            progress.update(task, completed=min(_largest_file(folder), wheel.size_bytes))


def _largest_file(folder: Path) -> int:
    """The size in bytes of the largest file so far; pip moves files about meanwhile, so one may just have gone."""
    with suppress(OSError):
        return max((path.stat().st_size for path in folder.rglob("*") if path.is_file()), default=0)
    return 0


def _last_words(report: Path) -> str:
    lines = [line.strip() for line in report.read_text(errors="replace").splitlines() if line.strip()]
    errors = [line.removeprefix("ERROR: ") for line in lines if line.startswith("ERROR: ")]
    return (errors or lines or ["nothing"])[-1]
