"""The team: who is in it, what each may do, inviting, letting go.

GET  /panel/team, /panel/team/new, /panel/team/{id}
POST /panel/team, /panel/team/{id}/{invite, role, remove}
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from typing import Any

from litestar import get, post
from litestar.params import FromPath

from tablegram.accounts.roles import SCOPES
from tablegram.accounts.scopes import covers
from tablegram.errors import Problem
from tablegram.flows.account.answers import InvitedView, MemberView
from tablegram.panel import cookies
from tablegram.panel.frame.forms import Form, read_form, require_word
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.frame.listing import arranged, asked, choice, cut, fits, with_times
from tablegram.panel.frame.once import new_mark, once
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor
from tablegram.values.folding import fold

_MANAGE = {"scope": "account:manage"}
HERE = "/panel/team"
ROLES = tuple(SCOPES)
_WAYS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "name": lambda one: fold(one["name"] or one["email"]),
    "role": lambda one: ROLES.index(one["role"]),
    "since": lambda one: one["created_at"],
}


@get("/team", opt=_MANAGE)
async def list_team(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    search, role = asked(request, "q"), choice(request, "role", ("", *ROLES))
    every = [with_times(one) for one in (await deps.account.members.page(visitor.caller, 100_000)).data]
    found = [one for one in every if fits(search, one["name"], one["email"]) and role in ("", one["role"])]
    return page(
        request,
        visitor,
        "account/team/list.html",
        cut=cut(arranged(found, asked(request, "sort"), _WAYS), asked(request, "cursor"), lambda one: one["id"]),
        roles=ROLES,
        alone=len(every) < 2,
    )


@get("/team/new", opt=_MANAGE)
async def new_member(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return _form(request, visitor, deps, Form())


@post("/team", opt=_MANAGE, status_code=200)
async def invite(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    """The answer shows the link, so it is a page and no redirect; sent again, the form shows the same link."""
    form = await read_form(request)
    email, role, name = form.text("email"), form.text("role"), form.text("name")
    try:
        answer = await deps.account.members.invite(
            visitor.caller, email, role, name, once(form, "panel team", email, role, name), visitor.language
        )
    except Problem as problem:
        return _form(request, visitor, deps, form, problem)
    return _invited(request, visitor, answer.value)


@get("/team/{member_id:str}", opt=_MANAGE)
async def show_member(request: PageRequest, visitor: VisitorOf, deps: DepsOf, member_id: FromPath[str]) -> PageResponse:
    return await _shown(request, visitor, deps, member_id)


@post("/team/{member_id:str}/invite", opt=_MANAGE, status_code=200)
async def invite_again(
    request: PageRequest, visitor: VisitorOf, deps: DepsOf, member_id: FromPath[str]
) -> PageResponse:
    form = await read_form(request)
    call = once(form, "panel team invite", member_id)
    answer = await deps.account.members.invite_again(visitor.caller, member_id, call, visitor.language)
    return _invited(request, visitor, answer.value)


@post("/team/{member_id:str}/role", opt=_MANAGE, status_code=200)
async def change_role(request: PageRequest, visitor: VisitorOf, deps: DepsOf, member_id: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    try:
        member = await deps.account.members.change_role(visitor.caller, member_id, form.text("role"))
    except Problem as problem:
        return await _shown(request, visitor, deps, member_id, form=form, problem=problem)
    role = visitor.t(f"role.{member.role}")
    # Who has just taken the key away from themselves cannot see this page any more.
    target = HERE if visitor.member is None or visitor.member.id != member_id else "/panel/"
    return redirect(request, target, toast=visitor.t("team.role_changed", who=_name(member), role=role))


@post("/team/{member_id:str}/remove", opt=_MANAGE, status_code=200)
async def remove(request: PageRequest, visitor: VisitorOf, deps: DepsOf, member_id: FromPath[str]) -> PageResponse:
    member = await deps.account.members.get(visitor.caller, member_id)
    form = await read_form(request)
    try:
        require_word(form, member.email)
        await deps.account.members.remove(visitor.caller, member_id)
    except Problem as problem:
        return await _shown(request, visitor, deps, member_id, form=form, problem=problem, removing=True)
    if visitor.member is not None and visitor.member.id == member_id and len(visitor.session.memberships) < 2:
        response = redirect(request, "/panel/sign-in", toast=visitor.t("team.removed", who=_name(member)))
        cookies.drop_session(response, request)
        return response
    return redirect(request, HERE, toast=visitor.t("team.removed", who=_name(member)))


def _invited(request: PageRequest, visitor: Visitor, member: InvitedView) -> PageResponse:
    # What the operator types where the link is not shown here.
    command = shlex.join(["tablegram", "member", "link", member.email, "--account", visitor.caller.account_name])
    return page(request, visitor, "account/team/invited.html", member=with_times(member), command=command)


async def _shown(
    request: PageRequest,
    visitor: Visitor,
    deps: DepsOf,
    member_id: str,
    *,
    removing: bool = False,
    **values: Any,
) -> PageResponse:
    member = await deps.account.members.get(visitor.caller, member_id)
    return page(
        request,
        visitor,
        "account/team/member.html",
        member=with_times(member),
        roles=_givable(visitor),
        removing=removing,
        is_self=visitor.member is not None and visitor.member.id == member_id,
        mark=new_mark(),
        **values,
    )


def _form(
    request: PageRequest, visitor: Visitor, deps: DepsOf, form: Form, problem: Problem | None = None
) -> PageResponse:
    return page(
        request,
        visitor,
        "account/team/new.html",
        form=form,
        problem=problem,
        roles=_givable(visitor),
        mails=deps.account.people.post.works,
        mark=form.text("once") or new_mark(),
    )


def _givable(visitor: Visitor) -> list[str]:
    return [role for role in ROLES if covers(visitor.caller.scopes, SCOPES[role])]


def _name(member: MemberView) -> str:
    return member.name or member.email


HANDLERS = [list_team, new_member, invite, show_member, invite_again, change_role, remove]
