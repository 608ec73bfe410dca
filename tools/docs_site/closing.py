"""What the generator wrote, made fit for the product's content policy: no script and no style stands in a page."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

SCRIPTS = "assets/javascripts"
_SCRIPT = re.compile(r"<script>(.*?)</script>", re.DOTALL)
_ALIGNED = re.compile(r' style="text-align: (left|right|center);"')
_CELL = re.compile(r"<td[ >].*?</td>", re.DOTALL)
_CODE = re.compile(r"<code>[^<]*</code>")
# Whatever is left of these would not work when it is served.
_OPEN = re.compile(r"<script>|<style[ >]|<[a-z][^<>]*\s(?:style|on[a-z]+)=[\"']")
# The search draws itself apart from the page, with a style element of its own.
_STYLE_ELEMENT = re.compile(r'(\w+)\.appendChild\(\w+\("style",\{\},(\w+)\.toString\(\)\)\)')
_STYLE_SHEET = r"(s=>{s.replaceSync(\2.toString());\1.adoptedStyleSheets=[s]})(new CSSStyleSheet)"


def close_pages(site: Path) -> None:
    """Scripts become files that pages name, styles become sheets, and alignments become classes of our own style."""
    old, new = _close_bundle(site / SCRIPTS)
    for page in sorted(site.rglob("*.html")):
        page.write_text(_closed(page.read_text(encoding="utf-8").replace(old, new), page, site), encoding="utf-8")


def _closed(text: str, page: Path, site: Path) -> str:
    text = _SCRIPT.sub(lambda found: _as_file(found[1], page, site), text)
    text = _ALIGNED.sub(r' class="\1"', text)
    text = _CELL.sub(lambda cell: _CODE.sub(_breakable, cell[0]), text)
    if found := _OPEN.search(text):
        raise ValueError(f"{page.relative_to(site)} holds {found[0]!r}, which the content policy does not let through")
    return text


def _close_bundle(folder: Path) -> tuple[str, str]:
    """The theme's script without its one style element; its name follows what is in it. The old name and the new one."""
    (bundle,) = folder.glob("bundle.*.min.js")
    text, times = _STYLE_ELEMENT.subn(_STYLE_SHEET, bundle.read_text(encoding="utf-8"))
    if times != 1:
        raise ValueError(f"{bundle.name} makes its style in another way than before: look at it, and mend this module")
    closed = bundle.with_name(f"bundle.{_mark(text)}.min.js")
    closed.write_text(text, encoding="utf-8")
    bundle.unlink()
    return bundle.name, closed.name


def _as_file(script: str, page: Path, site: Path) -> str:
    file = site / SCRIPTS / f"part.{_mark(script)}.js"
    file.write_text(script, encoding="utf-8")
    return f'<script src="{os.path.relpath(file, page.parent)}"></script>'


def _breakable(code: re.Match[str]) -> str:
    """A long name in a table may go on in the next line, but only between its words."""
    return re.sub(r"(?<=\w)[_./](?=\w)", r"\g<0><wbr>", code[0])


def _mark(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:8]
