"""From the network: its news, what is for a number that is no line's, and what nobody understands yet.

GET /panel/network                 ?q=&show=&line=&cursor=
GET /panel/network/{notice_id}
"""

from __future__ import annotations

from typing import Any

from litestar import get
from litestar.params import FromPath
from msgspec.structs import asdict

from tablegram.errors import ScopeMissing
from tablegram.flows.gateway.callbacks.reading import SCOPES, NoticeView
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import PER_PAGE, asked, choice
from tablegram.panel.i18n import words
from tablegram.panel.pages.integrations.snippets import every_line
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor

_MANAGE = {"scope": "instances:manage"}
_SHOWN = ("", "unknown")


@get("/network", opt=_MANAGE)
async def list_news(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    _check(visitor)
    search, show = asked(request, "q"), choice(request, "show", _SHOWN)
    lines = {line.id: line.name for line in await every_line(deps, visitor)}
    asked_line = asked(request, "line")
    line_id = int(asked_line) if asked_line.isascii() and asked_line.isdecimal() and len(asked_line) < 19 else None
    found = await deps.gateway.news.page(
        visitor.caller, q=search, only_unknown=show == "unknown", line_id=line_id, limit=PER_PAGE,
        cursor=asked(request, "cursor"),
    )  # fmt: skip
    return page(
        request,
        visitor,
        "gateway/network/list.html",
        notices=[_shown(visitor, one) for one in found.data],
        next_cursor=found.next_cursor,
        lines=lines,
        line_id=line_id,
        is_filtered=bool(search or show or line_id is not None),
    )


@get("/network/{notice_id:str}", opt=_MANAGE)
async def one_notice(request: PageRequest, visitor: VisitorOf, deps: DepsOf, notice_id: FromPath[str]) -> PageResponse:
    _check(visitor)
    notice = await deps.gateway.news.get(visitor.caller, notice_id)
    lines = {line.id: line.name for line in await every_line(deps, visitor)}
    return page(request, visitor, "gateway/network/one.html", notice=_shown(visitor, notice), lines=lines)


def _check(visitor: Visitor) -> None:
    """Raw bodies hold what customers wrote."""
    if not all(visitor.can(scope) for scope in SCOPES):
        raise ScopeMissing(visitor.t("frame.forbidden_text"))


def _shown(visitor: Visitor, notice: NoticeView) -> dict[str, Any]:
    """With its kind in words; a kind that has none is told by the network's own name for it."""
    known = words(visitor.language)
    return {
        **asdict(notice),
        "kind_words": known.get(f"network.kind_{notice.kind}", notice.field),
        "says": " · ".join(str(value) for value in notice.facts.values()),
    }


HANDLERS = [list_news, one_notice]
