"""The page of printers that are pictures: what is printed rolls out as it would be on paper.

GET /sandbox/paper                       ?lang=&part=rolls
GET /sandbox/paper/{sheet}/{place}.png   a picture on a sheet
"""

from __future__ import annotations

from typing import Any

from litestar import Request, Response, get
from litestar.di import NamedDependency
from litestar.params import FromPath

from tablegram.errors import NotFound
from tablegram.sandbox.network import Network
from tablegram.sandbox.page.routes import POLICY, SHELF, choose_language, pages, words
from tablegram.sandbox.paper.decoder import Code, Done, Dots, Line, Seen
from tablegram.values.files.png import png_of_dots
from tablegram.values.qr import draw_qr
from tablegram.values.words import LANGUAGES
from tablegram.web.guards import page_headers


@get("/paper")
async def paper_page(request: Request[Any, Any, Any], network: NamedDependency[Network]) -> Response[str]:
    language = choose_language(request.query_params.get("lang"), request.headers.get("accept-language", ""))
    name = "rolls.html" if request.query_params.get("part") == "rolls" else "paper.html"
    text = pages.get_template(name).render(
        language=language, languages=LANGUAGES, words=words(language), other_words={one: words(one) for one in LANGUAGES},
        version=SHELF.edition, rolls=list(network.rolls), kind_of=_kind, draw_qr=draw_qr,
    )  # fmt: skip
    return Response(text, media_type="text/html", headers=page_headers(POLICY, language))


@get("/paper/{sheet:int}/{place:str}")
async def sheet_dots(network: NamedDependency[Network], sheet: FromPath[int], place: FromPath[str]) -> Response[bytes]:
    number = place.removesuffix(".png")
    found = (
        network.rolls.dots(sheet, int(number)) if number.isascii() and number.isdigit() and len(number) < 6 else None
    )
    if found is None:
        raise NotFound("There is no such picture on the paper.", code="picture_unknown")
    return Response(png_of_dots(*found), media_type="image/png", headers={"X-Content-Type-Options": "nosniff"})


def _kind(seen: Seen) -> str:
    kinds = {Line: "line", Dots: "dots", Code: "code", Done: "done"}
    return kinds[type(seen)]


HANDLERS = [paper_page, sheet_dots]
