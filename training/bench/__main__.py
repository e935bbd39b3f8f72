"""Entry point of `python -m training.bench`."""

from __future__ import annotations

from bunnymoose_cv.cli import main
from training.bench.bench_command import app

if __name__ == "__main__":
    main(app, "python -m training.bench")
