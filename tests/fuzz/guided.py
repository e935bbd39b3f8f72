"""Coverage-guided fuzzing of the parsers of files and notation, with atheris if it is installed (`make fuzz`).

`python -m tests.fuzz.guided 10000` fuzzes every door, `python -m tests.fuzz.guided 10000 notation` one. Inputs that
break a door are kept under tests/fuzz/crashes, and every run of the suite tries them again.
"""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from tests.fuzz.room import CRASHES, LONGEST_S

NAMES: Final = ("notation", "decks", "scripts", "profiles", "sounds", "manifests", "images", "clips")
_MEGABYTES: Final = 1024


def door(name: str, folder: Path) -> tuple[Sequence[bytes], Callable[[bytes], object]]:
    """Return the seeds of a door and its entry function."""
    from bunnymoose_cv.capture.images import decode_image  # noqa: PLC0415 - imported where it is instrumented
    from tests.fuzz import test_doors as doors  # noqa: PLC0415 - likewise

    if name == "notation":
        return doors.NOTATION, doors.read_notation
    if name == "images":
        return doors.images(), lambda content: decode_image(content, "image")
    if name == "clips":
        return doors.clips(folder), doors.look_through
    seed, read = next((seed, read) for text_name, seed, read in doors.TEXTS if text_name == name)
    return [seed], doors.from_file(folder, read)


def fuzz(name: str, runs: int) -> None:
    """Fuzz one door; libFuzzer ends the process."""
    import atheris  # noqa: PLC0415 - not everywhere installed

    with atheris.instrument_imports(include=["bunnymoose_cv"]):
        from bunnymoose_cv.core.errors import InputError  # noqa: PLC0415 - instrumented

        folder = Path(tempfile.mkdtemp())
        seeds, enter = door(name, folder)

    def once(content: bytes) -> None:
        try:
            enter(content)
        except InputError:
            return

    corpus, crashes = folder / "corpus", CRASHES / name
    corpus.mkdir()
    crashes.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds):
        (corpus / str(number)).write_bytes(seed)
    limits = (f"-runs={runs}", "-seed=1", f"-timeout={LONGEST_S:.0f}", f"-rss_limit_mb={_MEGABYTES}", "-verbosity=0")
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={crashes}/", str(corpus)], once)
    atheris.Fuzz()


def main(runs: int, names: Sequence[str]) -> int:
    """Fuzz every door in a process of its own and return 1 if one broke."""
    if find_spec("atheris") is None:
        print("atheris is not installed here: the doors were tried with our own mutators alone")  # noqa: T201
        return 0
    broken = 0
    for name in names:
        done = subprocess.run([sys.executable, "-m", "tests.fuzz.guided", str(runs), name, "here"], check=False)
        print(f"{name}: {runs} inputs by coverage, {'broken' if done.returncode else 'none broken'}")  # noqa: T201
        broken += done.returncode != 0
    return 1 if broken else 0


if __name__ == "__main__":
    if sys.argv[3:] == ["here"]:
        fuzz(sys.argv[2], int(sys.argv[1]))
    sys.exit(main(int(sys.argv[1]), sys.argv[2:] or NAMES))
