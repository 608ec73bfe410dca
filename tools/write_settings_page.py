"""Write docs/reference/settings.md from the settings themselves, so that the page cannot fall behind."""

from __future__ import annotations

import sys
from dataclasses import Field, fields
from pathlib import Path
from typing import Any

from tablegram.settings import PREFIX, Settings

PAGE = Path(__file__).parent.parent / "docs" / "reference" / "settings.md"

INTRODUCTION = """\
# Settings

Set each as an environment variable. Tablegram reads them once, at start. Each has a default that works on a laptop; an
empty variable counts as not set. An unknown variable that begins with `TABLEGRAM_`, or a value that cannot be read, stops
the program with an error that names it. `tablegram doctor` checks the rest.

`make docs` writes this page from `src/tablegram/settings/model.py`; change it there.

| Variable | Value | Default | Meaning |
|---|---|---|---|
"""

VALUES = {
    "str": "text",
    "int": "whole number",
    "float": "number",
    "bool": "1 or 0",
    "Path": "path",
    "tuple[Network, ...]": "networks, comma-separated",
    "tuple[str, ...]": "names, comma-separated",
}


def render() -> str:
    """The whole page."""
    return INTRODUCTION + "".join(_row(item) for item in fields(Settings))


def _row(item: Field[Any]) -> str:
    meaning = item.metadata["doc"].replace("|", "\\|")
    return f"| `{PREFIX}{item.name.upper()}` | {VALUES[str(item.type)]} | {_default(item.default)} | {meaning} |\n"


def _default(value: Any) -> str:
    if value == "" or value == ():
        return "empty"
    if isinstance(value, bool):
        return f"`{int(value)}`"
    if isinstance(value, float) and value.is_integer():
        return f"`{int(value)}`"
    if isinstance(value, tuple):
        return f"`{','.join(value)}`"
    return f"`{value}`"


if __name__ == "__main__":
    PAGE.write_text(render(), encoding="utf-8")
    print(f"Written: {PAGE.relative_to(Path.cwd())}", file=sys.stderr)
