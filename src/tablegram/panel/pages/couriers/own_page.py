"""The way to a courier's own page: the link and its QR code to hand out, a new PIN, and an end to both.

GET  /panel/couriers/people/{id}/page
POST /panel/couriers/people/{id}/page      `act`: pin, link or revoke
"""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Conflict, NotFound
from tablegram.flows.delivery.couriers.answers import CourierLink
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.i18n import say
from tablegram.panel.pages.couriers.board import services_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.qr import draw_qr

_MANAGE = {"scope": "restaurant:manage"}


@get("/couriers/people/{courier_id:str}/page", opt=_MANAGE)
async def show_page(request: PageRequest, visitor: VisitorOf, deps: DepsOf, courier_id: FromPath[str]) -> PageResponse:
    return await _shown(request, visitor, deps, await services_of(deps).access.link(visitor.caller, courier_id))


@post("/couriers/people/{courier_id:str}/page", opt=_MANAGE, status_code=200)
async def hand_out(request: PageRequest, visitor: VisitorOf, deps: DepsOf, courier_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    act, here, access = form.text("act"), f"/panel/couriers/people/{courier_id}/page", services_of(deps).access
    if act == "revoke":
        await access.revoke(visitor.caller, courier_id)
        return redirect(request, here, toast=visitor.t("couriers.page_revoked"))
    if act not in ("pin", "link"):
        raise NotFound("A courier's page is given by `pin` or `link`, and taken by `revoke`.", code="action_unknown")
    try:
        call = once(form, f"panel courier page {courier_id}", act)
        given = await access.grant(visitor.caller, courier_id, call, new_link=act == "link")
    except Conflict as problem:
        return redirect(request, here, toast=say(visitor.language, problem), tone="bad")
    # Told here and now, and never again: it travels in no address and no cookie.
    return await _shown(request, visitor, deps, given.value)


async def _shown(request: PageRequest, visitor: Visitor, deps: PanelDeps, link: CourierLink) -> PageResponse:
    courier = await services_of(deps).couriers.get(visitor.caller, link.courier_id)
    return page(
        request,
        visitor,
        "couriers/own_page.html",
        courier=courier,
        link_to_page=link,
        picture=draw_qr(link.url) if link.url else "",
        mark=new_mark(),
    )


HANDLERS = [show_page, hand_out]
