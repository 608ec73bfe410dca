"""Request log: the account's calls of the API, with the problem in words.

GET  /panel/requests                ?q=&status=&key=&cursor=
GET  /panel/requests/{request_id}   with its bodies, where the account keeps them
POST /panel/requests                whether it keeps them
"""

from __future__ import annotations

from typing import Any

from litestar import get, post
from litestar.params import FromPath

from tablegram.accounts.keys.bodies import READER
from tablegram.accounts.keys.calls import READERS, CallFilter
from tablegram.accounts.keys.key_records import KeyRecord
from tablegram.errors import NotFound, ScopeMissing
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import PER_PAGE, asked, choice
from tablegram.panel.i18n import words
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.storage.database import Row
from tablegram.values.cursor import decode_cursor, encode_cursor

STATUSES = ("", "2xx", "4xx", "5xx")
# Problems whose own words name the field or the value.
_EXACT = frozenset(
    {
        "control_characters", "media_failed", "menu_full", "network_parameter_invalid", "network_parameter_missing",
        "not_allowed", "not_for_kind", "parameter_invalid", "repeated", "request_malformed", "scope_unknown",
        "state_conflict", "too_few", "too_many", "too_short", "url_invalid",
    }
)  # fmt: skip


@get("/requests")
async def requests(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    _check(visitor)
    cursor = asked(request, "cursor")
    wanted = CallFilter(
        search=asked(request, "q"), key_id=asked(request, "key"), status=choice(request, "status", STATUSES)
    )
    rows = await deps.integrations.calls.read(
        visitor.caller, decode_cursor(cursor) if cursor else "", PER_PAGE + 1, wanted
    )
    keys = await _keys(visitor, deps)
    return page(
        request,
        visitor,
        "integrations/requests/list.html",
        calls=[_shown(visitor, row) for row in rows[:PER_PAGE]],
        next_cursor=encode_cursor(rows[PER_PAGE - 1]["id"]) if len(rows) > PER_PAGE else None,
        statuses=STATUSES,
        keys=keys,
        key_names={key.id: key.name or key.last4 for key in keys},
        is_filtered=bool(wanted.search or wanted.key_id or wanted.status),
        keeps_bodies=visitor.can(READER) and await deps.integrations.bodies.are_kept(visitor.caller),
    )


@get("/requests/{request_id:str}")
async def one_request(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, request_id: FromPath[str]
) -> PageResponse:
    _check(visitor)
    row = await deps.integrations.calls.look_up(visitor.caller, request_id)
    if row is None:
        raise NotFound(visitor.t("requests.unknown"), code="request_unknown")
    names = {key.id: key.name or key.last4 for key in await _keys(visitor, deps)}
    may = visitor.can(READER)
    return page(
        request,
        visitor,
        "integrations/requests/one.html",
        call=_shown(visitor, row),
        key_names=names,
        bodies=await deps.integrations.bodies.of(visitor.caller, row["id"]) if may else None,
        keeps_bodies=may and await deps.integrations.bodies.are_kept(visitor.caller),
        may_keep=may,
    )


@post("/requests", opt={"scope": READER})
async def keep_bodies(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    wanted = (await read_form(request)).flag("keep")
    await deps.integrations.bodies.keep(visitor.caller, wanted)
    toast = visitor.t("requests.bodies_on" if wanted else "requests.bodies_off")
    return redirect(request, "/panel/requests", toast=toast)


async def _keys(visitor: Visitor, deps: PanelDeps) -> list[KeyRecord]:
    """All of them, the newest first: an account that changes its keys often has had many."""
    return await deps.integrations.granting.keys(visitor.caller) if visitor.can("keys:manage") else []


def _check(visitor: Visitor) -> None:
    if not any(visitor.can(scope) for scope in READERS):
        raise ScopeMissing(visitor.t("frame.forbidden_text"))


def _shown(visitor: Visitor, row: Row) -> dict[str, Any]:
    code = row["code"] or ""
    return {
        **{name: row[name] for name in ("request_id", "key_id", "method", "path", "status", "remote", "created_at")},
        "code": code,
        "detail": row["detail"] or "",
        "meaning": _meaning(visitor, code),
        "duration_ms": row["duration_us"] / 1_000,
    }


def _meaning(visitor: Visitor, code: str) -> str:
    """What a code means, in the visitor's language where we have words for it.

    What the panel's own forms say of the same problem serves too; in English the answer's own words are more exact.
    """
    known = words(visitor.language)
    if visitor.language == "en":
        return "" if code in _EXACT else known.get(f"code.{code}", "")
    shared = known.get(f"problem.{code}", "")
    return known.get(f"code.{code}", "") or ("" if "{" in shared else shared)


HANDLERS = [requests, one_request, keep_bodies]
