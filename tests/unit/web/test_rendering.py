"""Words written from right to left are isolated on pages, wherever a sentence holds them."""

import pytest
from markupsafe import Markup

from bunnymoose_cv.i18n.texts import Texts
from bunnymoose_cv.web.templates import rendering
from bunnymoose_cv.web.templates.rendering import render


@pytest.mark.parametrize(
    ("html", "isolated"),
    [
        ("<p>אורי: moose ahead 3</p>", "<p><bdi>אורי</bdi>: moose ahead 3</p>"),
        ("<p>1. אורי כהן, دانا 2</p>", "<p>1. <bdi>אורי כהן</bdi>, <bdi>دانا</bdi> 2</p>"),
        ('<p title="אורי">Łukasz さくら</p>', '<p title="אורי">Łukasz さくら</p>'),
        ("<bdi>אורי 2</bdi>", "<bdi>אורי 2</bdi>"),
        ('<bdi class="name">אורי</bdi> 2', '<bdi class="name">אורי</bdi> 2'),
        ("<option>אורי</option><svg><text>אורי</text></svg>", "<option>אורי</option><svg><text>אורי</text></svg>"),
        ("<option>A</option> אורי <option>B</option>", "<option>A</option> <bdi>אורי</bdi> <option>B</option>"),
        ("&lt;אורי&gt;", "&lt;<bdi>אורי</bdi>&gt;"),
    ],
)
def test_right_to_left_words_are_isolated(html: str, isolated: str) -> None:
    assert rendering._isolated(html) == isolated
    assert rendering._isolated(isolated) == isolated


def test_a_name_is_isolated_with_its_number() -> None:
    name = render("phone/name", Texts(), player="אורי 2", styles={})
    assert '<bdi class="name">אורי 2</bdi>' in name
    about = {"people": 1, "in_mirror": ["C"], "missing": 0, "blind": False}
    seen = render("setup/seen", Texts(), absent=["אורי", "<b>"], row=("אורי", "<b>", "C"), narrator="דנה", **about)
    assert "<bdi>אורי</bdi>, &lt;b&gt;" in seen
    assert isinstance(seen, Markup)
