"""Payment providers: connected step by step, tried out, chosen, taken away.

GET  /panel/payments/providers
GET  /panel/payments/providers/new               ?provider=
POST /panel/payments/providers
GET  /panel/payments/providers/{id}
POST /panel/payments/providers/{id}              other keys
POST /panel/payments/providers/{id}/{check|default|delete}
"""

from __future__ import annotations

from typing import Any

import msgspec
from litestar import get, post
from litestar.params import FromPath

from tablegram.errors import Invalid, Problem
from tablegram.flows.payments.answers import ProviderView
from tablegram.flows.payments.fields import ProviderFields
from tablegram.flows.payments.provider_desk import CONNECTS, ProviderDesk
from tablegram.flows.payments.services import PaymentServices
from tablegram.flows.payments.trial import STEPS, Trial
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked, at_ms
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.pages.payments.links import usual_currency
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.payments.kinds import KINDS

_READ, _MANAGE = {"scope": "payments:manage"}, {"scope": CONNECTS}
HOME = "/panel/payments/providers"


def desk_of(deps: PanelDeps) -> ProviderDesk:
    return deps.services.of(PaymentServices).providers


@get("/payments/providers", opt=_READ)
async def list_providers(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    found = await desk_of(deps).page(visitor.caller)
    providers = [_shown(one) for one in found.data]
    undecided = await deps.services.of(PaymentServices).links.waiting(visitor.caller)
    return page(request, visitor, "payments/providers.html", providers=providers, undecided=undecided)


@get("/payments/providers/new", opt=_MANAGE)
async def new_provider(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return _form(request, visitor, deps, Form(), asked(request, "provider"))


@post("/payments/providers", opt=_MANAGE, status_code=200)
async def create_provider(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    provider = form.text("provider")
    if provider not in desk_of(deps).kinds:
        return redirect(request, f"{HOME}/new")
    mode = form.text("mode")
    fields: ProviderFields = {
        "provider": provider,
        "keys": _keys(form, provider),
        "mode": "test" if mode == "test" else "live" if mode == "live" else None,
    }
    try:
        call = once(form, "panel providers", msgspec.json.encode(fields).decode())
        made = (await desk_of(deps).create(visitor.caller, fields, call)).value
    except Problem as problem:
        return _form(request, visitor, deps, form, provider, problem)
    return redirect(request, f"{HOME}/{made.id}", toast=visitor.t("providers.added"))


@get("/payments/providers/{provider_id:str}", opt=_READ)
async def show_provider(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, provider_id: FromPath[str]
) -> PageResponse:
    return await _one(request, visitor, deps, provider_id)


@post("/payments/providers/{provider_id:str}", opt=_MANAGE, status_code=200)
async def update_provider(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, provider_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    kept = await desk_of(deps).get(visitor.caller, provider_id)
    keys = {name: value for name, value in _keys(form, kept.provider).items() if value}
    try:
        await desk_of(deps).change(visitor.caller, provider_id, {"keys": keys})
    except Invalid as problem:
        return await _one(request, visitor, deps, provider_id, form, problem)
    return redirect(request, f"{HOME}/{provider_id}", toast=visitor.t("providers.saved"))


@post("/payments/providers/{provider_id:str}/check", opt=_MANAGE, status_code=200)
async def check_provider(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, provider_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    wish = {
        "currency": usual_currency(visitor),
        "description": visitor.t("providers.trial_link"),
        "language": visitor.language,
    }
    trials = deps.services.of(PaymentServices).trials
    found = await trials.run(visitor.caller, provider_id, once(form, f"panel check {provider_id}"), wish)
    if found.link_id:
        return await _one(request, visitor, deps, provider_id, trial=found)
    if found.ok:
        return redirect(request, f"{HOME}/{provider_id}", toast=visitor.t("providers.works"))
    return await _one(request, visitor, deps, provider_id, form, trouble=found.code)


@post("/payments/providers/{provider_id:str}/default", opt=_MANAGE)
async def choose_provider(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, provider_id: FromPath[str]
) -> PageResponse:
    await read_form(request)
    await desk_of(deps).change(visitor.caller, provider_id, {"is_default": True})
    return redirect(request, f"{HOME}/{provider_id}", toast=visitor.t("providers.saved"))


@post("/payments/providers/{provider_id:str}/delete", opt=_MANAGE, status_code=200)
async def delete_provider(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, provider_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    kept = await desk_of(deps).get(visitor.caller, provider_id)
    try:
        require_word(form, kept.provider)
        await desk_of(deps).remove(visitor.caller, provider_id)
    except Problem as problem:
        return await _one(request, visitor, deps, provider_id, form, problem)
    return redirect(request, HOME, toast=visitor.t("providers.removed"))


async def _one(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, provider_id: str, form: Form | None = None,
    problem: Problem | None = None, trouble: str = "", trial: Trial | None = None,
) -> PageResponse:  # fmt: skip
    kept = await desk_of(deps).get(visitor.caller, provider_id)
    wrong_word = any(error.field == "confirm" for error in problem.errors) if problem is not None else False
    return page(
        request,
        visitor,
        "payments/provider.html",
        one=_shown(kept),
        form=form,
        problem=problem,
        trouble=trouble,
        trial=trial,
        trial_steps=STEPS,
        may_connect=visitor.can(CONNECTS),
        is_deleting=wrong_word,
        mark=new_mark(),
    )


def _form(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form, provider: str, problem: Problem | None = None
) -> PageResponse:
    kinds = desk_of(deps).kinds
    kind = KINDS.get(provider) if provider in kinds else None
    return page(
        request,
        visitor,
        "payments/connect.html",
        kinds=kinds,
        kind=kind,
        # The sandbox's own secret is made for it.
        fields=[] if kind is None or kind.name == "sandbox" else kind.fields,
        form=form,
        problem=problem,
        mark=form.text("once") or new_mark(),
    )


def _keys(form: Form, provider: str) -> dict[str, str]:
    if provider == "sandbox":
        return {}
    return {field.name: form.text(f"keys.{field.name}") for field in KINDS[provider].fields}


def _shown(one: ProviderView) -> dict[str, Any]:
    return {**msgspec.structs.asdict(one), "checked": at_ms(one.checked_at), "heard": at_ms(one.heard_at)}


HANDLERS = [
    list_providers, new_provider, create_provider, show_provider, update_provider, check_provider, choose_provider,
    delete_provider,
]  # fmt: skip
