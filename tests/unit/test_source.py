"""Lint of the source: docstrings, names, imports, layout of the tests, and content of the distributions."""

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import pytest

from tests.import_graph import import_cycles, module_imports

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "bunnymoose_cv"
MODULES = sorted(PACKAGE.rglob("*.py"))
TREE = sorted(
    path
    for folder in ("bunnymoose_cv", "training", "fixtures", "tests", "examples")
    for path in (ROOT / folder).rglob("*.py")
    if "work" not in path.relative_to(ROOT).parts
)

BANNED = re.compile(
    r"(?:What|How|Whether|Which|Who|Whose|Whoever|Whom|Where|When|Why|Owns)\b|.*\bOwns (?:no|neither|nothing)\b"
    r"|(?:It|Its|They|Their|This|That|These|Those|He|She|His|Her|There|Here|As|So|By so)\b"
    r"|(?:Some|Every|Any|No)(?:body|thing|one)\b|(?:All|Each|One|Both|None|Some) of (?:it|its|them|their)\b"
)
"""Pattern of docstrings that open with a relative clause, a negated duty or a pronoun without a noun."""

LONGEST = 120
DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""Fields of a node that hold statements, or nodes with statements."""


@dataclass(frozen=True, slots=True)
class Source:
    """Content of a module without its syntax tree, as the trees of all modules would take too much memory.

    Attributes:
        openings: first lines of the docstrings.
        classes: names of the public classes.
    """

    openings: tuple[str, ...]
    texts: tuple[str, ...]
    classes: tuple[str, ...]


@cache
def source_of(path: Path) -> Source:
    return parsed(path.read_text("utf-8"))


def parsed(code: str) -> Source:
    tree = ast.parse(code)
    nodes = [*with_statements(tree)]
    classes = (node.name for node in tree.body if isinstance(node, ast.ClassDef))
    return Source(
        tuple(openings(nodes)),
        tuple(filter(None, map(stated, nodes))),
        tuple(name for name in classes if not name.startswith("_")),
    )


def with_statements(node: ast.AST) -> Iterator[ast.AST]:
    """Walk through a node and all statements in it, but not through their expressions."""
    yield node
    for block in BLOCKS:
        inside = getattr(node, block, None)
        for each in inside if isinstance(inside, list) else ():
            yield from with_statements(each)


def openings(nodes: Iterable[ast.AST]) -> Iterator[str]:
    """Yield the first lines of the docstrings of a module, its classes, functions and constants."""
    for node in nodes:
        if isinstance(node, DOCUMENTED):
            yield from (ast.get_docstring(node) or "").splitlines()[:1]
        body = getattr(node, "body", None)
        for first, second in pairwise(body) if isinstance(body, list) else ():
            if isinstance(first, ast.Assign | ast.AnnAssign) and (text := stated(second)):
                yield text.strip().splitlines()[0]


def stated(statement: ast.AST) -> str:
    """Return the text of a statement that is only a string, or an empty text."""
    value = statement.value if isinstance(statement, ast.Expr) else None
    return value.value if isinstance(value, ast.Constant) and isinstance(value.value, str) else ""


def test_lint_covers_all_source_folders() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in TREE} == {
        "bunnymoose_cv",
        "training",
        "fixtures",
        "tests",
        "examples",
    }


@pytest.mark.parametrize(
    ("code", "is_bad"),
    [
        ('"""What is kept of a round."""', True),
        ('def f():\n    """Whether it is so."""', True),
        ('A = 1\n"""How much."""', True),
        ('"""Trail. Owns no figures."""', True),
        ('"""Its name."""', True),
        ('def f():\n    """Nothing more will come."""', True),
        ('A = 1\n"""So many at most."""', True),
        ('def f():\n    """All of it."""', True),
        ('def f():\n    """Items of it, all in order."""', False),
        ('"""Records of a game."""', False),
        ('"""Whole numbers."""', False),
        ('A = 1\n"""Time after the cue."""', False),
    ],
)
def test_lint_recognizes_relative_clauses_and_pronouns(code: str, *, is_bad: bool) -> None:
    assert any(map(BANNED.match, parsed(code).openings)) == is_bad


def test_no_docstring_opens_with_a_relative_clause_or_a_pronoun() -> None:
    bad = [
        f"{path.relative_to(ROOT)}: {line}" for path in TREE for line in source_of(path).openings if BANNED.match(line)
    ]
    assert bad == []


def test_no_line_is_too_long() -> None:
    bad = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in TREE
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) > LONGEST and not re.search("# (noqa|type: ignore)", line)
    ]
    assert bad == []


def test_module_names_are_unique() -> None:
    names = Counter(path.stem for path in MODULES if path.stem != "__init__")
    assert [name for name, count in names.items() if count > 1] == []


def test_public_class_names_are_unique() -> None:
    classes = Counter(name for path in MODULES for name in source_of(path).classes)
    assert [name for name, count in classes.items() if count > 1] == []


DOCUMENTED_FOLDERS = ("bunnymoose_cv", "training", "tests")
NAMED = re.compile(r"[\w/-]+\.(?:py|md)\b")


def ends_of(path: Path) -> set[str]:
    """Return the names by which a docstring may mention a file: its path, or an end of it."""
    parts = path.relative_to(ROOT).parts
    return {"/".join(parts[start:]) for start in range(len(parts))}


def test_every_file_mentioned_in_a_docstring_exists() -> None:
    paths = [path for folder in DOCUMENTED_FOLDERS for path in (ROOT / folder).rglob("*.py")]
    ours = {end for path in (*paths, *(ROOT / "docs").rglob("*.md")) for end in ends_of(path)}
    gone = [
        f"{path.relative_to(ROOT)}: {name}"
        for path in paths
        for text in source_of(path).texts
        for name in NAMED.findall(text)
        if name not in ours and not (ROOT / name).is_file()
    ]
    assert gone == []


@pytest.mark.parametrize("package", ["bunnymoose_cv", "training"])
def test_imports_have_no_cycle(package: str) -> None:
    assert import_cycles(module_imports(package)) == []


@pytest.mark.parametrize(
    ("imports", "count"),
    [
        ({"a": {"b"}, "b": {"c"}, "c": set()}, 0),
        ({"a": {"b"}, "b": {"c"}, "c": {"a"}}, 1),
        ({"a": {"b"}, "b": {"a"}, "c": {"d"}, "d": {"c"}}, 2),
    ],
)
def test_import_cycles_are_found(imports: dict[str, set[str]], count: int) -> None:
    assert len(import_cycles(imports)) == count


def test_every_thread_is_an_actor_or_explains_why_not() -> None:
    for path in sorted(PACKAGE.rglob("*.py")):
        lines = path.read_text("utf-8").splitlines()
        for number, line in enumerate(lines):
            if re.search(r"\bThread\(", line) and path.name != "actor.py":
                assert any("No actor thread: " in line for line in lines[max(0, number - 3) : number]), path


def test_only_observable_stores_listeners() -> None:
    keepers = {path.name for path in PACKAGE.rglob("*.py") if "_listeners" in path.read_text("utf-8")}
    assert keepers == {"observable.py"}


UNIT = ROOT / "tests" / "unit"
TOOLS = {"training": ROOT / "training", "render": ROOT / "fixtures" / "render"}
FOLDERS = sorted({path.parent.relative_to(UNIT) for path in UNIT.rglob("test_*.py")})


@pytest.mark.parametrize("folder", FOLDERS, ids=str)
def test_every_test_folder_mirrors_a_code_folder(folder: Path) -> None:
    first, *others = folder.parts or ("",)
    assert TOOLS.get(first, ROOT / "bunnymoose_cv" / first).joinpath(*others).is_dir()


TARGETS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["build"]["targets"]


def test_source_distribution_has_all_files_of_the_wheel() -> None:
    carried = set(TARGETS["sdist"]["only-include"])
    assert set(TARGETS["wheel"]["packages"]) | set(TARGETS["wheel"]["force-include"]) <= carried
    assert [path for path in carried if not (ROOT / path).exists()] == []


ROUND_WITHOUT_LIBRARIES = """
import sys

sys.path.insert(0, sys.argv[1])
from bunnymoose_cv.rules import cards, deck, events, game, open_round, pose, round, scoring, trail

scored = scoring.score(pose.Pose.parse("WU CD t"), cards.parse_table("L.WU+1 RABBIT*2"), deck.rules_for("second"))
print(scored.species.value, scored.total, len(deck.load_deck("first").cards))
loaded = {name.partition(".")[0] for name in sys.modules}
print(sorted(loaded - set(sys.stdlib_module_names) - {"__main__", "bunnymoose_cv"}))
"""


@pytest.mark.process
def test_rules_need_no_installed_library(pytestconfig: pytest.Config) -> None:
    """Run with `-I -S`, which hides every installed package, including NumPy, OpenCV and MediaPipe."""
    root = str(pytestconfig.rootpath)
    run = subprocess.run(
        [sys.executable, "-I", "-S", "-c", ROUND_WITHOUT_LIBRARIES, root], capture_output=True, text=True, check=False
    )
    assert run.stderr == ""
    assert run.stdout.splitlines() == ["rabbit 2 111", "[]"]
