"""A part of a page that is built anew only when what it shows has changed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    from nicegui.element import Element

Shown = TypeVar("Shown")


class Region(Generic[Shown]):
    """One such part.

    Args:
        holder: what is built stands in it; its first content is built by the first `show`.
        build: builds it from what is to be shown.
    """

    def __init__(self, holder: Element, build: Callable[[Shown], None]) -> None:
        self._holder = holder
        self._build = build
        self._shown: Shown | None = None

    def show(self, what: Shown) -> None:
        """Show something; nothing happens where it is shown already.

        Args:
            what: equal to what was shown before exactly when the region may stay as it is.
        """
        if what == self._shown:
            return
        self._shown = what
        self._holder.clear()
        with self._holder:
            self._build(what)
