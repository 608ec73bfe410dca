"""What on a page is in another language than the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import msgspec
from playwright.sync_api import Page

import tablegram.panel

WORDS = Path(tablegram.panel.__file__).parent / "words"


# English words that no Turkish sentence holds.
ENGLISH = re.compile(r"\b(the|and|with|from|your|you|is|are|was|this|that|which|have|has|been|will|of)\b", re.I)


@cache
def words(language: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for path in (WORDS / language).rglob("*.json"):
        found |= msgspec.json.decode(path.read_bytes())
    return found


# What people wrote and what machines read stays as it is: it stands in elements that say so.
TEXTS = """() => { const found = []; const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) { const parent = walk.currentNode.parentElement, text = walk.currentNode.data.trim();
      if (text && !parent.closest('code, pre, script, style, noscript, [dir=auto], bdi, [lang]:not(html), textarea, option'))
        found.push(text); }
    for (const one of document.querySelectorAll('[aria-label], [placeholder], [title]')) {
      if (one.closest('[lang]:not(html)') || one.closest('bdi, [dir=auto]')) continue;
      for (const name of ['aria-label', 'placeholder']) if (one.getAttribute(name)) found.push(one.getAttribute(name)); }
    return found; }"""


def foreign(page: Page) -> Iterator[str]:
    """Text of a Turkish page that is English, or no words at all."""
    english, turkish = words("en"), words("tr")
    # A language is called by its own name where somebody chooses it.
    wrong = {text for key, text in english.items() if turkish.get(key) != text} - set(turkish.values()) - {"English"}
    keys = re.compile(r"\b(" + "|".join(sorted({key.partition(".")[0] for key in english})) + r")\.[a-z_]+\b")
    for text in page.evaluate(TEXTS):
        key = keys.search(text)
        if text in wrong or len(set(ENGLISH.findall(text.lower()))) >= 2 or (key and key[0] in english):
            yield text
