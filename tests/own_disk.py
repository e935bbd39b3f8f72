"""A small disk for a single process, for tests of a full disk."""

import shutil
import subprocess
from pathlib import Path

import pytest


def own_disks() -> bool:
    """Return whether this system supports a disk for a single process."""
    if shutil.which("unshare") is None:
        return False
    probe = ["unshare", "-Urm", "mount", "-t", "tmpfs", "none", "/mnt"]
    return subprocess.run(probe, capture_output=True, check=False).returncode == 0


needs_own_disk = pytest.mark.skipif(not own_disks(), reason="this system gives no process a disk of its own")


def on_own_disk(folder: Path, size: str, *command: str | Path) -> list[str]:
    """Wrap a command so that a folder is on a disk of a given size, a tmpfs that only its process sees."""
    inside = f'mount -t tmpfs -o size={size} none "$1" && cd "$1" && shift && exec "$@"'
    return ["unshare", "-Urm", "sh", "-c", inside, "sh", *map(str, (folder, *command))]
