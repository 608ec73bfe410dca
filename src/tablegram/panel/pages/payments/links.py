"""Payment links: found, made, looked at, taken back, refunded; and what waits for a decision.

GET  /panel/payments                     ?q=&state=
GET  /panel/payments/export              the same as CSV
GET  /panel/payments/decisions
POST /panel/payments/decisions/settle    money that no link was known for
GET  /panel/payments/new
POST /panel/payments
GET  /panel/payments/links/{id}
POST /panel/payments/links/{id}/{cancel|refund|accept}
"""

from __future__ import annotations

import csv
import io
from typing import Any

import msgspec
from litestar import Response, get, post
from litestar.params import FromPath

from tablegram.errors import Invalid, Problem
from tablegram.flows.payments.answers import LinkView
from tablegram.flows.payments.fields import LinkFields, RefundFields
from tablegram.flows.payments.link_desk import Filters, LinkDesk
from tablegram.flows.payments.services import PaymentServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms, choice
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.payments.model import STATES
from tablegram.values.files.spreadsheets import harmless_in_csv
from tablegram.values.money import EXPONENTS, Money, from_wire, from_writing, to_wire, written

_SCOPE = {"scope": "payments:manage"}
HOME = "/panel/payments"
PER_PAGE = 25
MOST_EXPORTED = 5_000
# How long a link lives, as the form offers it, in seconds.
LIVES = (1_800, 86_400, 604_800)
TONES = {"making": "warn", "open": "info", "paid": "ok", "failed": "bad", "expired": "muted", "cancelled": "muted"}
_COLUMNS = (
    "id", "created_at", "state", "amount", "currency", "paid_amount", "paid_currency", "paid_at", "refunded_amount",
    "description", "phone", "provider", "mode", "attention",
)  # fmt: skip
_MONEY = ("amount", "paid_amount", "refunded_amount")


def desk_of(deps: PanelDeps) -> LinkDesk:
    return deps.services.of(PaymentServices).links


@get("/payments", opt=_SCOPE)
async def list_links(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    desk = desk_of(deps)
    found = await desk.page(visitor.caller, _filters(request), limit=PER_PAGE, cursor=asked(request, "cursor") or None)
    return page(
        request,
        visitor,
        "payments/list.html",
        links=[_shown(visitor, link) for link in found.data],
        next_cursor=found.next_cursor,
        is_asked=bool(asked(request, "q") or asked(request, "state")),
        is_ready=await desk.ready(visitor.caller),
        undecided=await desk.waiting(visitor.caller),
        states=STATES,
    )


@get("/payments/export", opt=_SCOPE)
async def export_links(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> Response[bytes]:
    found = await desk_of(deps).page(visitor.caller, _filters(request), limit=MOST_EXPORTED)
    table = io.StringIO()
    writer = csv.writer(table)
    writer.writerow(_COLUMNS)
    for link in found.data:
        writer.writerow([harmless_in_csv(_cell(link, name)) for name in _COLUMNS])
    headers = {"Content-Disposition": 'attachment; filename="payments.csv"'}
    return Response(table.getvalue().encode("utf-8-sig"), media_type="text/csv", headers=headers)


def _cell(link: LinkView, name: str) -> str:
    """Money with exactly as many decimals as its currency has."""
    value = getattr(link, name)
    if name in _MONEY:
        currency = link.currency if name == "amount" else link.paid_currency or link.currency
        return str(Money(from_wire(value, currency), currency).decimal)
    return "" if value is None else str(value)


@get("/payments/decisions", opt=_SCOPE)
async def list_decisions(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    desk = desk_of(deps)
    found = await desk.page(visitor.caller, Filters(undecided=True), limit=200)
    strays = [
        {
            "stray": one,
            "amount": written(one.amount.amount, one.amount.currency, visitor.language) if one.amount else "",
        }
        for one in await desk.strays(visitor.caller)
    ]
    links = [_shown(visitor, link) for link in found.data]
    return page(request, visitor, "payments/decisions.html", links=links, strays=strays, mark=new_mark())


@post("/payments/decisions/settle", opt=_SCOPE)
async def settle_stray(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    await desk_of(deps).settle_stray(visitor.caller, form.text("provider"), form.text("signal"))
    return redirect(request, f"{HOME}/decisions", toast=visitor.t("payments.settled"))


@get("/payments/new", opt=_SCOPE)
async def new_link(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _form(request, visitor, deps, Form())


@post("/payments", opt=_SCOPE, status_code=200)
async def create_link(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    try:
        fields = _typed(form, visitor)
        call = once(form, "panel payments", msgspec.json.encode(fields).decode())
        made = (await desk_of(deps).create(visitor.caller, fields, call)).value
    except Problem as problem:
        return await _form(request, visitor, deps, form, problem)
    toast = visitor.t("payments.made" if made.state == "open" else "payments.made_later")
    return redirect(request, f"{HOME}/links/{made.id}", toast=toast)


@get("/payments/links/{link_id:str}", opt=_SCOPE)
async def show_link(request: PageRequest, visitor: VisitorOf, deps: DepsOf, link_id: FromPath[str]) -> PageResponse:
    return await _one(request, visitor, deps, link_id)


@post("/payments/links/{link_id:str}/cancel", opt=_SCOPE, status_code=200)
async def cancel_link(request: PageRequest, visitor: VisitorOf, deps: DepsOf, link_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    try:
        link = (await desk_of(deps).cancel(visitor.caller, link_id, once(form, f"panel cancel {link_id}"))).value
    except Problem as problem:
        return await _one(request, visitor, deps, link_id, form, problem)
    toast = visitor.t("payments.cancelled" if link.state == "cancelled" else "payments.was_paid")
    return redirect(request, f"{HOME}/links/{link_id}", toast=toast)


@post("/payments/links/{link_id:str}/refund", opt=_SCOPE, status_code=200)
async def refund_link(request: PageRequest, visitor: VisitorOf, deps: DepsOf, link_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    desk = desk_of(deps)
    try:
        link = await desk.get(visitor.caller, link_id)
        typed = form.text("amount")
        amount = _amount(typed, link.paid_currency or link.currency, visitor) if typed else None
        fields: RefundFields = {"amount": amount, "reason": form.text("reason")}
        call = once(form, f"panel refund {link_id}", msgspec.json.encode(fields).decode())
        refund = (await desk.refund(visitor.caller, link_id, fields, call)).value
    except Problem as problem:
        return await _one(request, visitor, deps, link_id, form, problem)
    return redirect(request, f"{HOME}/links/{link_id}", toast=visitor.t(f"payments.refund_{refund.state}"))


@post("/payments/links/{link_id:str}/accept", opt=_SCOPE, status_code=200)
async def accept_link(request: PageRequest, visitor: VisitorOf, deps: DepsOf, link_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    try:
        await desk_of(deps).accept(visitor.caller, link_id, once(form, f"panel accept {link_id}"))
    except Problem as problem:
        return await _one(request, visitor, deps, link_id, form, problem)
    return redirect(request, f"{HOME}/links/{link_id}", toast=visitor.t("payments.settled"))


async def _one(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, link_id: str, form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:  # fmt: skip
    link = await desk_of(deps).get(visitor.caller, link_id)
    return page(
        request,
        visitor,
        "payments/link.html",
        payment=_shown(visitor, link),
        form=form,
        problem=problem,
        mark=new_mark(),
    )


async def _form(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form, problem: Problem | None = None
) -> PageResponse:
    return page(
        request,
        visitor,
        "payments/new.html",
        form=form,
        problem=problem,
        is_ready=await desk_of(deps).ready(visitor.caller),
        currencies=sorted(EXPONENTS),
        usual=usual_currency(visitor),
        lives=LIVES,
        mark=form.text("once") or new_mark(),
    )


def _filters(request: PageRequest) -> Filters:
    state = choice(request, "state", ("", *STATES))
    return Filters(state=state or None, search=asked(request, "q") or None)


def _typed(form: Form, visitor: Visitor) -> LinkFields:
    currency = form.text("currency")
    if currency not in EXPONENTS:
        raise Invalid.field("currency", "currency_unknown", visitor.t("payments.currency_wrong"))
    if not form.text("description") or len(form.text("description")) > 200:
        raise Invalid.field("description", "description_wrong", visitor.t("payments.description_wrong"))
    phone = "".join(one for one in form.text("phone") if one.isascii() and one.isdigit()).lstrip("0")
    if form.text("phone") and not 7 <= len(phone) <= 15:
        raise Invalid.field("phone", "phone_invalid", visitor.t("payments.phone_wrong"))
    lives = form.text("expires_in_s")
    return {
        "amount": _amount(form.text("amount"), currency, visitor),
        "currency": currency,
        "description": form.text("description"),
        "phone": phone,
        "expires_in_s": int(lives) if lives in map(str, LIVES) else LIVES[1],
        "language": visitor.language,
    }


def usual_currency(visitor: Visitor) -> str:
    return "TRY" if visitor.language == "tr" else "EUR"


def _amount(text: str, currency: str, visitor: Visitor) -> float:
    """As people type it: 12,5 or 1.250,00."""
    try:
        minor = from_writing(text, currency)
        if minor <= 0:
            raise ValueError(text)
    except ValueError:
        raise Invalid.field("amount", "amount_wrong", visitor.t("payments.amount_wrong")) from None
    return to_wire(minor, currency)


def _shown(visitor: Visitor, link: LinkView) -> dict[str, Any]:
    """A link with its sums in the visitor's writing, and its times as numbers."""
    received_in = link.paid_currency or link.currency

    def money(amount: float, currency: str) -> str:
        return written(from_wire(amount, currency), currency, visitor.language)

    left = from_wire(link.paid_amount, received_in) - from_wire(link.refunded_amount, received_in)
    left -= sum(from_wire(one.amount, one.currency) for one in link.refunds if one.state == "asked")
    return {
        **msgspec.structs.asdict(link),
        "money": money(link.amount, link.currency),
        "paid_money": money(link.paid_amount, received_in) if link.paid_amount else "",
        "refunded_money": money(link.refunded_amount, received_in) if link.refunded_amount else "",
        "left": left,
        "left_money": written(left, received_in, visitor.language),
        "waits": bool(link.attention) and link.settled_at is None,
        "tone": TONES[link.state],
        "created": at_ms(link.created_at),
        "expires": at_ms(link.expires_at),
        "paid_when": at_ms(link.paid_at),
        "refunds": [
            {
                "money": money(one.amount, one.currency),
                "state": one.state,
                "reason": one.reason,
                "at": at_ms(one.created_at),
            }
            for one in link.refunds
        ],
    }


HANDLERS = [
    list_links, export_links, list_decisions, settle_stray, new_link, create_link, show_link, cancel_link, refund_link,
    accept_link,
]  # fmt: skip
