"""The account's API keys."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, delete, get, post
from litestar.params import JSONBody, PathParameter

from tablegram.api.requests import ApiRequest, answered, json
from tablegram.api.routes.parameters import Cursor, Limit, moment_ms
from tablegram.api.routing import segment
from tablegram.api.schemas.gateway.manage import CreateKey
from tablegram.flows.integrations.answers import KeyPage, NewKeyView

_MANAGE = {"scope": "keys:manage", "test_keys": True}
_TAGS = ["Keys"]


@get("/keys", opt=_MANAGE, tags=_TAGS, summary="List keys", operation_id="listKeys")
async def list_keys(request: ApiRequest, limit: Limit = 50, cursor: Cursor = None) -> Response[KeyPage]:
    """The account's keys, oldest first; a test key sees test keys. The keys themselves are never shown again."""
    return json(await request.deps.integrations.granting.page(request.caller, limit, cursor))


@post("/keys", status_code=201, opt=_MANAGE, tags=_TAGS, summary="Create a key", operation_id="createKey")
async def create_key(request: ApiRequest, data: JSONBody[CreateKey]) -> Response[NewKeyView]:
    """Makes a key and shows it this once. It can never do more than the key that makes it.

    Only a repeated call with the same `Idempotency-Key` shows it again; until then the answer is kept sealed.
    """
    answer = await request.deps.integrations.granting.create(
        request.caller,
        request.call(),
        name=data.name or "",
        mode=data.mode or request.caller.mode,
        scopes=data.scopes,
        expires_at=moment_ms(data.expires_at, "expires_at"),
    )
    return answered(answer)


@delete(
    "/keys/{key_id:str}", status_code=204, opt=_MANAGE, tags=_TAGS, summary="Revoke a key", operation_id="revokeKey"
)
async def revoke_key(request: ApiRequest, key_id: Annotated[str, PathParameter(description="The key's id.")]) -> None:
    """Ends a key for good; it stops working within 5 seconds everywhere."""
    await request.deps.integrations.granting.revoke(request.caller, segment(key_id))


HANDLERS = [list_keys, create_key, revoke_key]
