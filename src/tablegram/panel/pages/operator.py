"""Operator: the installation's accounts, and how its engine and storage are.

GET  /panel/operator                        ?q=&state=&sort=&cursor=
POST /panel/operator/accounts
GET  /panel/operator/accounts/{id}
POST /panel/operator/accounts/{id}/plan     /top-up  /suspend  /resume
GET  /panel/operator/health
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from typing import Any

from litestar import get, post
from litestar.params import FromPath

from tablegram.accounts.accounts import STANDARD_PLAN, Account
from tablegram.errors import NotFound, Problem
from tablegram.panel.deps import PanelDeps
from tablegram.panel.forms import Form, read_form, require_word
from tablegram.panel.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.listing import arranged, asked, choice, cut, fits
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.storage.database import sqlite_path
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


@post("/operator/accounts", opt=_OPERATOR)
async def create(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    try:
        account = await deps.operating.create(visitor.person, form.text("name"), form.text("plan") or STANDARD_PLAN)
    except Problem as problem:
        return await _list(request, visitor, deps, form, problem)
    toast = visitor.t("operator.created", name=account.name)
    return redirect(request, f"/panel/operator/accounts/{account.id}", toast=toast)


@get("/operator/accounts/{account_id:int}", opt=_OPERATOR)
async def account(request: PageRequest, visitor: VisitorOf, deps: DepsOf, account_id: FromPath[int]) -> PageResponse:
    return await _one(request, visitor, deps, account_id)


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
    is_ready = await deps.is_ready()
    figures = await deps.figures() if is_ready else {}
    return page(
        request,
        visitor,
        "operator/health.html",
        is_ready=is_ready,
        figures={name: value for name, value in figures.items() if "{" not in name},
        calls=_calls(figures),
        storage=_storage(deps),
        listening=deps.live.listening + deps.feed.listening,
    )


async def _list(
    request: PageRequest, visitor: Visitor, deps: PanelDeps, form: Form | None = None, problem: Problem | None = None
) -> PageResponse:
    search, state = asked(request, "q"), choice(request, "state", STATES)
    every = await deps.operating.list_accounts(visitor.person)
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
        plans=await deps.operating.plans(visitor.person),
        is_filtered=bool(search or state),
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
    found, quota = await deps.operating.get(visitor.person, account_id)
    return page(
        request,
        visitor,
        "operator/account.html",
        problem=problem,
        form=form,
        act=act,
        account=found,
        quota=quota,
        plans=await deps.operating.plans(visitor.person),
        members=await deps.team.list_members(account_id),
        reference=new_id(),
    )


async def _act(visitor: Visitor, deps: PanelDeps, account_id: int, act: str, form: Form) -> str:
    """Does what a form of the account's page asks for; the word about it."""
    operating, person = deps.operating, visitor.person
    found, _ = await operating.get(person, account_id)
    if act == "plan":
        await operating.set_plan(person, account_id, form.text("plan"))
    elif act == "top-up":
        await operating.top_up(person, account_id, form.number("amount"), form.text("reference"))
    elif act == "suspend":
        require_word(form, found.name)
        await operating.suspend(person, account_id)
    elif act == "resume":
        await operating.resume(person, account_id)
    else:
        raise NotFound(visitor.t("frame.not_found_text"))
    return visitor.t(f"operator.did_{act.replace('-', '_')}", name=found.name)


def _calls(figures: dict[str, float]) -> list[tuple[str, int]]:
    """API calls by status, since the process began."""
    found = [(name.partition('"')[2].rstrip('"}'), int(count)) for name, count in figures.items() if "{" in name]
    return sorted(found)


def _storage(deps: PanelDeps) -> dict[str, Any]:
    path = sqlite_path(deps.settings.effective_database_url)
    disk = shutil.disk_usage(deps.settings.data_dir)
    files = [] if path is None else [path, path.with_name(path.name + "-wal")]
    return {
        "kind": "PostgreSQL" if path is None else "SQLite",
        "size": sum(file.stat().st_size for file in files if file.exists()) if files else None,
        "disk_free": disk.free,
        "disk_total": disk.total,
    }


HANDLERS = [accounts, create, account, change, health]
