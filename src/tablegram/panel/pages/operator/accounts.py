"""Operator: the installation's accounts, and how its engine and storage are.

GET  /panel/operator                        ?q=&state=&sort=&cursor=
POST /panel/operator/accounts
GET  /panel/operator/accounts/{id}
POST /panel/operator/accounts/{id}/plan     /top-up  /suspend  /resume  /invite
GET  /panel/operator/health
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from litestar import get, post
from litestar.params import FromPath

from tablegram.accounts.accounts import STANDARD_PLAN, Account
from tablegram.accounts.operating.answers import OpenedAccount
from tablegram.accounts.operating.first_owner import Invitee
from tablegram.engine.idempotency import Call
from tablegram.errors import NotFound, Problem
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import arranged, asked, choice, cut, fits, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.folding import fold
from tablegram.values.ids import new_id

_OPERATOR = {"scope": "operator"}
STATES = ("", "active", "suspended")
_WAYS: dict[str, Callable[[Account], Any]] = {
    "name": lambda one: fold(one.name),
    "balance": lambda one: one.balance_micros,
    "since": lambda one: one.created_at,
}


@get("/operator", opt=_OPERATOR)
async def accounts(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _list(request, visitor, deps)


@post("/operator/accounts", opt=_OPERATOR, status_code=200)
async def create(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    """With an owner the answer shows the link, so it is a page; sent again, the form shows the same link."""
    form = await read_form(request)
    name, plan = form.text("name"), form.text("plan") or STANDARD_PLAN
    email, owner_name = form.text("email"), form.text("owner_name")
    owner = Invitee(email, owner_name, visitor.language) if email else None
    call = once(form, "panel operator accounts", name, plan, email, owner_name)
    try:
        answer = await deps.operator.create(visitor.person, name, plan, owner, call)
    except Problem as problem:
        return await _list(request, visitor, deps, form, problem)
    if owner is not None:
        return _invited(request, visitor, answer.value)
    toast = visitor.t("operator.created", name=answer.value.name)
    return redirect(request, f"/panel/operator/accounts/{answer.value.id}", toast=toast)


@get("/operator/accounts/{account_id:int}", opt=_OPERATOR)
async def account(request: PageRequest, visitor: VisitorOf, deps: DepsOf, account_id: FromPath[int]) -> PageResponse:
    return await _one(request, visitor, deps, account_id)


@post("/operator/accounts/{account_id:int}/invite", opt=_OPERATOR, status_code=200)
async def invite(request: PageRequest, visitor: VisitorOf, deps: DepsOf, account_id: FromPath[int]) -> PageResponse:
    """A link for the owner of an account that nobody signs in to yet."""
    form = await read_form(request)
    owner = Invitee(form.text("email"), form.text("name"), visitor.language)
    call = once(form, "panel operator invite", str(account_id), owner.email, owner.name)
    try:
        answer = await deps.operator.invite_owner(visitor.person, account_id, owner, call)
    except Problem as problem:
        return await _one(request, visitor, deps, account_id, form, problem, "invite")
    return _invited(request, visitor, answer.value)


@post("/operator/accounts/{account_id:int}/{act:str}", opt=_OPERATOR)
async def change(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, account_id: FromPath[int], act: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    try:
        toast = await _act(visitor, deps, account_id, act, form)
    except Problem as problem:
        return await _one(request, visitor, deps, account_id, form, problem, act)
    return redirect(request, f"/panel/operator/accounts/{account_id}", toast=toast)


@get("/operator/health", opt=_OPERATOR)
async def health(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    found = await deps.operator.health(visitor.person)
    return page(
        request,
        visitor,
        "operator/health.html",
        is_ready=found.is_ready,
        figures={name: value for name, value in found.figures.items() if "{" not in name},
        calls=_calls(found.figures),
        storage=found.room,
        listening=deps.live.listening + deps.integrations.feed.listening,
    )


async def _list(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form | None = None, problem: Problem | None = None
) -> PageResponse:
    search, state = asked(request, "q"), choice(request, "state", STATES)
    every = await deps.operator.list_accounts(visitor.person)
    wanted = [
        one
        for one in every
        if (not state or one.state == state) and (not search or fits(search, one.name, str(one.id)))
    ]
    shown = cut(arranged(wanted, asked(request, "sort"), _WAYS), asked(request, "cursor"), lambda one: str(one.id))
    return page(
        request,
        visitor,
        "operator/accounts.html",
        problem=problem,
        form=form,
        accounts=shown.items,
        next_cursor=shown.next_cursor,
        total=len(every),
        plans=await deps.operator.plans(visitor.person),
        is_filtered=bool(search or state),
        mails=deps.account.people.post.works,
        mark=(form and form.text("once")) or new_mark(),
    )


async def _one(
    request: PageRequest,
    visitor: Visitor,
    deps: PanelDeps,
    account_id: int,
    form: Form | None = None,
    problem: Problem | None = None,
    act: str = "",
) -> PageResponse:
    found, quota = await deps.operator.get(visitor.person, account_id)
    members = await deps.account.team.list_members(account_id)
    return page(
        request,
        visitor,
        "operator/account.html",
        problem=problem,
        form=form,
        act=act,
        account=found,
        quota=quota,
        plans=await deps.operator.plans(visitor.person),
        members=members,
        # Until somebody has come, an owner can be invited; later that is for the owners themselves.
        may_invite=all(member.person_id is None for member in members),
        waiting=members[0] if members else None,
        reference=new_id(),
        mark=new_mark(),
    )


async def _act(visitor: Visitor, deps: PanelDeps, account_id: int, act: str, form: Form) -> str:
    """Does what a form of the account's page asks for; the word about it."""
    operating, person, call = deps.operator, visitor.person, Call(f"panel operator {act}")
    found, _ = await operating.get(person, account_id)
    if act == "plan":
        await operating.set_plan(person, account_id, form.text("plan"))
    elif act == "top-up":
        await operating.top_up(person, account_id, form.number("amount"), form.text("reference"), call)
    elif act == "suspend":
        require_word(form, found.name)
        await operating.suspend(person, account_id, call)
    elif act == "resume":
        await operating.resume(person, account_id, call)
    else:
        raise NotFound(visitor.t("frame.not_found_text"))
    return visitor.t(f"operator.did_{act.replace('-', '_')}", name=found.name)


def _calls(figures: dict[str, float]) -> list[tuple[str, int]]:
    """API calls by status, since the process began."""
    found = [(name.partition('"')[2].rstrip('"}'), int(count)) for name, count in figures.items() if "{" in name]
    return sorted(found)


def _invited(request: PageRequest, visitor: Visitor, opened: OpenedAccount) -> PageResponse:
    owner = None if opened.owner is None else with_times(opened.owner)
    return page(request, visitor, "operator/invited.html", account=opened, owner=owner)


HANDLERS = [accounts, create, account, invite, change, health]
