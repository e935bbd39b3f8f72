"""Links of the documentation: each leads to a file, and to a heading of it, also where mkdocs does not look."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
FOLDERS = ("docs", "models", "training", "fixtures")
PAGES = sorted((*ROOT.glob("*.md"), *(page for folder in FOLDERS for page in (ROOT / folder).rglob("*.md"))))
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)\s#]*)(?:#([^)\s]*))?\)")


def anchors(page: Path) -> set[str]:
    """Anchors of a page's headings, as Python-Markdown names them."""
    headings = re.findall(r"^#+ +(.+?) *$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[-\s]+", "-", re.sub(r"[^a-z0-9_\s-]", "", heading.lower()).strip()) for heading in headings}


def broken(page: Path) -> list[str]:
    """Links of a page that lead to no file, or to no heading."""
    found = []
    for path, anchor in LINK.findall(page.read_text("utf-8")):
        target = (page.parent / path).resolve() if path else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            found.append(f"{path}#{anchor}")
    return found


def test_links_lead_somewhere() -> None:
    assert len(PAGES) > 20
    assert {str(page.relative_to(ROOT)): links for page in PAGES if (links := broken(page))} == {}


def test_tests_that_are_named_are_there() -> None:
    tests = [str(path.relative_to(ROOT)) for path in (ROOT / "tests").rglob("test_*.py")]
    named = {name for page in PAGES for name in re.findall(r"`([\w/]*\btest_\w+\.py)", page.read_text("utf-8"))}
    assert named
    assert [name for name in sorted(named) if not any(f"/{path}".endswith(f"/{name}") for path in tests)] == []


def test_the_site_shows_every_page() -> None:
    named = re.findall(r"[\w/-]+\.md", (ROOT / "mkdocs.yml").read_text("utf-8"))
    apart = re.compile(r"(?:accuracy/\w+|experiments)/")  # each linked from its overview
    pages = [str(page.relative_to(ROOT / "docs")) for page in PAGES if page.is_relative_to(ROOT / "docs")]
    assert [page for page in pages if page not in named and not apart.match(page)] == []
