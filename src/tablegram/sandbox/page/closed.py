"""What a person sees who may not hold the phones: a page with the reason and the way, where a program gets a problem."""

from __future__ import annotations

from typing import Any

from tablegram.sandbox.page.routes import choose_language, pages, words
from tablegram.web.guards import closed_policy, hash_of

# Their own styles come along: to who is not let in no other file is given.
_STYLE = (
    ":root{color-scheme:light dark}"
    "body{margin:0;min-height:100dvh;display:grid;place-items:center;font:17px/1.5 system-ui,sans-serif}"
    "main{max-width:34rem;padding:24px}h1{font-size:28px;line-height:1.2}code{font-size:15px}"
)
POLICY = closed_policy(style=hash_of(_STYLE))


def wants_page(scope: Any) -> bool:
    accepted = _header(scope, b"accept")
    return scope["method"] in ("GET", "HEAD") and "text/html" in accepted


def closed_page(scope: Any) -> bytes:
    language = choose_language(None, _header(scope, b"accept-language"))
    # Who comes from the menu has an order with them.
    with_order = b"text=" in scope["query_string"]
    page = pages.get_template("closed.html").render(
        language=language, words=words(language), style=_STYLE, with_order=with_order
    )
    return page.encode()


def _header(scope: Any, wanted: bytes) -> str:
    return ",".join(value.decode("latin-1") for name, value in scope["headers"] if name == wanted)
