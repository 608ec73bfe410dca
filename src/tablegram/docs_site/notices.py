"""Plain pages for when there is no page: not built, nowhere, or refused."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from tablegram.errors import Problem
from tablegram.values.http.languages import choose_language
from tablegram.values.words import LANGUAGES, Words
from tablegram.web import problems
from tablegram.web.asgi import Field, Scope, header

if TYPE_CHECKING:
    from jinja2 import Environment

_WORDS = Words(__file__)
_HERE = Path(__file__).parent


def not_built(scope: Scope) -> tuple[int, list[Field], bytes]:
    return _page(scope, 503, "not_built", command="make docs-site")


def nowhere(scope: Scope) -> tuple[int, list[Field], bytes]:
    return _page(scope, 404, "nowhere")


def refused(scope: Scope, problem: Problem) -> tuple[int, list[Field], bytes]:
    word = "too_many" if problem.status == 429 else "refused"
    status, fields, body = _page(scope, problem.status, word)
    return status, [*fields, *problems.headers(problem)], body


@cache
def _pages() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(loader=FileSystemLoader(_HERE / "templates"), autoescape=True, undefined=StrictUndefined)


def _page(scope: Scope, status: int, word: str, command: str = "") -> tuple[int, list[Field], bytes]:
    wish = dict(parse_qsl(scope["query_string"].decode("latin-1")[:200])).get("lang")
    language = choose_language(wish, header(scope, b"accept-language"), LANGUAGES)
    words = _WORDS.of(language)
    html = _pages().get_template("notice.html").render(language=language, t=words, word=word, command=command)
    fields: list[Field] = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-language", language.encode()),
        (b"cache-control", b"no-store"),
        (b"vary", b"accept-language"),
    ]
    return status, fields, html.encode()
