"""Planted faults that the tests must find: each is applied to a copy of the checkout, one at a time.

    python -m tests.mutations            # run the tests of every fault; exit 1 if one survives
    python -m tests.mutations record     # only the faults of one package
    python -m tests.mutations --draw 40  # print the first 40 faults that the seed draws in each package

`tests/mutations.toml` holds the drawn faults, and those skipped because they change nothing observable.
"""

import ast
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Final

CHECKOUT: Final = Path(__file__).parents[1]
FAULTS: Final = Path(__file__).with_name("mutations.toml")
PACKAGES: Final = ("rules", "record", "referee", "session", "web/auth", "vision")
COPIED: Final = ("bunnymoose_cv", "tests")

SWAPPED: Final[dict[type[ast.cmpop], ast.cmpop]] = {
    ast.Lt: ast.LtE(),
    ast.LtE: ast.Lt(),
    ast.Gt: ast.GtE(),
    ast.GtE: ast.Gt(),
    ast.Eq: ast.NotEq(),
    ast.NotEq: ast.Eq(),
    ast.Is: ast.IsNot(),
    ast.IsNot: ast.Is(),
    ast.In: ast.NotIn(),
    ast.NotIn: ast.In(),
}
"""Replacement of each comparison operator."""


@dataclass(frozen=True)
class Fault:
    """A changed expression.

    Attributes:
        file: path of the module, relative to the checkout.
        line: number of its first line when it was drawn; the nearest equal text is changed.
        was: source text of whole lines.
        becomes: text that replaces them.
        tests: test files that find the fault.
    """

    file: str
    line: int
    was: str
    becomes: str
    tests: tuple[str, ...] = ()

    def applied(self, source: str) -> str:
        """Return the source with the fault.

        Raises:
            ValueError: if the module no longer contains the text.
        """
        starts = [start for start in _line_starts(source) if source.startswith(self.was + "\n", start)]
        if not starts:
            raise ValueError(f"{self.file}: the text of line {self.line} has changed; draw or write it again")
        start = min(starts, key=lambda start: abs(source.count("\n", 0, start) + 1 - self.line))
        return source[:start] + self.becomes + source[start + len(self.was) :]


def _line_starts(source: str) -> Iterator[int]:
    start = 0
    for line in source.splitlines(keepends=True):
        yield start
        start += len(line)


def candidates(package: str) -> list[Fault]:
    """Return every fault that can be planted in a package, in the order of the source."""
    return [
        fault
        for path in sorted((CHECKOUT / "bunnymoose_cv" / package).rglob("*.py"))
        for fault in _faults_of(path.relative_to(CHECKOUT).as_posix(), path.read_text(encoding="utf-8"))
    ]


def _faults_of(file: str, source: str) -> Iterator[Fault]:
    lines = source.splitlines()
    for node, text in _changes(ast.parse(source), source):
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        before = lines[first].encode()[: node.col_offset].decode()
        after = lines[last].encode()[node.end_col_offset :].decode()
        yield Fault(file, node.lineno, "\n".join(lines[first : last + 1]), before + text + after)


def _changes(tree: ast.Module, source: str) -> Iterator[tuple[ast.expr | ast.stmt, str]]:
    for node in _executed(tree):
        match node:
            case ast.Compare(left, [operator, *more], compared):
                yield node, ast.unparse(ast.Compare(left, [SWAPPED[type(operator)], *more], compared))
            case ast.Constant(value=bool(value)):
                yield node, str(not value)
            case ast.Constant(value=int(value) | float(value)):
                yield node, str(value + 1)
            case ast.Constant(value=str(value)):
                yield node, repr(f"{value}~")
            case ast.Return(value=ast.Compare() as value):
                yield node, f"return not ({_text(value, source)})"
            case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
                yield node, "return None"
            case ast.Call(args=[ast.expr() as first, *_]) if not isinstance(first, ast.Starred | ast.GeneratorExp):
                yield node, f"({_text(first, source)})"
            case ast.Call():
                yield node, "None"


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes below one, without docstrings, annotations, decorators, imports and parts of f-strings."""
    for name, value in ast.iter_fields(node):
        if name in {"annotation", "returns", "decorator_list", "type_params", "bases"}:
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_inert(child):
                continue
            yield child
            if not isinstance(child, ast.JoinedStr):
                yield from _executed(child)


def _is_inert(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Constant()) | ast.Import() | ast.ImportFrom():
            return True
        case ast.If(test=ast.Name("TYPE_CHECKING")):
            return True
        case _:
            return False


def _text(node: ast.expr, source: str) -> str:
    return ast.get_source_segment(source, node) or ast.unparse(node)


def drawn(package: str, seed: int) -> list[Fault]:
    """Return the faults of a package in the order in which a seed draws them."""
    faults = candidates(package)
    Random(f"{seed} {package}").shuffle(faults)
    return faults


def is_found(fault: Fault) -> str | None:
    """Return the test file that finds a fault, or None if all of its tests pass."""
    with tempfile.TemporaryDirectory() as folder:
        copy = _copied_checkout(Path(folder) / "checkout")
        changed = copy / fault.file
        changed.write_text(fault.applied(changed.read_text(encoding="utf-8")), encoding="utf-8")
        environment = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-m", "pytest", "-x", "-q", "--no-header", "-p", "no:cacheprovider"]
        for test in fault.tests:
            ended = subprocess.run([*command, test], cwd=copy, env=environment, capture_output=True, check=False)
            if ended.returncode not in {0, 4, 5}:  # 4: file not found, 5: no tests in it
                return test
    return None


def _copied_checkout(copy: Path) -> Path:
    """Copy the files that a fault may change and link all others, including `shared` beside the checkout."""
    copy.mkdir()
    for path in CHECKOUT.iterdir():
        if path.name in COPIED:
            shutil.copytree(path, copy / path.name, ignore=shutil.ignore_patterns("__pycache__"))
        elif path.name != ".git":
            (copy / path.name).symlink_to(path)
    shared = CHECKOUT.parent / "shared"
    if shared.is_dir():
        (copy.parent / "shared").symlink_to(shared)
    return copy


def kept_faults() -> list[Fault]:
    """Return the faults of `tests/mutations.toml`."""
    kept = tomllib.loads(FAULTS.read_text(encoding="utf-8"))["fault"]
    return [Fault(**{**fault, "tests": tuple(fault["tests"])}) for fault in kept]


def main(arguments: list[str]) -> int:
    """Draw faults, or run the tests of the kept ones."""
    if arguments[:1] == ["--draw"]:
        seed = tomllib.loads(FAULTS.read_text(encoding="utf-8"))["seed"]
        for package in PACKAGES:
            for fault in drawn(package, seed)[: int(arguments[1])]:
                print(f"{fault.file}:{fault.line}\n- {fault.was}\n+ {fault.becomes}")  # noqa: T201
        return 0
    survived = 0
    for fault in kept_faults():
        if arguments and not fault.file.startswith(tuple(f"bunnymoose_cv/{package}/" for package in arguments)):
            continue
        found_by = is_found(fault)
        survived += found_by is None
        print(f"{fault.file}:{fault.line}: {found_by or 'SURVIVED'}", flush=True)  # noqa: T201
    return 1 if survived else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
