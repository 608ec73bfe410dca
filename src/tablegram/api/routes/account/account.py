"""Who calls, and what they have called."""

from __future__ import annotations

from typing import Annotated

from litestar import Response, get
from litestar.params import PathParameter, QueryParameter

from tablegram.accounts.keys.calls import CallFilter
from tablegram.api.records.shown import view
from tablegram.api.requests import ApiRequest, json
from tablegram.api.routes.parameters import Cursor, Limit
from tablegram.api.routing import segment
from tablegram.api.schemas.answers import Account, KeyFacts, Me, Quota, RateFigures, RequestPage, RequestView
from tablegram.errors import NotFound
from tablegram.values.clock import iso
from tablegram.values.cursor import decode_cursor, following
from tablegram.web.version import API_VERSION

_LOG = {"scope": "account:manage"}


@get("/me", tags=["Account"], summary="Who am I", operation_id="getMe", opt={"scope": "", "test_keys": True})
async def get_me(request: ApiRequest) -> Response[Me]:
    """The account, the key and its scopes, the quota. Needs no scope: use it to test a connection."""
    caller = request.caller
    quota = await request.deps.account.quota_state(caller)
    return json(
        Me(
            account=Account(id=caller.account_id, name=caller.account_name, plan=caller.plan),
            key=KeyFacts(
                id=caller.key_id,
                name=caller.key_name,
                mode=caller.mode,
                scopes=sorted(caller.scopes),
                expires_at=iso(caller.expires_at),
            ),
            quota=Quota(
                billing=quota.billing,
                free_messages=quota.free_messages,
                free_used=quota.free_used,
                free_left=quota.free_left,
                free_until=iso(quota.free_until),
                balance_usd=quota.balance_micros / 1_000_000,
            ),
            rate_limit=RateFigures(per_second=caller.rate, burst=caller.burst),
            api_version=API_VERSION,
        )
    )


@get("/requests", opt=_LOG, tags=["Account"], summary="List API calls", operation_id="listRequests")
async def list_requests(
    request: ApiRequest,
    limit: Limit = 50,
    cursor: Cursor = None,
    status: Annotated[
        str | None, QueryParameter(pattern="^[1-5]([0-9]{2}|xx)$", description="A status, or a class such as 4xx.")
    ] = None,
    key_id: Annotated[str | None, QueryParameter(max_length=64, description="The key that called.")] = None,
    q: Annotated[
        str | None,
        QueryParameter(max_length=200, description="A request id, a problem's code, or a part of the address."),
    ] = None,
) -> Response[RequestPage]:
    """The account's own calls of this API, newest first. A call appears about a second after it was answered."""
    before = "" if cursor is None else decode_cursor(cursor)
    wanted = CallFilter(search=q or "", key_id=key_id or "", status=status or "")
    rows = await request.behind.request_log.calls.read(request.caller, before, limit + 1, wanted)
    return json(RequestPage(data=[view(row) for row in rows[:limit]], next_cursor=following(rows, limit)))


@get("/requests/{request_id:str}", opt=_LOG, tags=["Account"], summary="Look up an API call", operation_id="getRequest")
async def get_request(
    request: ApiRequest, request_id: Annotated[str, PathParameter(description="The X-Request-Id of its answer.")]
) -> Response[RequestView]:
    """One call by its request id."""
    row = await request.behind.request_log.calls.look_up(request.caller, segment(request_id))
    if row is None:
        raise NotFound("There is no such request in this account's log.", code="request_unknown")
    return json(view(row))


HANDLERS = [get_me, list_requests, get_request]
