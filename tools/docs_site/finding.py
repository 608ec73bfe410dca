"""What the search finds: a decision as a whole, under its own name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec


def tidy_search(site: Path) -> None:
    path = site / "search.json"
    index = msgspec.json.decode(path.read_bytes())
    index["items"] = _whole(index["items"])
    path.write_bytes(msgspec.json.encode(index))


def _whole(items: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every decision has the same few headings, which tell nobody what was found: it is found under its own name."""
    found: list[dict[str, Any]] = []
    for item in items:
        page, _, part = item["location"].partition("#")
        if part and page.startswith("decisions/0") and found and found[-1]["location"] == page:
            found[-1]["text"] = f"{found[-1]['text']} {item['text']}".strip()
        else:
            # Its name need not stand below its name.
            found.append({**item, "path": item["path"][:1]} if page.startswith("decisions/0") else item)
    return found
