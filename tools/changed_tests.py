"""Run the tests that a change touches, on both databases, and say which they are and why.

A changed file touches the tests that import it (themselves, or through other files of the suite), and those in the
folder that mirrors its own: `src/tablegram/crm/store/contacts.py` has `tests/crm`. This is quick and not a proof:
`make test` is.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

from tools import run_tests

ROOT = Path(__file__).parent.parent
SOURCE, TESTS = PurePosixPath("src/tablegram"), PurePosixPath("tests")
# What is no module, and which tests look at it.
LOOKED_AT = {"docs": "tests/docs", "src/tablegram/panel": "tests/browser/panel", "src/tablegram/menu_page": "tests/browser/menu"}  # fmt: skip
# Rules on all files.
ALWAYS = "tests/repository/test_contents.py"


def changed_since(commit: str) -> list[str]:
    """What differs from the point where this work left that commit's branch, committed or not."""
    base = _git("merge-base", commit, "HEAD").strip()
    return sorted({*_git("diff", "--name-only", base).split(), *_git("ls-files", "-o", "--exclude-standard").split()})


def _git(*arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout


def module_of(path: str) -> str:
    """`src/tablegram/crm/store.py` is `tablegram.crm.store`; a package is its folder."""
    parts = PurePosixPath(path).with_suffix("").parts
    parts = parts[1:] if parts[0] == "src" else parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_by(path: Path) -> Iterator[str]:
    """The modules that a file names in its imports; `from a import b` may mean a module `a.b`."""
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{name.name}" for name in node.names)


def choose(changed: Iterable[str], root: Path = ROOT) -> dict[str, str]:
    """Test files and folders, each with the reason why it is run."""
    chosen: dict[str, str] = {}
    files = {str(path.relative_to(root)): path for path in (root / "tests").rglob("*.py")}
    imports = {name: set(imported_by(path)) for name, path in files.items()}
    for path in changed:
        if PurePosixPath(path).suffix == ".py":
            for name in sorted(_importers(module_of(path), imports)):
                chosen.setdefault(name, f"imports {path}")
        for place in _mirrors(path, root):
            chosen.setdefault(place, f"is where {path} is tested")
    chosen.setdefault(ALWAYS, "looks at every file")
    return {name: why for name, why in chosen.items() if (root / name).exists()}


def _importers(module: str, imports: dict[str, set[str]]) -> set[str]:
    """Tests that import a module, or a file of the suite that does."""
    found: set[str] = set()
    wanted = [module]
    while wanted:
        module = wanted.pop()
        for name in [name for name, modules in imports.items() if module in modules and name not in found]:
            found.add(name)
            if not PurePosixPath(name).name.startswith("test_"):
                wanted.append(module_of(name))
    return {name for name in found if PurePosixPath(name).name.startswith("test_")}


def _mirrors(path: str, root: Path) -> Iterator[str]:
    it = PurePosixPath(path)
    if it.is_relative_to(TESTS):
        if it.name.startswith("test_") and it.suffix == ".py":
            yield path
        elif it.name == "conftest.py" and it.parent != TESTS:
            yield str(it.parent)
    elif it.is_relative_to(SOURCE):
        # The deepest folder of the suite with the same name.
        for folder in it.relative_to(SOURCE).parents:
            if folder.parts and (root / TESTS / folder).is_dir():
                yield str(TESTS / folder)
                break
    if it.suffix != ".py":
        yield from (tests for place, tests in LOOKED_AT.items() if it.is_relative_to(place))


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--since", default="main", help="the commit to compare with")
    parser.add_argument("--only-say", action="store_true", help="say what would be run")
    known, others = parser.parse_known_args(arguments)
    changed = changed_since(known.since)
    chosen = choose(changed)
    print(f"{len(changed)} files differ from {known.since}; these tests are touched:")
    for name, why in chosen.items():
        print(f"  {name:<55} {why}")
    sys.stdout.flush()
    return 0 if known.only_say else run_tests.main(["-q", *others, *chosen])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
