"""Text that any file can hold: a name given on the command line may have bytes in it that are no text."""

from __future__ import annotations


def as_unicode(text: str) -> str:
    """The same text; bytes that are none, which Python keeps as halves of pairs, become escapes."""
    return text.encode("utf-8", "backslashreplace").decode()
