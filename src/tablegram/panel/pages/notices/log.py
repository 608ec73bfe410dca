"""What was said because of a shop's events, what was not and why; and carts with their timers.

GET /panel/notices/log      ?q=&kind=&state=
GET /panel/notices/carts    ?q=&state=
"""

from __future__ import annotations

from datetime import date
from typing import Any, get_args

from litestar import get

from tablegram.flows.stores.notices.answers import CartView, NoticeView
from tablegram.flows.stores.notices.notice_desk import Filters
from tablegram.panel.frame.charts import Chart, Series, draw
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice
from tablegram.panel.i18n import format_date, format_number
from tablegram.panel.pages.notices.wording import desk_of
from tablegram.panel.render import PageResponse, page
from tablegram.panel.visitor import Visitor
from tablegram.stores.carts.figures import CartSummary
from tablegram.stores.carts.model import State as CartState
from tablegram.stores.notifications.kinds import KINDS
from tablegram.stores.notifications.model import State
from tablegram.values.money import from_wire, is_currency, written

_SCOPE = {"scope": "stores:manage"}
PER_PAGE = 25
STATES: tuple[str, ...] = get_args(State)
CART_STATES: tuple[str, ...] = get_args(CartState)
TONES = {"waiting": "info", "sent": "ok", "skipped": "warn", "cancelled": "muted"}
CART_TONES = {"open": "info", "left": "muted", "bought": "ok", "recovered": "ok", "deleted": "muted"}


@get("/notices/log", opt=_SCOPE)
async def show_log(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    filters = Filters(
        kind=choice(request, "kind", ("", *KINDS)) or None,
        state=choice(request, "state", ("", *STATES)) or None,
        search=asked(request, "q") or None,
    )
    cursor = asked(request, "cursor") or None
    found = await desk_of(deps).notices(visitor.caller, filters, limit=PER_PAGE, cursor=cursor)
    return page(
        request,
        visitor,
        "notices/log.html",
        notices=[_notice(one) for one in found.data],
        next_cursor=found.next_cursor,
        is_asked=bool(filters.kind or filters.state or filters.search),
        kinds=KINDS,
        states=STATES,
    )


@get("/notices/carts", opt=_SCOPE)
async def show_carts(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    filters = Filters(state=choice(request, "state", ("", *CART_STATES)) or None, search=asked(request, "q") or None)
    desk, cursor = desk_of(deps), asked(request, "cursor") or None
    found = await desk.carts(visitor.caller, filters, limit=PER_PAGE, cursor=cursor)
    figures = await desk.summary(visitor.caller, visitor.zone)
    revenue = [written(sum_, name, visitor.language) for name, sum_ in figures.revenue.items() if is_currency(name)]
    return page(
        request,
        visitor,
        "notices/carts.html",
        carts=[_cart(visitor, one) for one in found.data],
        next_cursor=found.next_cursor,
        is_asked=bool(filters.state or filters.search),
        figures=figures,
        revenue=" + ".join(revenue) or "–",
        chart=_chart(visitor, figures),
        states=CART_STATES,
    )


def _notice(one: NoticeView) -> dict[str, Any]:
    return {"view": one, "tone": TONES[one.state], "due": _at(one.due_at), "created": _at(one.created_at)}


def _cart(visitor: Visitor, one: CartView) -> dict[str, Any]:
    return {
        "view": one,
        "tone": CART_TONES[one.state],
        "money": _money(visitor, one.amount, one.currency),
        "bought": _money(visitor, one.bought_amount, one.bought_currency),
        "due": _at(one.due_at),
        "updated": _at(one.updated_at),
    }


def _at(text: str | None) -> int | None:
    return None if text is None else at_ms(text)


def _money(visitor: Visitor, amount: float | None, currency: str) -> str:
    return "" if amount is None else written(from_wire(amount, currency), currency, visitor.language)


def _chart(visitor: Visitor, figures: CartSummary) -> Chart:
    series = [
        Series(visitor.t(f"notices.cart_{state}"), [getattr(day, state) for day in figures.days])
        for state in ("recovered", "bought", "left")
    ]
    return draw(
        visitor.t("notices.chart"),
        [format_date(visitor.language, date.fromisoformat(day.day)) for day in figures.days],
        series,
        lambda value: format_number(visitor.language, value),
        visitor.t(
            "notices.chart_summary", days=len(figures.days), recovered=figures.recovered, reminded=figures.reminded
        ),
    )


HANDLERS = [show_log, show_carts]
