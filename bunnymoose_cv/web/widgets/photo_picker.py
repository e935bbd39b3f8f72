"""Photo picker: a button for the phone's camera, one for its gallery; photo.js scales and sends the image."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bunnymoose_cv.web.templates.rendering import render

if TYPE_CHECKING:
    from markupsafe import Markup

    from bunnymoose_cv.i18n.texts import Texts


def picker_html(address: str, title: str, texts: Texts, *, several: bool = False) -> Markup:
    """Both buttons, and where the script tells what becomes of a photograph.

    Args:
        several: whether several images may be chosen in the gallery.
    """
    return render("cards/photo_picker", texts, address=address, title=title, several=several)
