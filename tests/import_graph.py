"""Cycles of the import graph of `bunnymoose_cv`, also through `TYPE_CHECKING` and within functions: `make cycles`."""

import sys
from graphlib import CycleError, TopologicalSorter

import grimp

PACKAGE = "bunnymoose_cv"


def import_cycles(imports: dict[str, set[str]]) -> list[list[str]]:
    """Return cycles of modules, each broken at its last import before the next is searched for."""
    imports = {module: set(imported) for module, imported in imports.items()}
    cycles = []
    while cycle := _cycle(imports):
        cycles.append(cycle)
        imported, importing = cycle[:2]
        imports[importing].discard(imported)
    return cycles


def _cycle(imports: dict[str, set[str]]) -> list[str] | None:
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        cycle: list[str] = error.args[1]
        return cycle
    return None


def module_imports(package: str = PACKAGE) -> dict[str, set[str]]:
    """Return all imports between the modules of a package, at any level of a module."""
    graph = grimp.build_graph(package, exclude_type_checking_imports=False, cache_dir=None)
    return {module: set(graph.find_modules_directly_imported_by(module)) for module in graph.modules}


if __name__ == "__main__":
    graph = module_imports()
    found = import_cycles(graph)
    for each in found:
        print(" imports ".join(reversed(each)))  # noqa: T201 - what the command is for
    print(f"{len(graph)} modules, {sum(map(len, graph.values()))} imports, {len(found)} cycles")  # noqa: T201 - likewise
    sys.exit(bool(found))
