"""Operator, plans: what is free for the accounts on each of them.

GET  /panel/operator/plans, /panel/operator/plans/edit?name=
POST /panel/operator/plans, /panel/operator/plans/edit
"""

from __future__ import annotations

from collections import Counter

from litestar import get, post

from tablegram.accounts.accounts import STANDARD_FREE_HOURS, STANDARD_FREE_MESSAGES, Plan
from tablegram.errors import Invalid, NotFound, Problem
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import asked
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

_OPERATOR = {"scope": "operator"}
HERE = "/panel/operator/plans"


@get("/operator/plans", opt=_OPERATOR)
async def plans(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _list(request, visitor, deps)


@post("/operator/plans", opt=_OPERATOR)
async def create(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    name = form.text("plan")
    try:
        plan = Plan(name, _whole(form, "free_messages"), _whole(form, "free_hours"))
        call = once(form, "panel operator plans", name, str(plan.free_messages), str(plan.free_hours))
        await deps.operator.make_plan(visitor.person, plan, call)
    except Problem as problem:
        return await _list(request, visitor, deps, form, problem)
    return redirect(request, HERE, toast=visitor.t("operator.plan_made", name=name))


@get("/operator/plans/edit", opt=_OPERATOR)
async def edit(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _form(request, visitor, deps, asked(request, "name"))


@post("/operator/plans/edit", opt=_OPERATOR)
async def save(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    name = form.text("name")
    try:
        free_messages, free_hours = _whole(form, "free_messages"), _whole(form, "free_hours")
        await deps.operator.change_plan(visitor.person, name, free_messages, free_hours)
    except Problem as problem:
        return await _form(request, visitor, deps, name, form, problem)
    return redirect(request, HERE, toast=visitor.t("operator.plan_changed", name=name))


async def _list(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form | None = None, problem: Problem | None = None
) -> PageResponse:
    return page(
        request,
        visitor,
        "operator/plans.html",
        form=form,
        problem=problem,
        plans=await deps.operator.plans(visitor.person),
        on_plan=Counter(one.plan for one in await deps.operator.list_accounts(visitor.person)),
        is_billing=deps.settings.billing == "prepaid",
        new=Plan("", STANDARD_FREE_MESSAGES, STANDARD_FREE_HOURS),
        mark=(form and form.text("once")) or new_mark(),
    )


async def _form(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    name: str,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    every = {plan.name: plan for plan in await deps.operator.plans(visitor.person)}
    if name not in every:
        raise NotFound(visitor.t("problem.plan_not_found"), code="plan_not_found")
    on_plan = sum(one.plan == name for one in await deps.operator.list_accounts(visitor.person))
    return page(
        request, visitor, "operator/plan.html", form=form, problem=problem, plan=every[name], on_plan=on_plan
    )  # fmt: skip


def _whole(form: Form, name: str) -> int:
    try:
        figure = form.number(name)
    except Invalid:
        figure = None
    if figure is None or not figure.is_integer():
        raise Invalid.field(name, "whole_number_needed", "Write a whole number, for example 250.")
    return int(figure)


HANDLERS = [plans, create, edit, save]
