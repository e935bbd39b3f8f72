"""Parts of our own HTML on a page that NiceGUI makes, sent only when they differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

if TYPE_CHECKING:
    from collections.abc import Mapping


class HtmlPart:
    """One such part; empty at first. Its forms are sent by commands.js.

    Args:
        kind: style classes of its holder.
        tag: of its holder.
        role: of its holder, where it has one.
    """

    def __init__(self, kind: str = "", tag: str = "div", role: str = "") -> None:
        self._element = ui.html("", sanitize=False, tag=tag).classes(kind)
        if role:
            self._element.props["role"] = role

    def show(self, content: str) -> None:
        """Show something; nothing happens where it is shown already."""
        if content != self._element.content:
            self._element.content = content


class HtmlParts:
    """Several of them by name, as they are told.

    Args:
        kinds: by name the style classes of its holder.
        tag: of each holder.
    """

    def __init__(self, kinds: Mapping[str, str], tag: str = "div") -> None:
        self._parts = {name: HtmlPart(kind, tag) for name, kind in kinds.items()}

    def show(self, contents: Mapping[str, str]) -> None:
        """Show those that are told, of those that there are."""
        for name, content in contents.items():
            if name in self._parts:
                self._parts[name].show(content)
