"""The coats' address in the API, their page in the panel, how they are found, and the hook that the coat rack calls."""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import JSONBody

from tablegram.api.requests import ApiRequest, json
from tablegram.engine.inbox import Inbox
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.finding import Finder, Found
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import fits
from tablegram.panel.visitor import Visitor
from tests.wiring.cloakroom.coats import CloakroomServices


class Coat(msgspec.Struct):
    phone: str
    colour: str


_TAGS = ["Coats"]


@get("/coats", opt={"scope": "contacts:read"}, tags=_TAGS, summary="List coats", operation_id="listCoats")
async def list_coats(request: ApiRequest) -> Response[dict[str, Any]]:
    """Every coat."""
    return json({"data": await request.deps.services.of(CloakroomServices).coats.every(request.caller)})


@post("/coats", opt={"scope": "contacts:manage"}, tags=_TAGS, summary="Hang a coat", operation_id="hangCoat")
async def hang_coat(request: ApiRequest, data: JSONBody[Coat]) -> Response[dict[str, Any]]:
    """One more."""
    coats = request.deps.services.of(CloakroomServices).coats
    return json(await coats.hang(request.caller, data.phone, data.colour), 201)


@get("/coats", opt={"scope": "contacts:read"})
async def show_coats(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> Response[str]:
    every = await deps.services.of(CloakroomServices).coats.every(visitor.caller)
    return Response(", ".join(coat.colour for coat in every), media_type="text/html")


async def find_coats(deps: PanelDeps, visitor: Visitor, search: str, most: int) -> list[Found]:
    every = await deps.services.of(CloakroomServices).coats.every(visitor.caller)
    return [Found(coat.colour, "/panel/coats", coat.phone) for coat in every if fits(search, coat.colour)][:most]


# A real domain has words and an icon of its own; this one borrows those of the contacts.
FINDER = Finder("people", "contacts", "contacts:read", find_coats)


class Rack:
    """Keeps what the rack tells of account 1, and answers."""

    def __init__(self, inbox: Inbox) -> None:
        self._inbox = inbox

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = (await receive())["body"]
        await self._inbox.store(1, "cloakroom:1", body)
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
        await send({"type": "http.response.body", "body": b""})
