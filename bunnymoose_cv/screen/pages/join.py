"""Phones join here: the code for them on the screen at the table, and on the phone “who are you?”."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import ui

if TYPE_CHECKING:
    from bunnymoose_cv.screen.access import Visitor
    from bunnymoose_cv.screen.host import Host


def show(host: Host, visitor: Visitor) -> None:
    """Build the page."""
    ui.label(f"join {visitor.role} {host.players}")
