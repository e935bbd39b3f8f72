"""A soak test, which judges, films and watches for minutes in one process and fails if memory or handles grow.

python -m tests.fuzz.soak 20
"""

import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from statistics import mean
from typing import Final, Self

from bunnymoose_cv.capture.clips import Clip
from bunnymoose_cv.capture.image_geometry import AS_IT_IS
from bunnymoose_cv.capture.watcher import Watcher
from bunnymoose_cv.core.user_settings import Settings, load_settings
from bunnymoose_cv.record.video_file import write_film
from bunnymoose_cv.referee.freeze_frames import freeze_frames
from bunnymoose_cv.referee.judge import Judge, JudgingContext
from bunnymoose_cv.rules.cards import parse_table
from bunnymoose_cv.rules.deck import rules_for
from bunnymoose_cv.vision.reader import Reader

CLIPS: Final = sorted((Path(__file__).parents[2] / "fixtures" / "evening").glob("round_*.mp4"))
MOST_MEGABYTES: Final = 60
MOST_THREADS: Final = 2
MOST_DESCRIPTORS: Final = 4
FEWEST_SAMPLES: Final = 8


@dataclass(frozen=True, slots=True)
class Sample:
    """The process at one moment."""

    megabytes: float
    threads: int
    descriptors: int

    @classmethod
    def now(cls) -> Self:
        """Measure the process; Linux only, because it reads /proc."""
        status = Path("/proc/self/status").read_text("ascii")
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return cls(
            int(resident.split()[1]) / 1024, threading.active_count(), len(list(Path("/proc/self/fd").iterdir()))
        )


def growth(samples: list[Sample]) -> list[str]:
    """Compare the last quarter with the second, as the first is warm-up, and return a line for each growth."""
    quarter = len(samples) // 4
    early, late = samples[quarter : 2 * quarter], samples[-quarter:]
    settings = {"megabytes": MOST_MEGABYTES, "threads": MOST_THREADS, "descriptors": MOST_DESCRIPTORS}
    return [
        f"{name} grew from {before:.0f} to {after:.0f}"
        for name, most in settings.items()
        if (after := mean(getattr(sample, name) for sample in late))
        - (before := mean(getattr(sample, name) for sample in early))
        > most
    ]


def one_round(clip: Path, judge: Judge, settings: Settings, folder: Path) -> None:
    """Judge a clip, film it, and watch it as if it were a camera."""
    opened = Clip(clip, clip.name)
    middle_s = opened.duration_s / 2
    judge.judge(freeze_frames(opened, middle_s, settings.freeze), middle_s)
    write_film(folder / "film.mp4", opened)
    with Watcher(str(clip), AS_IT_IS, settings.camera) as watcher:
        watcher.wait_for(time.monotonic() + 0.5, 2.0)


def main(minutes: float) -> int:
    """Soak, print every sample, and return the exit code."""
    samples: list[Sample] = []
    settings = load_settings()
    ends_s = time.monotonic() + 60 * minutes
    with Reader(settings) as reader, tempfile.TemporaryDirectory() as folder:
        judge = Judge(reader, JudgingContext(rules_for(), parse_table("L.WU+1"), None))
        for clip in cycle(CLIPS):
            one_round(clip, judge, settings, Path(folder))
            samples.append(sample := Sample.now())
            print(  # noqa: T201
                f"{len(samples)} rounds: {sample.megabytes:.0f} MB, {sample.threads} threads, "
                f"{sample.descriptors} descriptors",
                flush=True,
            )
            if time.monotonic() > ends_s and len(samples) >= FEWEST_SAMPLES:
                break
    faults = growth(samples)
    print("\n".join(faults) or "flat")  # noqa: T201
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1])))
