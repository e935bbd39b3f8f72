"""Drawn art as a browser and a screen reader get it."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"


def drawn(svg: str) -> ET.Element:
    """Root of an image that is valid XML, scales with its place, and may stand beside others on one page."""
    root = ET.fromstring(svg)  # noqa: S314 - our own art
    assert root.tag == SVG + "svg"
    assert len(root.attrib["viewBox"].split()) == 4
    assert not root.attrib.keys() & {"width", "height"}
    assert not re.search(r'\bid="|<script|href', svg)
    return root


def shapes(svg: str) -> str:
    """Drawing without its name."""
    return svg.partition(">")[2]
