"""Every figure that `/metrics` shows is explained on its page, and the page explains no other."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.api.product_in_process import product

pytestmark = pytest.mark.once

PAGE = Path(__file__).parents[2] / "docs/reference/metrics.md"
# A line of the page's tables: a figure, or one of the drains that the label tells apart.
_NAMED = re.compile(r"^\| `([a-z_ ]+)` \|", re.MULTILINE)


async def test_the_page_has_every_figure_and_no_other(database_url: str, tmp_path: Path) -> None:
    # With all that an installation may have.
    every = {"reader_url": "http://127.0.0.1:9/v1", "reader_model": "a-model", "sandbox": True}
    async with product(database_url, tmp_path, **every) as running:
        await running.ask("GET", "/me")
        figures = await running.api.whole.figures()
    named = set(_NAMED.findall(PAGE.read_text()))
    explained = {name for name in named if name.startswith("tablegram_")}
    assert explained == {f"tablegram_{name.partition('{')[0]}" for name in figures}
    labels = {name.split('"')[1] for name in figures if name.startswith("drain_")}
    assert named - explained - {"drain"} == labels
