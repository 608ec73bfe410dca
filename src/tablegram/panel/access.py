"""Who may come in: the session behind the cookie, the scope that a page needs, and the proof in every form."""

from __future__ import annotations

import hmac
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.handlers import BaseRouteHandler

from tablegram.accounts.audit import came_from
from tablegram.accounts.keys.keys import Caller
from tablegram.errors import FormRefused, NotFound, ScopeMissing
from tablegram.panel import cookies
from tablegram.panel.behind import behind, deps_of
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import read_form
from tablegram.panel.i18n import choose_language, find_zone
from tablegram.panel.visitor import Guest, Visitor
from tablegram.web.compression import unmask
from tablegram.web.forms import Proof

_SAFE = ("GET", "HEAD", "OPTIONS")
# No number that we give is larger; a database refuses those that do not fit into it.
_LARGEST = 10**15
# What a stranger may send: a few short fields. Who is signed in sends files too.
MAX_GUEST_BYTES = 100_000
CSRF_FIELD = "csrf"
CSRF_HEADER = "x-csrf"


class SignInNeeded(Exception):
    """Nobody is signed in; the page to come back to afterwards."""

    def __init__(self, back: str) -> None:
        super().__init__(back)
        self.back = back

    @property
    def address(self) -> str:
        wanted = "" if self.back in ("", "/panel", "/panel/") else f"?next={quote(self.back, safe='/')}"
        return f"/panel/sign-in{wanted}"


async def admit(connection: ASGIConnection[Any, Any, Any, Any], handler: BaseRouteHandler) -> None:
    """Runs before every handler: tells who it is, and refuses whom the page is not for."""
    deps = deps_of(connection)
    if connection.scope["path"].startswith("/panel/static/"):
        return
    state = connection.scope["state"]
    came_from(cookies.remote(connection))
    visitor = await find_visitor(deps, connection)
    if visitor is not None:
        state["visitor"] = state["guest"] = visitor
    else:
        token = cookies.guest_token(connection) or cookies.new_token()
        state["guest_token"] = token
        state["guest"] = _guest(deps, connection, token)
    if handler.opt.get("public"):
        return
    if visitor is None:
        raise SignInNeeded(_back(connection))
    scope = handler.opt.get("scope", "")
    if scope and not visitor.can(scope):
        raise ScopeMissing(visitor.t("frame.forbidden_text"))
    if not _is_askable(connection):
        raise NotFound(visitor.t("frame.not_found_text"))


def _is_askable(connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
    """Whether a database can be asked for what the address names: no number beyond its own, no sign it cannot hold."""
    numbers = [value for value in connection.path_params.values() if isinstance(value, int)]
    nul = "\0" in connection.scope["path"] or any("\0" in value for value in connection.query_params.values())
    return not nul and all(number <= _LARGEST for number in numbers)


async def find_visitor(deps: PanelDeps, connection: Any) -> Visitor | None:
    """The person behind the session cookie, as a caller of the account that is being looked at."""
    token = cookies.session_token(connection)
    session = await deps.account.sessions.find(token) if token else None
    if session is None or not session.passed_second:
        return None
    behind(connection).pace.recognise(token)
    person = session.person
    caller = session.caller
    shows_pages = _shows_pages(connection)
    since = await deps.live.moment(caller.account_id) if shows_pages and "part" not in connection.query_params else ""
    badges = await _badges(deps, caller) if shows_pages else {}
    return Visitor(
        csrf=csrf_of(deps, token),
        language=_language(connection, person.language),
        zone=find_zone(connection.cookies.get(cookies.ZONE, "")),
        remote=cookies.remote(connection),
        session=session,
        badges=badges,
        since=since,
    )


async def _badges(deps: PanelDeps, caller: Caller) -> dict[str, int]:
    wanted = [(name, badge) for name, badge in deps.badges.items() if caller.has(badge.scope)]
    return {name: await badge.count(caller) for name, badge in wanted}


def csrf_of(deps: PanelDeps, token: str) -> str:
    """Bound to the session or to the guest's browser: another browser's form is refused."""
    return deps.box.pepper_hash(f"form {token}")[:43]


async def check_form(request: Request[Any, Any, Any]) -> None:
    """Refuses a change that did not come from a page of ours, shown to this very browser."""
    if request.method in _SAFE:
        return
    guest: Guest | None = request.scope["state"].get("guest")
    if guest is None:
        # Nobody was asked who they are; so nothing could have been proved.
        raise FormRefused(guest_of(request).t("frame.form_refused_text"))
    own = guest

    def check(given: str) -> None:
        if not hmac.compare_digest(unmask(given).encode(), own.csrf.encode()):
            raise FormRefused(own.t("frame.form_refused_text"))

    if request.headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        raise FormRefused(own.t("frame.form_refused_text"))
    if given := request.headers.get(CSRF_HEADER, ""):
        check(given)
    else:
        await read_form(request, Proof(CSRF_FIELD, check))


def guest_of(connection: Any) -> Guest:
    """Whoever looks, also where nobody was asked yet: an address that does not exist."""
    found: Guest | None = connection.scope["state"].get("guest")
    return found or _guest(deps_of(connection), connection, cookies.guest_token(connection))


def _guest(deps: PanelDeps, connection: Any, token: str) -> Guest:
    return Guest(
        csrf=csrf_of(deps, token),
        language=_language(connection, ""),
        zone=find_zone(connection.cookies.get(cookies.ZONE, "")),
        remote=cookies.remote(connection),
    )


def _language(connection: Any, own: str) -> str:
    chosen = connection.cookies.get(cookies.LANGUAGE, "")
    return choose_language(own, chosen, accepted=connection.headers.get("accept-language", ""))


def _back(connection: Any) -> str:
    if connection.scope["method"] != "GET":
        return ""
    query = connection.scope.get("query_string", b"").decode("latin-1")
    path: str = connection.scope["path"]
    if path == "/panel/live":
        return ""
    # A module asks for a part of a page; the person comes back to the whole of it.
    kept = urlencode([pair for pair in parse_qsl(query) if pair[0] != "part"])
    return f"{path}?{kept}" if kept else path


def _shows_pages(connection: Any) -> bool:
    """A form that is refused comes back as a page; what a script sends does not."""
    if connection.scope["method"] == "GET":
        return bool(connection.scope["path"] != "/panel/live")
    return "application/json" not in connection.headers.get("accept", "")
