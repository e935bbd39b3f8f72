"""Moved to `bunnymoose_cv/catalogue/poem.py`; this leaves as soon as nobody imports it any more."""

from bunnymoose_cv.catalogue.poem import PoemLine as PoemLine  # noqa: PLC0414 - explicit re-export
from bunnymoose_cv.catalogue.poem import load_poem as load_poem  # noqa: PLC0414 - explicit re-export
