"""Whatever follows live on a page can be asked for by itself: every part of every page that an owner comes to by links."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from tests.panel.test_restaurant_day import open_venue
from tests.panel.visiting import house

pytestmark = pytest.mark.once

_LINK = re.compile(r'href="(/panel/[^"#]*)"')
_PART = re.compile(r'data-part="([^"]+)"')
# Of pages that differ in an id alone one is looked at.
_ID = re.compile(r"/[^/?]*\d[^/?]*|/[0-9a-z]{20,}")
_MOST_PAGES = 150


async def test_every_part_of_every_page_can_be_asked_for_by_itself(database_url: str, tmp_path: Path) -> None:
    async with house(database_url, tmp_path) as one:
        await open_venue(one)
        owner = await one.person("owner")
        waiting, kinds, parts = ["/panel/"], set[str](), 0
        while waiting and len(kinds) < _MOST_PAGES:
            path = waiting.pop(0)
            kind = _ID.sub("/*", path.partition("?")[0])
            if kind in kinds or kind.endswith(("/export", ".csv", ".pdf", "/sign-out")):
                continue
            kinds.add(kind)
            page = await owner.get(path)
            assert page.status < 500, path
            if page.status != 200:
                continue
            for part in sorted(set(_PART.findall(page.text))):
                told = await owner.get(f"{path}{'&' if '?' in path else '?'}part={part}")
                assert told.status == 200, (path, part, told.text[:200])
                assert "<html" not in told.text, (path, part)
                parts += 1
            waiting += [unescape(link) for link in _LINK.findall(page.text)]
        # The places of the navigation and what they lead to; else nothing was looked at.
        assert {"/panel/till", "/panel/takings", "/panel/board", "/panel/bills"} <= kinds
        assert parts > 30, parts
