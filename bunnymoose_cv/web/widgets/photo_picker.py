"""A big button for the phone's camera and a smaller one for its gallery; photo.js scales and sends what is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from nicegui import html

if TYPE_CHECKING:
    from bunnymoose_cv.i18n.texts import Texts


def photo_picker(address: str, title: str, texts: Texts, *, several: bool = False) -> html.div:
    """Build both buttons, and where the script tells what becomes of a photograph.

    Args:
        address: where photographs are sent.
        title: of the big button.
        texts: in the language of the table.
        several: whether several pictures may be chosen in the gallery.
    """
    holder = html.div().classes("photo-picker")
    sentences = {
        "photo": address,
        "busy": texts("The photograph is read …"),
        "heic": texts(
            "This browser cannot open HEIC pictures: let the phone's camera save “most compatible” pictures, or send a "
            "JPEG."
        ),
        "unreadable": texts("This is no picture that the browser can open: choose a photograph."),
        "failed": texts("The photograph did not arrive: send it once more."),
    }
    for name, sentence in sentences.items():
        holder.props[f"data-{name}"] = sentence
    with holder:
        with html.div().classes("row tight"):
            _button(title, "main large", "capture=environment")
            _button(texts("From the gallery"), "", "multiple" if several else "")
        html.p(role="status").classes("quiet small").props("data-told")
    return holder


def _button(text: str, look: str, props: str) -> None:
    with html.label().classes(f"button photo-button {look}"):
        html.input_(type="file", accept="image/*").props(props)
        html.span(text)
