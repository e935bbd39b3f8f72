"""Widgets, the parts of HTML that several pages share."""
