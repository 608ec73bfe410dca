"""The slices of ARCHITECTURE.md: every hop is a file that is there, holds what is named, and is gone through by the product."""

from __future__ import annotations

import re
from functools import cache

import pytest

from tests.docs.pages import ROOT

pytestmark = pytest.mark.once

SOURCE = ROOT / "src" / "tablegram"
_SECTION = re.compile(r"^## Three slices, hop by hop\n(.*?)^## ", re.MULTILINE | re.DOTALL)
_HOP = re.compile(r"^\| `([\w/]+\.(?:py|js))` `(\w+)` \|", re.MULTILINE)


def _hops() -> list[tuple[str, str]]:
    section = _SECTION.search((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    assert section
    hops = _HOP.findall(section[1])
    # Every row of the tables but their heads and the lines below them.
    assert len(hops) == sum(line.startswith("| `") for line in section[1].splitlines()) > 30
    return hops


def test_every_hop_of_the_slices_is_there() -> None:
    missing = [f"{path}: {name}" for path, name in _hops() if not _holds(path, name)]
    assert missing == []


def test_every_hop_of_the_slices_is_one_that_the_product_takes() -> None:
    """What only tests call is on nobody's way."""
    idle = [f"{path}: {name}" for path, name in _hops() if path.endswith(".py") and not _is_called(name)]
    assert idle == []


def _holds(path: str, name: str) -> bool:
    file = SOURCE / path
    if not file.is_file():
        return False
    said = rf"\b(?:class|def) {name}\b" if file.suffix == ".py" else rf"\b{name}\("
    return re.search(said, file.read_text(encoding="utf-8")) is not None


def _is_called(name: str) -> bool:
    return re.search(rf"(?<!class )(?<!def )(?<!import )\b{name}\b", _product()) is not None


@cache
def _product() -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py"))
