"""Who judges pages: axe for what keeps somebody out, and a ruler for what is wider than its screen.

To judge a page takes longer than to draw it. So the suite judges each page in one of four looks, by turns: in
English or Turkish, by day or by night. `make pages` sets `EVERY_LOOK` and judges each page in all four.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

SERIOUS = ("serious", "critical")
SCHEMES = ("light", "dark")
LOOKS = [(language, scheme) for language in ("en", "tr") for scheme in SCHEMES]
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


def looks_of(number: int, language: str) -> list[str]:
    """The schemes in which the page of this number in a list is judged when it is open in this language."""
    chosen = LOOKS if os.environ.get(EVERY_LOOK) else [LOOKS[number % len(LOOKS)]]
    return [scheme for spoken, scheme in chosen if spoken == language]


def serious(page: Page, options: dict[str, Any]) -> Iterator[str]:
    if not page.evaluate("typeof axe === 'object'"):
        page.evaluate(AXE_SCRIPT)
    ask = "({exclude, ...options}) => axe.run({include: [['html']], exclude: exclude ?? []}, options).then(r => r.violations)"
    for violation in page.evaluate(ask, options):
        if violation["impact"] in SERIOUS:
            nodes = [f"{node['target']} {node['html'][:160]}" for node in violation["nodes"][:3]]
            yield f"{violation['id']}: {violation['help']} {nodes}"


def barriers(page: Page, number: int, language: str) -> Iterator[str]:
    """What keeps somebody out, on a wide screen and on a phone, in the looks that this page is judged in.

    The places beside every page are the same ones: they are looked at with the first four.
    """
    options = EVERYTHING if number < len(LOOKS) else {**EVERYTHING, "exclude": [[".rail"]]}
    wide = page.viewport_size
    assert wide is not None
    for scheme in looks_of(number, language):
        page.emulate_media(color_scheme="dark" if scheme == "dark" else "light", reduced_motion="reduce")
        for one in serious(page, options):
            yield f"{scheme}: {one}"
        page.set_viewport_size({"width": 360, "height": 800})
        for one in serious(page, NARROW):
            yield f"on a phone: {one}"
        page.set_viewport_size(wide)
    page.emulate_media(color_scheme="light", reduced_motion="reduce")


def overflow(page: Page, width: int) -> Iterator[str]:
    page.set_viewport_size({"width": width, "height": 800})
    over = page.evaluate("document.documentElement.scrollWidth - window.innerWidth")
    if over > 0:
        yield f"{over}px too wide at {width}, by {page.evaluate(WIDEST)}"
