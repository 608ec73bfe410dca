"""Who judges pages: axe for what keeps somebody out, and a ruler for what is wider than its screen.

To judge a page takes longer than to draw it, so `make test` sees what pages do, and `make pages` how they look. It sets
`EVERY_LOOK` and runs the tests that are marked: `looks` run there alone; `judged` do something besides
and are judged there; those that are not `looks` too run in both. A test that has no mark is judged wherever it runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")
SCHEMES = ("light", "dark")
LANGUAGES = ("en", "tr")
LOOKS = [(language, scheme) for language in LANGUAGES for scheme in SCHEMES]
EVERY_LOOK = "EVERY_LOOK"

# What was in order is neither described nor brought here: that is a fifth of the work.
EVERYTHING: dict[str, Any] = {"reporter": "no-passes", "resultTypes": ["violations"], "preload": False}
STRUCTURE = {**EVERYTHING, "rules": {"color-contrast": {"enabled": False}}}
COLOURS = {**EVERYTHING, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
# Another layout with targets and regions of its own.
NARROW = {
    **EVERYTHING,
    "runOnly": {
        "type": "rule",
        "values": [
            "aria-hidden-focus",
            "scrollable-region-focusable",
            "link-name",
            "button-name",
            "label",
            "select-name",
        ],
    },
}
WIDEST = """[...document.querySelectorAll('body *')].filter(one => one.getBoundingClientRect().right > innerWidth + 1
    && !one.closest('.table-box, pre, dialog:not([open]), .tabs'))
    .slice(0, 4).map(one => one.tagName + '.' + one.className).join(' ')"""

# Whether the test that runs leaves its judgement to `make pages`.
_left_to_pages = [False]


def begin(item: pytest.Item) -> None:
    """Another test begins."""
    _left_to_pages[0] = item.get_closest_marker("judged") is not None and not os.environ.get(EVERY_LOOK)


def judges() -> bool:
    """Whether pages are judged in this test and this run."""
    return not _left_to_pages[0]


def violations(page: Page, options: dict[str, Any] = EVERYTHING, part: str | None = None) -> Iterator[tuple[str, str]]:
    """All that axe finds on this page, or on a part of it: how grave it is, and what."""
    if not judges():
        return
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE_SCRIPT)
    ask = """([part, {exclude, ...options}]) =>
        axe.run({include: [[part ?? 'html']], exclude: exclude ?? []}, options).then(r => r.violations)"""
    for violation in page.evaluate(ask, [part, options]):
        nodes = [f"{node['target']} {node['html'][:160]}" for node in violation["nodes"][:3]]
        yield violation["impact"], f"{violation['id']}: {violation['help']} {nodes}"


def serious(page: Page, options: dict[str, Any] = EVERYTHING) -> Iterator[str]:
    for impact, found in violations(page, options):
        if impact in SERIOUS:
            yield found


def barriers(page: Page, number: int, language: str) -> Iterator[str]:
    """What keeps somebody out of the page of this number in a list, which is open in this language.

    What differs is looked at: all of it in English by day; in Turkish the colours by night, and the layout of a phone. The places
    beside every page are the same ones, and are looked at with the first four.
    """
    places = {} if number < len(LOOKS) else {"exclude": [[".rail"]]}
    wide = page.viewport_size
    assert wide is not None
    if language == "en":
        for one in serious(page, {**EVERYTHING, **places}):
            yield f"light: {one}"
        return
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    for one in serious(page, {**COLOURS, **places}):
        yield f"dark: {one}"
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size({"width": 360, "height": 800})
    for one in serious(page, NARROW):
        yield f"on a phone: {one}"
    page.set_viewport_size(wide)


def overflow(page: Page, width: int) -> Iterator[str]:
    page.set_viewport_size({"width": width, "height": 800})
    over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    if over > 0:
        yield f"{over}px too wide at {width}, by {page.evaluate(WIDEST)}"
