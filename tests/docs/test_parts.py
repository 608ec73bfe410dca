"""The picture of the parts in ARCHITECTURE.md is whole: every part stands there, and all that one can contribute."""

from __future__ import annotations

import re
from dataclasses import fields
from inspect import getsource

import pytest

from tablegram.wiring.contribution import Contribution
from tablegram.wiring.part import Part
from tablegram.wiring.parts import PARTS
from tablegram.wiring.product import Product
from tests.docs.pages import ROOT

pytestmark = pytest.mark.once

_PICTURE = re.compile(r"^## Parts\n.*?^```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
_FIELDS = "      each part ──▶ "


def _picture() -> tuple[str, str]:
    """The parts, and below them what one contributes."""
    found = _PICTURE.search((ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8"))
    assert found
    parts, arrow, contributes = found[1].partition(_FIELDS)
    assert arrow
    return parts, contributes


def test_every_part_stands_in_the_picture() -> None:
    parts, _ = _picture()
    # At the beginning of its row, or in the row of the edges.
    rows = [row.strip() for row in parts.splitlines()]
    edges = next(row for row in rows if row.startswith("api ")).split()
    missing = [
        one.name
        for one in PARTS
        if one.name not in edges and not any(re.match(rf"{one.name}(?= )|.* {{4,}}{one.name} ", row) for row in rows)
    ]
    assert missing == []


def test_every_field_of_a_part_and_of_what_it_contributes_stands_in_the_picture() -> None:
    of_part, _, of_contribution = _picture()[1].partition("Contribution")
    for kind, told in ((Part, of_part), (Contribution, of_contribution)):
        assert {one.name for one in fields(kind)} - set(re.findall(r"\w+", told)) == set(), kind.__name__


def test_the_product_is_read_on_one_screen_and_knows_no_part_by_name() -> None:
    source = getsource(Product)
    assert len(source.splitlines()) <= 65
    assert [one.name for one in PARTS if f'"{one.name}"' in source] == []
