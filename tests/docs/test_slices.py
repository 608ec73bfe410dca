"""The slices of ARCHITECTURE.md: every hop is a file that is there, and holds what is named."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import ROOT

pytestmark = pytest.mark.once

_SECTION = re.compile(r"^## Three slices, hop by hop\n(.*?)^## ", re.MULTILINE | re.DOTALL)
_HOP = re.compile(r"^\| `([\w/]+\.(?:py|js))` `(\w+)` \|", re.MULTILINE)


def test_every_hop_of_the_slices_is_there() -> None:
    section = _SECTION.search((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    assert section
    hops = _HOP.findall(section[1])
    # Every row of the tables but their heads and the lines below them.
    assert len(hops) == sum(line.startswith("| `") for line in section[1].splitlines()) > 30
    missing = [f"{path}: {name}" for path, name in hops if not _holds(path, name)]
    assert missing == []


def _holds(path: str, name: str) -> bool:
    file = ROOT / "src" / "tablegram" / path
    if not file.is_file():
        return False
    said = rf"\b(?:class|def) {name}\b" if file.suffix == ".py" else rf"\b{name}\("
    return re.search(said, file.read_text(encoding="utf-8")) is not None
