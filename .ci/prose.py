"""A linter of docstrings and comments, which counts blocks that read unnaturally.

`CONTRIBUTING.md` has the contract. Counts by package are kept in `.ci/prose.csv`; they may only fall.

    python .ci/prose.py            compare the counts with those kept
    python .ci/prose.py --list     print each hit as file:line: pattern: text
    python .ci/prose.py --keep     keep the counts of today, if none has risen
"""

from __future__ import annotations

import ast
import csv
import re
import sys
import tokenize
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT: Final = Path(__file__).resolve().parents[1]
KEPT: Final = Path(__file__).with_name("prose.csv")
FOLDERS: Final = ("bunnymoose_cv", "tests", "training")

PATTERNS: Final = {
    "told": r"\b(told|tells|tell)\b",
    "whoever": r"\b(whoever|whomever|whatever|whosever)\b",
    "somebody": r"\b(somebody|anybody|nobody|everybody)\b(?!’s seat)",
    "None where": r"\bNone where\b",
    "where for if": r",? where (no|nobody|none|there|it|they|one|he|she|this|that|nothing|something|a|an|the)\b",
    "is no": r"\b(is|are|be|was|were) (no|none)\b",
    "entry": r"^\s+\w+: (of|by|from|whose|which|what|who|where|likewise|as|in|on|to|at|how|whether it)\b",
    "opening": r"\A(Of|By|From where|What|Who|Whose|Whether|How|Those|Nothing|That|Owns|In)\b",
    "stands": r"\b(stands?|standing|stood)\b",
    "anew": r"\b(anew|once more|meanwhile|hinders?|mend(s|ed)?|put right)\b",
    "as of": r"\b(as of|so (far|long|much)|likewise|by itself|by themselves)\b",
    "else": r"[,;] else\b",
    "let go": r"\b(take|takes|taken|took) (back|away)\b|\blet(s)? go\b",
    "people": r"\bpeople (are|say|told|tell|answer|want|need)\b",
    "lies": r"\b(lie|lies|lay)\b",
    "semicolon": r"; (it|its|they|that|a|an|the|what|of)\b.*; ",
    "free relative": r"(?:^|[.:;,] )what (is|are|was|it|they|a|the|makes|ends|stops)\b",
}
"""Regular expressions of the outside review's pattern, by name."""

_COMPILED: Final = {name: re.compile(pattern, re.MULTILINE | re.IGNORECASE) for name, pattern in PATTERNS.items()}
_CASED: Final = {"opening", "None where"}


class Block(NamedTuple):
    """A docstring, or comment lines that follow each other."""

    path: Path
    line: int
    text: str

    @property
    def package(self) -> str:
        """Name of the folder that a count is kept for."""
        parts = self.path.relative_to(ROOT).parts
        return "/".join(parts[:2] if len(parts) > 2 else parts[:1])


class Hit(NamedTuple):
    """Pattern in a block, with the line that has it."""

    block: Block
    pattern: str
    text: str


def blocks(path: Path) -> Iterator[Block]:
    """Yield the docstrings and comments of a file, docstrings of constants and fields included."""
    source = path.read_text("utf-8")
    for node in ast.walk(ast.parse(source)):
        for statement in getattr(node, "body", None) or () if not isinstance(node, ast.Lambda | ast.IfExp) else ():
            match statement:
                case ast.Expr(value=ast.Constant(value=str(text))):
                    yield Block(path, statement.lineno, text.strip())
    comment: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(iter(source.splitlines(keepends=True)).__next__):
        if token.type == tokenize.COMMENT and not re.match(r"#\s*(noqa|type:|fmt:|pragma|!)", token.string):
            if token.start[0] != last + 1 and comment:
                yield Block(path, first, " ".join(comment))
                comment = []
            first = token.start[0] if not comment else first
            last = token.start[0]
            comment.append(token.string.lstrip("# "))
    if comment:
        yield Block(path, first, " ".join(comment))


def hits(block: Block) -> Iterator[Hit]:
    """Yield one hit for each pattern that a block has."""
    for name, pattern in _COMPILED.items():
        found = re.search(PATTERNS[name], block.text, re.MULTILINE) if name in _CASED else pattern.search(block.text)
        if found is not None:
            start = block.text.rfind("\n", 0, found.start() + 1) + 1
            yield Hit(block, name, block.text[start:].partition("\n")[0].strip())


def files(root: Path) -> Iterator[Path]:
    """Yield the Python files that are counted."""
    for folder in FOLDERS:
        yield from (
            path for path in sorted((root / folder).rglob("*.py")) if "work" not in path.relative_to(root).parts
        )


def counts(found: Iterable[Block]) -> Counter[str]:
    """Count the blocks with at least one hit, by package."""
    return Counter(block.package for block in found if next(hits(block), None))


def kept_counts() -> dict[str, int]:
    """Read the counts that may not rise."""
    with KEPT.open(encoding="utf-8", newline="") as file:
        return {row["package"]: int(row["blocks"]) for row in csv.DictReader(file)}


def keep(now: Counter[str]) -> None:
    """Write the counts of today."""
    with KEPT.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("package", "blocks"))
        writer.writerows(sorted(now.items()))


def main(words: list[str]) -> int:
    """Run the linter and return its exit code."""
    found = [block for path in files(ROOT) for block in blocks(path)]
    if "--list" in words:
        for block in found:
            for hit in hits(block):
                _say(f"{block.path.relative_to(ROOT)}:{block.line}: {hit.pattern}: {hit.text}")
        return 0
    now = counts(found)
    before = kept_counts() if KEPT.is_file() else dict(now)
    risen = {package: count for package, count in now.items() if count > before.get(package, 0)}
    for package, count in sorted(risen.items()):
        _say(f"{package}: {count} blocks read unnaturally, not {before.get(package, 0)}: see .ci/prose.py --list")
    if "--keep" in words and not risen:
        keep(now)
    _say(f"{sum(now.values())} of {len(found)} blocks read unnaturally")
    return 1 if risen else 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
