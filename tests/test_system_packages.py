"""System packages for Debian and its derivatives: only missing packages that apt offers are requested."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[1] / ".ci" / "system-packages"
BASH = shutil.which("bash")
LIBRARIES = "libGL.so.1 libglib-2.0.so.0 libespeak-ng.so.1 libportaudio.so.2"
MANY_MORE = "for ((i = 0; i < 20000; i++)); do echo another.so || exit 1; done"
"""More output than a pipe holds, so that a reader that stops early ends the writing command."""

pytestmark = pytest.mark.skipif(
    BASH is None or sys.platform == "win32", reason="the script is for systems with a bash of their own"
)


@pytest.fixture
def asked_of_apt(tmp_path: Path) -> Callable[..., str]:
    """Run the script on a fake Linux with the given commands and return the arguments of apt."""
    asked = tmp_path / "asked"

    def run(purpose: str, **commands: str) -> str:
        usual = {
            "uname": "echo Linux",
            "id": "echo 0",
            "aplay": "",
            "grep": "exit 1",
            "ldconfig": f"printf '%s\\n' {LIBRARIES}; {MANY_MORE}",
            "apt-get": f"echo $* >> '{asked}'",
        }
        for name, body in (usual | commands).items():
            stand_in = tmp_path / name
            stand_in.write_text(f"#!{BASH}\n{body}\n")
            stand_in.chmod(0o755)
        done = subprocess.run(
            [str(BASH), str(SCRIPT), sys.executable, purpose],
            env={"PATH": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return asked.read_text() if asked.exists() else ""

    return run


def test_nothing_is_requested_when_all_packages_are_installed(asked_of_apt: Callable[..., str]) -> None:
    assert asked_of_apt("program") == ""


def test_only_missing_packages_are_requested(asked_of_apt: Callable[..., str]) -> None:
    asked = asked_of_apt("program", ldconfig="echo libGL.so.1 libespeak-ng.so.1 libportaudio.so.2")
    assert asked.endswith("libglib2.0-0\n")
    assert "libgl1" not in asked


@pytest.mark.parametrize(("is_ubuntu", "browsers"), [("exit 1", 1), ("exit 0", 0)])
def test_browser_is_requested_only_if_apt_offers_one(
    asked_of_apt: Callable[..., str], is_ubuntu: str, browsers: int
) -> None:
    assert asked_of_apt("tests", grep=is_ubuntu).split().count("chromium") == browsers
