"""Why a contact was not written to."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get
from litestar.params import QueryParameter

from tablegram.api.requests import ApiRequest, json
from tablegram.api.routes.contacts.contacts import ContactId
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routing import segment
from tablegram.flows.contacts.unsent import Source, UnsentPage


@get(
    "/contacts/{contact_id:str}/unsent",
    opt={"scope": "contacts:read"},
    tags=["Contacts"],
    summary="List what was not sent",
    operation_id="listContactUnsent",
)
async def list_unsent(
    request: ApiRequest,
    contact_id: ContactId,
    source: Annotated[Source | None, QueryParameter(description="Only of this source.")] = None,
    reason: Annotated[
        str | None, QueryParameter(max_length=100, description="Only with this reason, such as `no_consent`.")
    ] = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> Response[UnsentPage]:
    """Messages that a contact would have got, each with why nothing was sent, the newest first. Campaigns and automations
    need `campaigns:read` too, notices of shops `stores:manage`, what was to be told of points and gift cards `loyalty:read`."""
    desk = request.deps.contacts.unsent
    found = await desk.of_contact(
        request.caller, segment(contact_id), source=source or "", reason=reason or "", limit=limit, cursor=cursor
    )
    return json(found)


HANDLERS = [list_unsent]
