"""Where things are brought to for a contact: labelled, corrected, deleted.

GET, POST /panel/contacts/{id}/addresses; POST /panel/contacts/{id}/addresses/{address_id}
"""

from __future__ import annotations

from litestar import get, post
from litestar.params import FromPath

from tablegram.engine.idempotency import Call
from tablegram.errors import Problem
from tablegram.flows.delivery.address_desk import AddressDesk
from tablegram.flows.delivery.fields import AddressFields
from tablegram.flows.delivery.services import DeliveryServices
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_MANAGE = {"scope": "contacts:manage"}


@get("/contacts/{contact_id:str}/addresses", opt=_MANAGE)
async def show_addresses(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    return await _shown(request, visitor, deps, contact_id)


@post("/contacts/{contact_id:str}/addresses", opt=_MANAGE, status_code=200)
async def add_address(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    try:
        await _desk(deps).add(visitor.caller, contact_id, _typed(form), Call("panel address"))
    except Problem as problem:
        return await _shown(request, visitor, deps, contact_id, form, problem, "new")
    return redirect(request, f"/panel/contacts/{contact_id}/addresses", toast=visitor.t("addresses.saved"))


@post("/contacts/{contact_id:str}/addresses/{address_id:str}", opt=_MANAGE, status_code=200)
async def change_address(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, contact_id: FromPath[str], address_id: FromPath[str]
) -> PageResponse:
    form, desk = await read_form(request), _desk(deps)
    try:
        if form.text("act") == "remove":
            await desk.remove(visitor.caller, contact_id, address_id)
        else:
            await desk.change(visitor.caller, contact_id, address_id, _typed(form))
    except Problem as problem:
        return await _shown(request, visitor, deps, contact_id, form, problem, address_id)
    toast = "addresses.removed" if form.text("act") == "remove" else "addresses.saved"
    return redirect(request, f"/panel/contacts/{contact_id}/addresses", toast=visitor.t(toast))


async def _shown(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, contact_id: str, form: Form | None = None,
    problem: Problem | None = None, opened: str = "",
) -> PageResponse:  # fmt: skip
    contact = await deps.contacts.pool.get(visitor.caller, contact_id)
    found = await _desk(deps).addresses(visitor.caller, contact_id)
    name = contact.name.strip() or next(iter(contact.phones), "")
    return page(
        request, visitor, "contacts/addresses.html", contact=contact, name=name, addresses=found, form=form,
        problem=problem, opened=opened,
    )  # fmt: skip


def _typed(form: Form) -> AddressFields:
    return {"label": form.text("label"), "address": form.text("address")}


def _desk(deps: PanelDeps) -> AddressDesk:
    return deps.services.of(DeliveryServices).addresses


HANDLERS = [show_addresses, add_address, change_address]
