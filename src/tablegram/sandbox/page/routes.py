"""The phone page and its files.

GET /sandbox/               ?phone=&text=&to=&lang=
GET /sandbox/static/{name}
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from tablegram.sandbox.network import Network
from tablegram.sandbox.phones.chats import DEMO_NAMES
from tablegram.values.http import languages
from tablegram.values.words import LANGUAGES, Words
from tablegram.web import STATIC as SHARED
from tablegram.web.assets import Shelf, read_folders
from tablegram.web.guards import page_headers, policy
from tablegram.web.static_file import static_answer

_HERE = Path(__file__).parent
words = Words(__file__).of
SHELF = Shelf(lambda: read_folders(SHARED, _HERE / "static"))
POLICY = policy(media="'self'")
pages = Environment(
    loader=FileSystemLoader([_HERE / "templates", SHARED]),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


@get("/")
async def phone_page(request: Request[Any, Any, Any], network: NamedDependency[Network]) -> Response[str]:
    _fill_first_visit(network)
    language = choose_language(request.query_params.get("lang"), request.headers.get("accept-language", ""))
    text = pages.get_template("phones.html").render(
        language=language,
        languages=LANGUAGES,
        words=words(language),
        other_words={one: words(one) for one in LANGUAGES},
        words_json=_safe_json(words(language)),
        version=SHELF.edition,
        guest=next(iter(DEMO_NAMES.items())),
    )
    return Response(text, media_type="text/html", headers=page_headers(POLICY, language))


@get("/static/{name:str}")
async def static_file(request: Request[Any, Any, Any], name: FromPath[str]) -> Response[bytes]:
    # A page names the edition it wants, and then the file never changes; modules that import one
    # another by plain name ask again, which costs an empty 304.
    file = static_answer(request, SHELF.find(name), SHELF.keep(request.query_params.get("v", "")))
    file.headers["X-Content-Type-Options"] = "nosniff"
    return file


@get("/favicon.ico")
async def favicon() -> Redirect:
    return Redirect("/sandbox/static/mark.svg")


def choose_language(asked: str | None, accepted: str) -> str:
    """What the address says, else what the browser likes best, else English."""
    return languages.choose_language(asked, accepted, LANGUAGES)


def _fill_first_visit(network: Network) -> None:
    """Two people to begin with, so that the page is never bare."""
    for number, name in DEMO_NAMES.items():
        if network.chats.count_phones() < len(DEMO_NAMES):
            network.chats.ensure_phone(number, network.clock.now_ms(), name)


def _safe_json(value: Any) -> str:
    """JSON that cannot end the element it stands in."""
    return msgspec.json.encode(value).decode().replace("<", "\\u003c")


HANDLERS = [phone_page, static_file, favicon]
