"""`/pay/{link}`: where payers land. Landing here proves nothing; the page says how the payment stands."""

from __future__ import annotations

from markupsafe import escape

from tablegram.payments.model import Link
from tablegram.payments.returning import Returning
from tablegram.values.money import written
from tablegram.values.words import Words
from tablegram.web.asgi import Receive, Scope, Send, answer
from tablegram.web.guards import closed_policy, guards, hash_of

PREFIX = "/pay/"
_REFRESH_S = 3
_WORDS = Words(__file__)
_STYLE = (
    ":root{color-scheme:light dark}body{margin:0;font:1.125rem/1.5 system-ui,sans-serif;background:Canvas;color:CanvasText}"
    "main{max-width:28rem;margin:0 auto;padding:3rem 1.25rem;text-align:center;overflow-wrap:anywhere}"
    "h1{font-size:2rem;margin:0 0 .5rem}p{margin:0 0 1rem}"
    ".test{display:inline-block;border:1px solid;border-radius:.5rem;padding:.125rem .5rem;font-size:.875rem}"
    "a{display:inline-block;padding:.75rem 1.25rem;border:2px solid;border-radius:.75rem;color:inherit;font-weight:600;"
    "text-decoration:none}"
)
_POLICY = closed_policy(style=hash_of(_STYLE))


class Landing:
    def __init__(self, returning: Returning, base_url: str) -> None:
        self._returning = returning
        self._guards = guards(_POLICY, base_url)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            await answer(send, 405, [(b"allow", b"GET, HEAD"), *self._guards])
            return
        link = await self._returning.shown(scope["path"].removeprefix(PREFIX))
        page = _nothing() if link is None else _page(link)
        fields = [(b"content-type", b"text/html; charset=utf-8"), (b"cache-control", b"no-store"), *self._guards]
        await answer(send, 404 if link is None else 200, fields, b"" if scope["method"] == "HEAD" else page.encode())


def _nothing() -> str:
    english, turkish = _WORDS.of("en"), _WORDS.of("tr")
    return _html("en", english["title"], f"<p>{english['unknown']}</p><p lang=tr>{turkish['unknown']}</p>")


def _page(link: Link) -> str:
    language = _WORDS.spoken(link.language)
    words = _WORDS.of(language)
    waits = link.is_alive
    state: str = "open" if waits else link.state
    if link.received and link.refunded == link.received:
        state = "refunded"
    parts = [
        f'<p><span class="test">{words["test"]}</span></p>' if link.mode == "test" else "",
        f"<h1>{escape(written(link.amount, link.currency, language))}</h1>",
        f"<p>{escape(link.description)}</p>",
        f'<p role="status">{words[state]}</p>',
        f'<p><a href="{escape(link.url)}">{words["again"]}</a></p>' if waits and link.url else "",
    ]
    refresh = f'<meta http-equiv="refresh" content="{_REFRESH_S}">' if waits else ""
    return _html(language, words["title"], "".join(parts), refresh)


def _html(language: str, title: str, body: str, head: str = "") -> str:
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f'<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex">{head}'
        f"<title>{title}</title><style>{_STYLE}</style></head><body><main>{body}</main></body></html>"
    )
