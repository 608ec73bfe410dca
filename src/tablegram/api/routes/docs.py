"""The documents about the API; they need no key."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from litestar import MediaType, Response, get
from litestar.params import FromPath
from markupsafe import Markup, escape

from tablegram.api import docs_page
from tablegram.api.docs_page import areas
from tablegram.api.docs_page.catalogue import CODES
from tablegram.api.requests import ApiRequest
from tablegram.api.routing import BASE
from tablegram.errors import NotFound
from tablegram.values.http.languages import choose_language
from tablegram.values.words import LANGUAGES, Words
from tablegram.web import STATIC as SHARED
from tablegram.web.assets import Asset, asset
from tablegram.web.compression import pack, takes_gzip
from tablegram.web.guards import closed_policy, page_headers
from tablegram.web.static_file import static_answer
from tablegram.web.version import API_VERSION

_PUBLIC = {"scope": "", "public": True}
_HERE = Path(docs_page.__file__).parent

_POLICY = closed_policy(script="'self'", style="'self'", img="'self'", connect="'self'")
# Of what stands around the document, which is English itself.
_WORDS = Words(areas.__file__)
# Words that the scripts say.
_SPOKEN = ("key_wrong", "key_used", "key_forgotten", "key_first", "found_one", "found", "copy", "copied", "waiting",
           "no_answer", "answered")  # fmt: skip
_ASSETS = {
    "tokens.css": "text/css",
    "docs.css": "text/css",
    "docs.js": "text/javascript",
    "key.js": "text/javascript",
    "samples.js": "text/javascript",
    "trying.js": "text/javascript",
    "words.js": "text/javascript",
    "mark.svg": "image/svg+xml",
}


@cache
def _pages() -> jinja2.Environment:
    pages = jinja2.Environment(
        loader=jinja2.FileSystemLoader(_HERE),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    pages.filters["ticks"] = _ticks
    return pages


def _ticks(words: str) -> Markup:
    """What stands between backticks is code; everything else is plain text."""
    parts = re.split(r"`([^`]+)`", words)
    return Markup("").join(
        Markup("<code>{}</code>").format(part) if at % 2 else escape(part) for at, part in enumerate(parts)
    )


@cache
def _asset(name: str) -> Asset:
    own = _HERE / "static" / name
    return asset((own if own.is_file() else SHARED / name).read_bytes(), _ASSETS[name])


def _page(name: str, request: ApiRequest, **values: Any) -> Response[bytes]:
    asked = request.query_params.get("lang")
    language = choose_language(asked, request.headers.get("accept-language", ""), LANGUAGES)
    words = _WORDS.of(language)
    page = (
        _pages()
        .get_template(name)
        .render(
            version=API_VERSION,
            root=BASE,
            areas=areas.names(request.behind.openapi()),
            language=language,
            other=next(one for one in LANGUAGES if one != language),
            # Who has chosen a language keeps it from page to page.
            kept=f"?lang={language}" if asked in LANGUAGES else "",
            t=lambda word, **figures: words[word].format(**figures) if figures else words[word],
            spoken=msgspec.json.encode({word: words[word] for word in _SPOKEN}).decode(),
            **values,
        )
        .encode()
    )
    headers = page_headers(_POLICY, language)
    # The same for everybody: a browser may keep it, and asks.
    headers |= {"Cache-Control": "no-cache", "Vary": "Accept-Encoding, Accept-Language"}
    if takes_gzip(request.scope):
        page, headers["Content-Encoding"] = pack(page), "gzip"
    return Response(page, media_type=MediaType.HTML, headers=headers)


@get("/docs", opt=_PUBLIC, include_in_schema=False)
async def get_docs(request: ApiRequest) -> Response[bytes]:
    document = request.behind.openapi()
    sending = areas.area(document, "sending", request.deps.settings.base_url + BASE)
    first = next(call.samples for call in sending.calls if call.id == "sendText")
    return _page("index.html", request, here="", codes=CODES, overview=areas.overview(document), first=first)


@get("/docs/{name:str}", opt=_PUBLIC, include_in_schema=False)
async def get_docs_part(request: ApiRequest, name: FromPath[str]) -> Response[Any]:
    """An area's page, or a file that the pages use."""
    if name in _ASSETS:
        return static_answer(request, _asset(name), "public, max-age=3600")
    document = request.behind.openapi()
    if name not in areas.names(document):
        raise NotFound("There is no such page.", code="path_unknown")
    area = areas.area(document, name, request.deps.settings.base_url + BASE)
    return _page("area.html", request, here=name, area=area)


@get("/openapi.json", opt=_PUBLIC, include_in_schema=False)
async def get_openapi(request: ApiRequest) -> Response[bytes]:
    document = msgspec.json.encode(request.behind.openapi())
    return Response(document, media_type="application/json")


HANDLERS = [get_docs, get_docs_part, get_openapi]
