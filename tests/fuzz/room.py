"""Runs of a door with mutated inputs, deterministic by seed. An input that breaks it is kept as a regression case.

    FUZZ_INPUTS=10000 FUZZ_SEED=7 python -m pytest tests/fuzz -s

Without these variables a run tries a tenth of each door's share, and every kept case.
"""

import os
import random
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from bunnymoose_cv.core.errors import InputError
from tests.fuzz.mutators import mutated

CRASHES: Final = Path(__file__).parent / "crashes"
LONGEST_S: Final = 10.0


@dataclass(frozen=True, slots=True)
class Gatekeeper:
    """An entry point for untrusted input.

    Attributes:
        name: name of the door and of the folder of its kept crashes.
        seeds: valid inputs.
        enter: function that accepts an input or raises `InputError`.
        share: number of inputs of which a run of the suite tries a tenth.
    """

    name: str
    seeds: Sequence[bytes]
    enter: Callable[[bytes], object]
    share: int


@dataclass(slots=True)
class Figures:
    """The outcome of a run."""

    inputs: int = 0
    refused: int = 0
    slowest_s: float = 0.0
    broken: int = 0

    def line(self, name: str) -> str:
        """Return the outcome as one line to print."""
        return (
            f"{name}: {self.inputs} inputs, {self.refused} refused, {self.broken} broken, "
            f"slowest {self.slowest_s:.2f} s"
        )


def fuzz(door: Gatekeeper) -> Figures:
    """Try every kept case, then mutated seeds."""
    chance = random.Random(f"{os.environ.get('FUZZ_SEED', '1')} {door.name}")
    figures = Figures()
    for path in sorted((CRASHES / door.name).glob("*")):
        _try(door, path.read_bytes(), figures)
    for _ in range(int(os.environ.get("FUZZ_INPUTS", door.share // 10))):
        _try(door, mutated(door.seeds, chance), figures)
    return figures


def _try(door: Gatekeeper, content: bytes, figures: Figures) -> None:
    began_s = time.monotonic()
    figures.inputs += 1
    fault = ""
    try:
        door.enter(content)
    except InputError:
        figures.refused += 1
    except Exception as error:  # noqa: BLE001 - that is what is looked for
        fault = f"{type(error).__name__}: {error}"[:200]
    took_s = time.monotonic() - began_s
    figures.slowest_s = max(figures.slowest_s, took_s)
    if took_s > LONGEST_S and "FUZZ_INPUTS" in os.environ:
        fault = fault or f"took {took_s:.1f} s"
    if fault:
        figures.broken += 1
        folder = CRASHES / door.name
        folder.mkdir(parents=True, exist_ok=True)
        name = sha256(content).hexdigest()[:12]
        (folder / f"{name}.bin").write_bytes(content)
        sys.stderr.write(f"{door.name} {name}: {fault}\n")
