"""The pages as the generator wants them: all in one folder, those of the repository's root and files they name included."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from pathlib import Path

# What stands beside `docs/` and belongs to the site.
ROOT_PAGES = ("ARCHITECTURE.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
# Why the tests leave a command out is for who changes the page.
_NOT_RUN = re.compile(r"^ *# not run:.*\n", re.MULTILINE)
_LINK = re.compile(r"(\]\()([^)\s#]+)((?:#[^)\s]*)?\))")
_FENCED = re.compile(r"(^ *```.*?^ *```[ \t]*$)", re.MULTILINE | re.DOTALL)
# What belongs to an item of a list. The generator wants four spaces for it; with fewer it ends the list, and counts from 1 again.
_BELOW = re.compile(r"^ {2,3}(?=\S)", re.MULTILINE)
_FURTHER_BELOW = re.compile(r"^ {5,7}(?=\S)", re.MULTILINE)


def stage(root: Path, target: Path) -> None:
    """Copy the pages below `root` to `target`; links among them lead to the same things there."""
    docs = root / "docs"
    places = {path: target / path.relative_to(docs) for path in sorted(docs.rglob("*")) if path.is_file()}
    places |= {root / name: target / "project" / name.lower() for name in ROOT_PAGES}
    # The README opens the repository; who is here already is at the page that does the same for the docs.
    places[root / "README.md"] = target / "index.md"
    for path, place in list(places.items()):
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            shutil.copy(path, place)
        elif path.name != "README.md" or path.parent != root:
            place.write_text(_staged(path, places, root, target), encoding="utf-8")


def _staged(page: Path, places: dict[Path, Path], root: Path, target: Path) -> str:
    def follow(link: re.Match[str]) -> str:
        before, address, after = link.groups()
        aim = (page.parent / address).resolve()
        if re.match(r"[a-z]+:", address) or not aim.is_file():
            return link[0]
        if aim not in places:
            # A file of the source or of deploy/: it comes along, as it is.
            places[aim] = target / "files" / f"{aim.relative_to(root)}.txt"
            places[aim].parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(aim, places[aim])
        return f"{before}{os.path.relpath(places[aim], places[page].parent)}{after}"

    parts = _FENCED.split(page.read_text(encoding="utf-8"))
    return "".join(_moved(part) if at % 2 else _indented(_LINK.sub(follow, part)) for at, part in enumerate(parts))


def _indented(text: str) -> str:
    return _FURTHER_BELOW.sub(" " * 8, _BELOW.sub(" " * 4, text))


def _moved(fence: str) -> str:
    """A sample, as far to the right as the item that it belongs to; its own lines stay as they are to each other."""
    spaces = len(fence) - len(fence.lstrip(" "))
    return textwrap.indent(_NOT_RUN.sub("", fence), " " * (-spaces % 4))
