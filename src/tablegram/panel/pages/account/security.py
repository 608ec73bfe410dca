"""A person's own way in: name, language, password, second factor, sessions.

GET  /panel/security, /panel/security/second-factor
POST /panel/security/{profile, password, second-factor, second-factor/off, codes, sessions/end, sign-out-everywhere}
"""

from __future__ import annotations

from typing import Any

from litestar import get, post

from tablegram.accounts.people.second_factor import Enrolment
from tablegram.errors import Invalid, Problem
from tablegram.panel import cookies
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.panel.pages.account.devices import device_of
from tablegram.panel.pages.account.sign_in import origin_of
from tablegram.panel.render import PageResponse, page, redirect
from tablegram.panel.visitor import Visitor

HERE = "/panel/security"


@get("/security")
async def show_security(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    return await _shown(request, visitor, deps)


@post("/security/profile", status_code=200)
async def save_profile(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    register = deps.account.people.register
    try:
        await register.rename(visitor.person.id, form.text("name"))
        await register.choose_language(visitor.person.id, form.text("language"))
    except Problem as problem:
        return await _shown(request, visitor, deps, form=form, problem=problem)
    deps.account.sessions.forget(visitor.person.id)
    response = redirect(request, HERE, toast=visitor.t("security.profile_saved"))
    if not form.text("language"):
        # Back to what the browser asks for; a choice made before signing in would stand in the way.
        cookies.put_language(response, request, "")
    return response


@post("/security/password", status_code=200)
async def change_password(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    try:
        await deps.account.people.entrance.change_password(
            visitor.session,
            cookies.session_token(request),
            form.raw("password"),
            form.raw("new_password"),
            origin_of(request, visitor),
        )
    except Problem as problem:
        return await _shown(request, visitor, deps, form=form, problem=problem)
    return redirect(request, HERE, toast=visitor.t("security.password_changed"))


@get("/security/second-factor")
async def offer_second_factor(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    if visitor.person.has_second_factor:
        return redirect(request, HERE)
    return _offer(request, visitor, deps.account.people.second_factor.offer(visitor.person))


@post("/security/second-factor", status_code=200)
async def enable_second_factor(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    """The answer shows the recovery codes, so it is a page and no redirect."""
    form = await read_form(request)
    ticket = form.text("ticket")
    try:
        codes = await deps.account.people.entrance.enable_second_factor(
            visitor.session,
            cookies.session_token(request),
            ticket,
            form.text("code"),
            form.raw("password"),
            origin_of(request, visitor),
        )
    except Invalid as problem:
        enrolment = deps.account.people.second_factor.offer_again(visitor.person, ticket)
        return _offer(request, visitor, enrolment, form, problem)
    return page(request, visitor, "account/security/codes.html", codes=codes, fresh=True)


@post("/security/second-factor/off", status_code=200)
async def disable_second_factor(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    try:
        await deps.account.people.entrance.disable_second_factor(
            visitor.session, form.raw("off_password"), origin_of(request, visitor)
        )
    except Invalid as problem:
        return await _shown(request, visitor, deps, form=form, problem=_moved(problem, "off_password"))
    return redirect(request, HERE, toast=visitor.t("security.second_off_done"))


@post("/security/codes", status_code=200)
async def renew_codes(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    try:
        codes = await deps.account.people.entrance.renew_codes(
            visitor.session, form.raw("codes_password"), origin_of(request, visitor)
        )
    except Invalid as problem:
        return await _shown(request, visitor, deps, form=form, problem=_moved(problem, "codes_password"))
    return page(request, visitor, "account/security/codes.html", codes=codes, fresh=False)


@post("/security/sessions/end")
async def end_session(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    await deps.account.sessions.close_one(visitor.person.id, (await read_form(request)).text("session"))
    return redirect(request, HERE, toast=visitor.t("security.session_ended"))


@post("/security/sign-out-everywhere")
async def sign_out_everywhere(request: PageRequest, visitor: VisitorOf, deps: DepsOf) -> PageResponse:
    await deps.account.people.entrance.sign_out_everywhere(visitor.session)
    response = redirect(request, "/panel/sign-in", toast=visitor.t("security.everywhere_done"))
    cookies.drop_session(response, request)
    return response


async def _shown(request: PageRequest, visitor: Visitor, deps: DepsOf, **values: Any) -> PageResponse:
    person = await deps.account.people.register.get(visitor.person.id)
    sessions = await deps.account.sessions.list_sessions(person.id, visitor.session.id)
    return page(
        request,
        visitor,
        "account/security/security.html",
        me=person,
        sessions=[(one, device_of(one.user_agent)) for one in sessions],
        codes_left=await deps.account.people.second_factor.codes_left(person.id) if person.has_second_factor else 0,
        **values,
    )


def _offer(
    request: PageRequest,
    visitor: Visitor,
    enrolment: Enrolment,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    groups = [enrolment.secret[place : place + 4] for place in range(0, len(enrolment.secret), 4)]
    return page(
        request,
        visitor,
        "account/security/second_factor.html",
        enrolment=enrolment,
        secret=" ".join(groups),
        form=form,
        problem=problem,
    )


def _moved(problem: Invalid, field: str) -> Invalid:
    """The same complaint beside the field that this form has: a page must not name two fields alike."""
    return Invalid.field(field, problem.code, problem.detail)


HANDLERS = [
    show_security,
    save_profile,
    change_password,
    offer_second_factor,
    enable_second_factor,
    disable_second_factor,
    renew_codes,
    end_session,
    sign_out_everywhere,
]
