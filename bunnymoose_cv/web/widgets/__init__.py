"""Widgets: parts of HTML that several pages show."""
