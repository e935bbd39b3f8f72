"""Entry point of `bunnymoose`, and of `python -m bunnymoose_cv`."""

from __future__ import annotations

import sys
from typing import Final

_INTERRUPTED: Final = 130
"""Exit code of a program that was ended by Ctrl-C, by the convention of shells."""


def main() -> None:
    """Run the command line. Ctrl-C ends it without a traceback, even while its modules are being imported."""
    try:
        from bunnymoose_cv.cli import main as run  # noqa: PLC0415 - takes a tenth of a second

        run()
    except KeyboardInterrupt:
        sys.exit(_INTERRUPTED)


if __name__ == "__main__":
    main()
