"""Request log: the account's calls of the API, with the problem in words.

GET /panel/requests                 ?q=&status=&key=&cursor=
GET /panel/requests/{request_id}
"""

from __future__ import annotations

from typing import Any

from litestar import get
from litestar.params import FromPath

from tablegram.accounts.calls import CallFilter
from tablegram.errors import NotFound, ScopeMissing
from tablegram.panel.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.i18n import words
from tablegram.panel.listing import PER_PAGE, asked, choice
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor
from tablegram.storage.database import Row
from tablegram.values.cursor import decode_cursor, encode_cursor

STATUSES = ("", "2xx", "4xx", "5xx")
_SCOPES = ("keys:manage", "account:manage")


@get("/requests")
async def requests(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    _check(visitor)
    cursor = asked(request, "cursor")
    wanted = CallFilter(
        search=asked(request, "q"), key_id=asked(request, "key"), status=choice(request, "status", STATUSES)
    )
    account_id = visitor.caller.account_id
    rows = await deps.calls.page(account_id, decode_cursor(cursor) if cursor else "", PER_PAGE + 1, wanted)
    keys = await deps.key_ring.list_keys(account_id)
    return page(
        request,
        visitor,
        "requests/list.html",
        calls=[_shown(visitor, row) for row in rows[:PER_PAGE]],
        next_cursor=encode_cursor(rows[PER_PAGE - 1]["id"]) if len(rows) > PER_PAGE else None,
        statuses=STATUSES,
        keys=keys,
        key_names={key.id: key.name or key.last4 for key in keys},
        is_filtered=bool(wanted.search or wanted.key_id or wanted.status),
    )


@get("/requests/{request_id:str}")
async def one_request(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, request_id: FromPath[str]
) -> PageResponse:
    _check(visitor)
    row = await deps.calls.find(visitor.caller.account_id, request_id)
    if row is None:
        raise NotFound(visitor.t("requests.unknown"), code="request_unknown")
    keys = await deps.key_ring.list_keys(visitor.caller.account_id)
    names = {key.id: key.name or key.last4 for key in keys}
    return page(request, visitor, "requests/one.html", call=_shown(visitor, row), key_names=names)


def _check(visitor: Visitor) -> None:
    if not any(visitor.can(scope) for scope in _SCOPES):
        raise ScopeMissing(visitor.t("frame.forbidden_text"))


def _shown(visitor: Visitor, row: Row) -> dict[str, Any]:
    code = row["code"] or ""
    return {
        **{name: row[name] for name in ("request_id", "key_id", "method", "path", "status", "remote", "created_at")},
        "code": code,
        "detail": row["detail"] or "",
        # In the visitor's language where we have words for it.
        "meaning": words(visitor.language).get(f"code.{code}", "") if code else "",
        "duration_ms": row["duration_us"] / 1_000,
    }


HANDLERS = [requests, one_request]
