"""Does a dict of anything cross from one module into another where structs do?

    python -m tools.typed_edges

In the places of `CLEAN`, no public function, method, field or alias may speak of `dict[str, Any]` or `Mapping[str, Any]`, nor
of a name that some module gave to one: what a flow takes and answers with is a struct, and what has no fields of its own
holds objects (`Json` of values), so that mypy asks whoever reads it to look. What stays inside a module is its own business.
Elsewhere such names are told, with how often each package shows one; `--count` tells how many dicts are left in each place
that is not clean yet.
"""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "tablegram"
# Folders and files, from src/tablegram/: every domain and the flows, and the edges that were moved to structs. Whoever has
# moved another adds it; nothing is taken out.
CLEAN = (
    "accounts",
    "api/gate.py",
    "api/records",
    "api/routes",
    "api/schemas",
    "api/sends",
    "assistant",
    "automations",
    "campaigns",
    "cli",
    "courier_page",
    "crm",
    "data_page",
    "delivery",
    "demo",
    "docs_site",
    "drivers.py",
    "engine",
    "errors.py",
    "events",
    "flows",
    "hooks",
    "loyalty",
    "media",
    "menu_page",
    "messaging",
    "payments",
    "printing",
    "restaurant",
    "sandbox",
    "server",
    "settings",
    "stores",
    "values",
    "web",
    "wiring",
    "workshop",
)
_MAPPINGS = {"dict", "Mapping", "MutableMapping"}


def main(arguments: list[str]) -> int:
    if "--count" in arguments:
        return _count()
    names = aliases(_files(SOURCE))
    wrong = [line for place in CLEAN for path in _files(SOURCE / place) for line in refused(path, names[path])]
    for line in wrong:
        print(line)
    if wrong:
        print(f"{len(wrong)} dicts of anything cross a module. Make each a struct, or let it hold objects.")
    _tell_named(names)
    return 1 if wrong else 0


def _tell_named(names: Mapping[Path, Collection[str]]) -> None:
    together: Counter[str] = Counter()
    for package in sorted({_package(path) for path in names}):
        shown = [name for path in names if _package(path) == package for _, name in named(path, names[path])]
        together.update(shown)
        if shown:
            print(f"{len(shown):5} {package} ({_each(Counter(shown))})")
    print(f"{together.total():5} dicts of anything are shown by a name ({_each(together)})")


def _package(path: Path) -> str:
    return path.relative_to(SOURCE).parts[0].removesuffix(".py")


def _each(found: Counter[str]) -> str:
    return ", ".join(f"{name} {count}" for name, count in found.most_common())


def _count() -> int:
    found: Counter[str] = Counter()
    for path in _files(SOURCE):
        found[str(path.relative_to(SOURCE).parent)] += len(list(crossings(path)))
    for folder, count in sorted(found.items()):
        if count:
            print(f"{count:5} {folder}")
    print(f"{found.total():5} together")
    return 0


def _files(place: Path) -> list[Path]:
    if not place.exists():
        raise SystemExit(f"{place} is gone: take it out of CLEAN, or name where it went.")
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def refused(path: Path, names: Collection[str]) -> list[str]:
    """What a clean module must not show."""
    return [*crossings(path), *(f"{path}:{line}: {name} is a dict of anything" for line, name in named(path, names))]


def crossings(path: Path) -> Iterator[str]:
    """Where a dict of anything is part of what a module shows to others."""
    tree = _tree(path)
    for name, node in _shown(tree.body, ""):
        for annotation in _annotations(node):
            if _is_loose(annotation):
                yield f"{path}:{node.lineno}: {name} ({ast.unparse(annotation)})"


def aliases(paths: Sequence[Path]) -> dict[Path, set[str]]:
    """The names by which each module knows a dict of anything: its own, and those that it imports from one of the others."""
    trees = {path: _tree(path) for path in paths}
    found = {path: {name for name in map(_alias, tree.body) if name} for path, tree in trees.items()}
    modules = {_module(path): path for path in paths}
    imports = [
        (path, modules[node.module], one.name, one.asname or one.name)
        for path, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in modules
        for one in node.names
    ]
    while new := [
        (path, known) for path, source, name, known in imports if name in found[source] and known not in found[path]
    ]:
        for path, known in new:
            found[path].add(known)
    return found


def named(path: Path, names: Collection[str]) -> Iterator[tuple[int, str]]:
    """Each such name that is part of what a module shows to others, and its line."""
    for _, node in _shown(_tree(path).body, ""):
        for annotation in _annotations(node):
            for part in ast.walk(annotation):
                if isinstance(part, ast.Name) and part.id in names:
                    yield part.lineno, part.id


def _alias(node: ast.stmt) -> str | None:
    """The name of a plain dict of anything."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript(value=ast.Name(id=kind)) as value):
            return name if kind in _MAPPINGS and _is_loose(value) else None
    return None


def _module(path: Path) -> str:
    parts = [*path.parts[:-1], path.stem] if path.stem != "__init__" else [*path.parts[:-1]]
    return ".".join(parts[parts.index(SOURCE.name) :] if SOURCE.name in parts else [parts[-1]])


def _shown(body: list[ast.stmt], inside: str) -> Iterator[tuple[str, ast.stmt]]:
    """Whatever has a name that does not begin with an underscore, and what makes an object."""
    for node in body:
        name = _name(node)
        if name is None or (name.startswith("_") and name != "__init__"):
            continue
        yield inside + name, node
        if isinstance(node, ast.ClassDef):
            yield from _shown(node.body, f"{name}.")


def _name(node: ast.stmt) -> str | None:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return name
        case ast.AnnAssign(target=ast.Name(id=name)) | ast.Assign(targets=[ast.Name(id=name)]):
            return name
    return None


def _annotations(node: ast.stmt) -> list[ast.expr]:
    match node:
        case ast.FunctionDef(args=args, returns=returns) | ast.AsyncFunctionDef(args=args, returns=returns):
            every = [*args.posonlyargs, *args.args, *args.kwonlyargs, args.vararg, args.kwarg]
            found = [one.annotation for one in every if one is not None and one.annotation is not None]
            return [*found, *([returns] if returns is not None else [])]
        case ast.AnnAssign(annotation=annotation):
            return [annotation]
        case ast.Assign(value=ast.Subscript() | ast.BinOp() as value):
            # An alias for a type.
            return [value]
    return []


def _is_loose(annotation: ast.expr) -> bool:
    return any(
        isinstance(part, ast.Subscript)
        and isinstance(part.value, ast.Name)
        and part.value.id in _MAPPINGS
        and isinstance(part.slice, ast.Tuple)
        and ast.unparse(part.slice.elts[-1]) == "Any"
        for part in ast.walk(annotation)
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
