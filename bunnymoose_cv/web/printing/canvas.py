"""Vector PDF document of SVG art and ArUco markers; the only file that imports the PDF library."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Final

from fpdf import FPDF

from bunnymoose_cv.web.art.card_images import plain_svg

if TYPE_CHECKING:
    from collections.abc import Iterable

    from bunnymoose_cv.vision.cards.mat import Marker
    from bunnymoose_cv.web.printing.paper import Paper, PaperPoint, Segment

_HAIRLINE_MM: Final = 0.2


class Canvas:
    """Pages of one size, drawn in millimetres from the top left corner.

    Args:
        turned: whether the sheet lies on its long edge.
    """

    def __init__(self, paper: Paper, title: str, *, turned: bool = False) -> None:
        width, height = paper.size_mm
        self._pdf = FPDF(orientation="landscape" if turned else "portrait", unit="mm", format=(width, height))
        self._pdf.set_auto_page_break(auto=False)
        self._pdf.set_margin(0)
        self._pdf.set_title(title)

    def page(self) -> None:
        """Begin the next page."""
        self._pdf.add_page()

    def svg(self, art: str, spot: PaperPoint, size_mm: tuple[float, float]) -> None:
        """Draw one of our images."""
        self._pdf.image(BytesIO(plain_svg(art).encode()), x=spot.x, y=spot.y, w=size_mm[0], h=size_mm[1])

    def marker(self, marker: Marker, spot: PaperPoint) -> None:
        """Draw a marker as black rectangles, one a run of dark cells, with its top left corner at a spot."""
        self._pdf.set_fill_color(0)
        for row, line in enumerate(marker.pattern):
            for start, end in _runs([not white for white in line]):
                corner = spot.x + start * marker.cell, spot.y + row * marker.cell
                self._pdf.rect(*corner, (end - start) * marker.cell, marker.cell, style="F")

    def lines(self, segments: Iterable[Segment], *, grey: int = 0) -> None:
        """Draw straight hairlines."""
        self._pdf.set_line_width(_HAIRLINE_MM)
        self._pdf.set_draw_color(grey)
        for each in segments:
            self._pdf.line(each.x1, each.y1, each.x2, each.y2)

    def outline(self, spot: PaperPoint, size_mm: tuple[float, float], *, width_mm: float, grey: int) -> None:
        """Draw a rectangle's outline."""
        self._pdf.set_line_width(width_mm)
        self._pdf.set_draw_color(grey)
        self._pdf.rect(spot.x, spot.y, *size_mm)

    def text(self, line: str, spot: PaperPoint, size_pt: float, *, grey: int = 0) -> None:
        """Write Latin-1 text whose baseline begins at a spot; other letters become `?`."""
        self._pdf.set_font("helvetica", style="B", size=size_pt)
        self._pdf.set_text_color(grey)
        self._pdf.text(spot.x, spot.y, line.encode("latin-1", "replace").decode("latin-1"))

    def content(self) -> bytes:
        """Return the whole document."""
        return bytes(self._pdf.output())


def _runs(line: list[bool]) -> Iterable[tuple[int, int]]:
    """Find where dark cells begin and end."""
    start = None
    for index, dark in enumerate([*line, False]):
        if dark and start is None:
            start = index
        elif not dark and start is not None:
            yield start, index
            start = None
