"""The panel's styles, modules and pictures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from litestar import Request, Response, get
from litestar.params import FromPath

from tablegram.web import STATIC as SHARED
from tablegram.web.assets import Shelf, read_folders
from tablegram.web.static_file import static_answer

SHELF = Shelf(lambda: read_folders(SHARED, Path(__file__).parent / "static"))


def address(name: str) -> str:
    """Where the page finds a file."""
    return f"/panel/static/{SHELF.edition}/{SHELF.must_have(name)}"


@get("/static/{edition:str}/{name:str}", opt={"public": True})
async def static_file(request: Request[Any, Any, Any], edition: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    return static_answer(request, SHELF.find(name), SHELF.keep(edition))


HANDLERS = [static_file]
