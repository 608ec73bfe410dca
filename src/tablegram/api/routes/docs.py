"""The documents about the API; they need no key."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

import jinja2
import msgspec
import swagger_ui
from litestar import MediaType, Response, get
from litestar.params import FromPath

from tablegram.api.docs_page.catalogue import CODES
from tablegram.api.requests import ApiRequest
from tablegram.api.routing import BASE
from tablegram.errors import NotFound
from tablegram.web.assets import Asset, asset
from tablegram.web.static_file import static_answer

_PUBLIC = {"scope": "", "public": True}
_OWN = files("tablegram.api.docs_page")
_SWAGGER = Path(swagger_ui.__file__).parent / "static"

# Swagger UI styles its elements inline, which is why styles are allowed to be; scripts are not.
_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "connect-src 'self'; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
_ASSETS = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "page.css": "text/css",
    "start.js": "text/javascript",
    "mark.svg": "image/svg+xml",
}


@cache
def _page() -> jinja2.Template:
    text = (_OWN / "page.html").read_text(encoding="utf-8")
    return jinja2.Environment(autoescape=True).from_string(text)


@cache
def _asset(name: str) -> Asset:
    own = _OWN / "static" / name
    return asset(own.read_bytes() if own.is_file() else (_SWAGGER / name).read_bytes(), _ASSETS[name])


@get("/docs", opt=_PUBLIC, include_in_schema=False)
async def get_docs(request: ApiRequest) -> Response[str]:
    page = _page().render(codes=CODES, base=request.deps.settings.base_url + BASE)
    return Response(
        page,
        media_type=MediaType.HTML,
        headers={"Content-Security-Policy": _POLICY, "Referrer-Policy": "no-referrer"},
    )


@get("/docs/{name:str}", opt=_PUBLIC, include_in_schema=False)
async def get_asset(request: ApiRequest, name: FromPath[str]) -> Response[bytes]:
    if name not in _ASSETS:
        raise NotFound("There is no such file.", code="path_unknown")
    return static_answer(request, _asset(name), "public, max-age=3600")


@get("/openapi.json", opt=_PUBLIC, include_in_schema=False)
async def get_openapi(request: ApiRequest) -> Response[bytes]:
    document = msgspec.json.encode(request.behind.openapi())
    return Response(document, media_type="application/json")


HANDLERS = [get_docs, get_asset, get_openapi]
