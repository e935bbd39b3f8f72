"""Entry point of `python -m bunnymoose_cv`, the same as `bunnymoose`."""

from bunnymoose_cv.cli import main

if __name__ == "__main__":
    main()
