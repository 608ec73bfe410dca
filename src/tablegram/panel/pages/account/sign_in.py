"""Coming in and going out: password, second factor, links, a forgotten password, another account.

GET, POST /panel/sign-in, /panel/sign-in/second, /panel/forgot, /panel/link/{token}
POST      /panel/link/{token}/join, /panel/sign-out, /panel/account
"""

from __future__ import annotations

from urllib.parse import quote

from litestar import get, post
from litestar.params import FromPath

from tablegram.accounts.people.devices import LASTS_MS
from tablegram.accounts.people.entrance import Admitted, Origin
from tablegram.accounts.people.links import Link
from tablegram.accounts.people.model import Person
from tablegram.accounts.people.sessions import HALFWAY_MS, LONGEST_MS
from tablegram.errors import NotFound, Problem, Unauthorized
from tablegram.panel import cookies
from tablegram.panel.access import MAX_GUEST_BYTES
from tablegram.panel.frame.forms import Form, read_form
from tablegram.panel.frame.handling import DepsOf, GuestOf, PageRequest
from tablegram.panel.render import PageResponse, is_own_address, page, redirect
from tablegram.panel.visitor import Guest, Visitor
from tablegram.values.words import LANGUAGES

_PUBLIC = {"public": True}


@get("/sign-in", opt=_PUBLIC)
async def show_sign_in(request: PageRequest, guest: GuestOf) -> PageResponse:
    back = _back(request.query_params.get("next", ""))
    if isinstance(guest, Visitor):
        return redirect(request, back)
    return page(request, guest, "account/sign_in/password.html", back=back)


@post("/sign-in", opt=_PUBLIC, status_code=200, request_max_body_size=MAX_GUEST_BYTES)
async def sign_in(request: PageRequest, guest: GuestOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    back = _back(form.text("next"))
    try:
        admitted = await deps.account.people.entrance.sign_in(
            form.text("email"), form.raw("password"), origin_of(request, guest)
        )
    except Problem as problem:
        return page(request, guest, "account/sign_in/password.html", back=back, form=form, problem=problem)
    return await _come_in(request, deps, admitted, back)


@get("/sign-in/second", opt=_PUBLIC)
async def show_second(request: PageRequest, guest: GuestOf, deps: DepsOf) -> PageResponse:
    back = _back(request.query_params.get("next", ""))
    if isinstance(guest, Visitor):
        return redirect(request, back)
    if await deps.account.sessions.find(cookies.session_token(request)) is None:
        return redirect(request, "/panel/sign-in")
    return page(request, guest, "account/sign_in/second.html", back=back)


@post("/sign-in/second", opt=_PUBLIC, status_code=200, request_max_body_size=MAX_GUEST_BYTES)
async def give_second(request: PageRequest, guest: GuestOf, deps: DepsOf) -> PageResponse:
    form = await read_form(request)
    back = _back(form.text("next"))
    token = cookies.session_token(request)
    try:
        admitted = await deps.account.people.entrance.show_second(token, form.text("code"), origin_of(request, guest))
    except Unauthorized as problem:
        return page(request, guest, "account/sign_in/password.html", back=back, problem=problem)
    except Problem as problem:
        return page(request, guest, "account/sign_in/second.html", back=back, problem=problem)
    return await _come_in(request, deps, admitted, back, keep_session=True)


@get("/forgot", opt=_PUBLIC)
async def show_forgot(request: PageRequest, guest: GuestOf, deps: DepsOf) -> PageResponse:
    return page(request, guest, "account/sign_in/forgot.html", mails=deps.account.people.post.works, asked="")


@post("/forgot", opt=_PUBLIC, status_code=200, request_max_body_size=MAX_GUEST_BYTES)
async def forgot(request: PageRequest, guest: GuestOf, deps: DepsOf) -> PageResponse:
    """The same words whether the address is known or not."""
    form, mails = await read_form(request), deps.account.people.post.works
    try:
        await deps.account.people.entrance.forgot(form.text("email"), guest.language, origin_of(request, guest))
    except Problem as problem:
        return page(request, guest, "account/sign_in/forgot.html", form=form, problem=problem, mails=mails, asked="")
    return page(request, guest, "account/sign_in/forgot.html", mails=mails, asked=form.text("email"))


@get("/link/{token:str}", opt=_PUBLIC)
async def show_link(request: PageRequest, guest: GuestOf, deps: DepsOf, token: FromPath[str]) -> PageResponse:
    """Looking spends nothing: whoever scans a letter's links does not use them up."""
    try:
        link, known = await deps.account.people.entrance.look_at(token)
    except Problem as problem:
        return page(request, guest, "account/sign_in/no_link.html", status=problem.status, words=problem)
    return await _link_page(request, guest, deps, token, link, known)


@post("/link/{token:str}", opt=_PUBLIC, status_code=200, request_max_body_size=MAX_GUEST_BYTES)
async def use_link(request: PageRequest, guest: GuestOf, deps: DepsOf, token: FromPath[str]) -> PageResponse:
    form = await read_form(request)
    try:
        link, known = await deps.account.people.entrance.look_at(token)
    except Problem as problem:
        return page(request, guest, "account/sign_in/no_link.html", status=problem.status, words=problem)
    try:
        admitted = await deps.account.people.entrance.accept(
            token, form.text("name"), form.raw("password"), _chosen_language(request), origin_of(request, guest)
        )
    except Problem as problem:
        return await _link_page(request, guest, deps, token, link, known, form, problem)
    return await _come_in(request, deps, admitted, "/panel/", toast=guest.t("sign_in.welcome"))


@post("/link/{token:str}/join", opt={})
async def join(request: PageRequest, guest: GuestOf, deps: DepsOf, token: FromPath[str]) -> PageResponse:
    assert isinstance(guest, Visitor)
    account_id = await deps.account.people.entrance.join(token, guest.session)
    await deps.account.sessions.switch(cookies.session_token(request), account_id)
    return redirect(request, "/panel/", toast=guest.t("sign_in.joined"))


@post("/sign-out", opt=_PUBLIC, request_max_body_size=MAX_GUEST_BYTES)
async def sign_out(request: PageRequest, guest: GuestOf, deps: DepsOf) -> PageResponse:
    token = cookies.session_token(request)
    if token:
        await deps.account.people.entrance.sign_out(token, guest.session if isinstance(guest, Visitor) else None)
    response = redirect(request, "/panel/sign-in", toast=guest.t("sign_in.signed_out"))
    cookies.drop_session(response, request)
    return response


@post("/account", opt={})
async def switch_account(request: PageRequest, guest: GuestOf, deps: DepsOf) -> PageResponse:
    wanted = (await read_form(request)).text("account")
    if not wanted.isdecimal() or len(wanted) > 15:
        raise NotFound(guest.t("frame.not_found_text"), code="account_not_found")
    await deps.account.sessions.switch(cookies.session_token(request), int(wanted))
    return redirect(request, "/panel/")


def origin_of(request: PageRequest, guest: Guest) -> Origin:
    return Origin(guest.remote, request.headers.get("user-agent", ""), request.cookies.get(cookies.DEVICE, ""))


async def _come_in(
    request: PageRequest,
    deps: DepsOf,
    admitted: Admitted,
    back: str,
    *,
    toast: str = "",
    keep_session: bool = False,
) -> PageResponse:
    """On with a new cookie. Whatever session the browser had before ends: nobody's old cookie becomes somebody's new."""
    former = cookies.session_token(request)
    if former and not keep_session:
        await deps.account.sessions.close(former)
    if admitted.needs_second:
        wanted = "" if back == "/panel/" else f"?next={quote(back, safe='/')}"
        response = redirect(request, f"/panel/sign-in/second{wanted}")
        cookies.put_session(response, request, admitted.token, HALFWAY_MS // 1_000)
    else:
        response = redirect(request, back, toast=toast)
        cookies.put_session(response, request, admitted.token, LONGEST_MS // 1_000)
        cookies.put_device(response, request, admitted.device, LASTS_MS // 1_000)
    return response


async def _link_page(
    request: PageRequest,
    guest: Guest,
    deps: DepsOf,
    token: str,
    link: Link,
    known: Person | None,
    form: Form | None = None,
    problem: Problem | None = None,
) -> PageResponse:
    """The same for everybody who looks at an invitation, whether the address is known here or not."""
    account = await deps.account.people.entrance.account_name(link.account_id)
    signed_in_as = guest.person.email if isinstance(guest, Visitor) else ""
    joins = link.purpose == "invite" and signed_in_as == link.email
    is_known = link.purpose != "invite" and known is not None
    return page(
        request,
        guest,
        "account/sign_in/join.html" if joins else "account/sign_in/link.html",
        form=form,
        problem=problem,
        token=token,
        link_to=link,
        account=account,
        known_name=known.name if is_known and known and known.name else await _invited_name(deps, link),
        signed_in_as=signed_in_as,
    )


async def _invited_name(deps: DepsOf, link: Link) -> str:
    """What whoever invited them called them; they may write it otherwise."""
    if link.purpose != "invite" or link.account_id is None:
        return ""
    members = await deps.account.team.list_members(link.account_id)
    return next((member.name for member in members if member.email == link.email), "")


def _chosen_language(request: PageRequest) -> str:
    """What was chosen by hand before coming in; otherwise the browser goes on deciding."""
    chosen = request.cookies.get(cookies.LANGUAGE, "")
    return chosen if chosen in LANGUAGES else ""


def _back(wanted: str) -> str:
    return wanted if is_own_address(wanted) and not wanted.startswith("/panel/sign-") else "/panel/"


HANDLERS = [
    show_sign_in,
    sign_in,
    show_second,
    give_second,
    show_forgot,
    forgot,
    show_link,
    use_link,
    join,
    sign_out,
    switch_account,
]
