"""The order of the pages: that of the links in `docs/index.md`, section by section, so that it is said once."""

from __future__ import annotations

import re
from pathlib import Path

# A page by its path; or a title, with an address or with what stands below it.
Entry = str | dict[str, "str | list[Entry]"]

INDEX = "index.md"
_SECTION = re.compile(r"^## ([^:\n]+)")
_GROUP = re.compile(r"^### (.+)")
_PAGE = re.compile(r"\]\(([^)#:\s]+\.md)(?:#[^)\s]*)?\)")


def navigation(docs: Path) -> list[Entry]:
    """Sections, groups and pages in their order. A page stands where it is named first."""
    top: list[Entry] = [{"Start here": INDEX}]
    section: list[Entry] = []
    here = section
    seen = {INDEX}
    for line in (docs / INDEX).read_text(encoding="utf-8").splitlines():
        if found := _SECTION.match(line):
            here = section = []
            top.append({found[1]: section})
        elif found := _GROUP.match(line):
            here = []
            section.append({found[1]: here})
        for path in [one for named in _PAGE.findall(line) for one in _with_its_folder(docs, named)]:
            if path not in seen:
                seen.add(path)
                here.append(path)
    return top


def _with_its_folder(docs: Path, page: str) -> list[str]:
    """The page; the one that opens a folder brings the others of that folder along, by name."""
    path = Path(page)
    if path.name != "README.md":
        return [page]
    return [
        page,
        *sorted(str(path.parent / one.name) for one in (docs / path.parent).glob("*.md") if one.name != path.name),
    ]
