"""The panel's cookies: the session, a token for guests' forms, a word after a redirect, and small wishes."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import msgspec

from tablegram.errors import Misconfigured
from tablegram.panel.behind import behind, deps_of
from tablegram.web.addresses import peer_of

if TYPE_CHECKING:
    from litestar import Request, Response
    from litestar.datastructures import Cookie

    AnyRequest = Request[Any, Any, Any]

SESSION = "tablegram_session"
# Guests have no session to bind their forms to.
GUEST = "tablegram_guest"
# Somebody has come in with this browser before.
DEVICE = "tablegram_device"
TOAST = "tablegram_toast"
LANGUAGE = "tablegram_language"
# Light or dark; without it, as the browser wishes. It belongs to the device and not to the person.
THEME = "tablegram_theme"
THEMES = ("light", "dark")
# Set by the page: only the browser knows it.
ZONE = "tablegram_zone"
# Groups of the navigation that are folded; the page's own script writes it.
FOLDED = "tablegram_folded"

_TOKEN = re.compile(r"[A-Za-z0-9_-]{16,200}")
_YEAR_S = 365 * 24 * 3_600


def session_token(request: Any) -> str:
    """The session's token as the browser sent it; empty when there is none or it cannot be one."""
    token = request.cookies.get(SESSION, "")
    return token if _TOKEN.fullmatch(token) else ""


def session_token_of(headers: Iterable[tuple[bytes, bytes]]) -> str:
    """The same from a request that no framework has read yet."""
    for name, value in headers:
        if name == b"cookie":
            for pair in value.decode("latin-1").split(";"):
                key, _, token = pair.strip().partition("=")
                if key == SESSION and _TOKEN.fullmatch(token):
                    return token
    return ""


def guest_token(request: Any) -> str:
    token = request.cookies.get(GUEST, "")
    return token if _TOKEN.fullmatch(token) else ""


def put_session(response: Response[Any], request: AnyRequest, token: str, max_age_s: int) -> None:
    response.set_cookie(_cookie(request, SESSION, token, max_age_s))


def drop_session(response: Response[Any], request: AnyRequest) -> None:
    response.set_cookie(_cookie(request, SESSION, "", 0))


def put_device(response: Response[Any], request: AnyRequest, device: str, max_age_s: int) -> None:
    response.set_cookie(_cookie(request, DEVICE, device, max_age_s))


def put_guest(response: Response[Any], request: AnyRequest, token: str) -> None:
    response.set_cookie(_cookie(request, GUEST, token, None))


def put_language(response: Response[Any], request: AnyRequest, language: str) -> None:
    response.set_cookie(_cookie(request, LANGUAGE, language, _YEAR_S))


def theme(request: Any) -> str:
    """What was chosen on this device; empty for what the browser wishes."""
    chosen = request.cookies.get(THEME, "")
    return chosen if chosen in THEMES else ""


def put_theme(response: Response[Any], request: AnyRequest, chosen: str) -> None:
    response.set_cookie(_cookie(request, THEME, chosen, _YEAR_S))


def put_toast(response: Response[Any], request: AnyRequest, text: str, tone: str) -> None:
    deps = deps_of(request)
    sealed = deps.box.seal(msgspec.json.encode({"text": text[:500], "tone": tone}).decode())
    response.set_cookie(_cookie(request, TOAST, sealed, 60))


def take_toast(request: AnyRequest) -> dict[str, str] | None:
    """The word that the page before left; only what we sealed ourselves is shown."""
    sealed = request.cookies.get(TOAST, "")
    if not sealed:
        return None
    deps = deps_of(request)
    try:
        found: dict[str, str] = msgspec.json.decode(deps.box.open(sealed))
    except (Misconfigured, msgspec.DecodeError):
        return None
    return found


def drop_toast(response: Response[Any], request: AnyRequest) -> None:
    response.set_cookie(_cookie(request, TOAST, "", 0))


def new_token() -> str:
    return secrets.token_urlsafe(32)


def is_secure(request: Any) -> bool:
    """Whether the browser speaks TLS with us or with the proxy in front, as far as that can be believed."""
    deps = deps_of(request)
    if deps.settings.base_url.startswith("https://"):
        return True
    forwarded = request.headers.get("x-forwarded-proto", "")
    addresses = behind(request).addresses
    return forwarded == "https" and addresses.is_trusted(peer_of(request.scope))


def remote(request: Any) -> str:
    """Where the request comes from, through trusted proxies only."""
    return behind(request).addresses.of(request.scope)


def _cookie(request: Any, name: str, value: str, max_age_s: int | None) -> Cookie:
    from litestar.datastructures import Cookie

    return Cookie(
        key=name,
        value=value,
        max_age=max_age_s,
        path="/",
        httponly=True,
        samesite="lax",
        secure=is_secure(request),
    )
