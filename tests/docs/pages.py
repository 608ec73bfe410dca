"""The project's pages as the tests see them: fenced blocks, links, headings and the make targets they name."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])

NOT_RUN = "# not run:"

_FENCE = re.compile(r"^( *)```(\S*)[^\n]*\n(.*?)^\1```[ \t]*$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
_HEADING = re.compile(r"^#{1,6} +(.+?) *$", re.MULTILINE)
_MAKE = re.compile(r"(?:^|[`&;] *)make +([a-z][a-z-]*)", re.MULTILINE)
_TARGET = re.compile(r"^([a-z][a-z-]*):(?!=)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """One fenced block: where it is, its language, and its text without the indentation of a list."""

    page: Path
    line: int
    language: str
    text: str

    @property
    def name(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def reason_not_run(self) -> str | None:
        """Why a command is left out; None when it is run. The reason stands in the block, for the reader too."""
        first = self.text.lstrip().split("\n", 1)[0]
        return first.removeprefix(NOT_RUN).strip() if first.startswith(NOT_RUN) else None


def blocks(*languages: str) -> list[Block]:
    """Every fenced block of these languages, or of all when none is named."""
    return [block for page in PAGES for block in _blocks(page) if not languages or block.language in languages]


@functools.cache
def _blocks(page: Path) -> list[Block]:
    source = page.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(source):
        indent, language, text = match.groups()
        unindented = re.sub(rf"^{indent}", "", text, flags=re.MULTILINE)
        found.append(Block(page, source.count("\n", 0, match.start()) + 1, language, unindented))
    return found


def links(page: Path) -> list[str]:
    """Targets of the links and pictures in the running text."""
    return _LINK.findall(prose(page))


@functools.cache
def anchors(page: Path) -> set[str]:
    """What a `#fragment` may name: the headings, written the way that code hosts turn them into anchors."""
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in _HEADING.findall(prose(page))}


@functools.cache
def prose(page: Path) -> str:
    """What a page says around its fenced blocks."""
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


def named_make_targets(page: Path) -> set[str]:
    """Targets that a page tells its reader to call, in code or in a code span."""
    source = page.read_text(encoding="utf-8")
    code = [match.group(3) for match in _FENCE.finditer(source)] + re.findall(r"`[^`\n]+`", prose(page))
    return {target for part in code for target in _MAKE.findall(part)}


def make_targets() -> set[str]:
    return set(_TARGET.findall((ROOT / "Makefile").read_text(encoding="utf-8")))
