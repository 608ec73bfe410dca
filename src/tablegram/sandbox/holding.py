"""Phones that are held from another device: whoever has the link of this start may, and nobody else.

GET /sandbox/hold?token=&phone=    exchanges the token for a cookie at once and goes on to the phone
GET /sandbox/hold?token=&menu=     the same, on to the menu with this query

The link is printed as a code to scan. The token leaves the address with the first answer, and lets its holder use
the phones: the network's controls stay closed to them, and so does everything else of the installation.
"""

from __future__ import annotations

import hmac
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlencode

COOKIE = "tablegram_phone"
PATH = "/sandbox/hold"
_MENU = "/api/v1/menu"


class Holding:
    """Nobody holds anything where there is no token."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def is_exchange(self, scope: Any) -> bool:
        return bool(self._token) and scope["path"] == PATH and scope["method"] == "GET"

    def knows(self, scope: Any) -> bool:
        """Whether the request brings the cookie that the link was exchanged for."""
        given = [value for name, value in scope["headers"] if name == b"cookie"]
        try:
            cookie = SimpleCookie(b"; ".join(given).decode("latin-1")).get(COOKIE)
        except CookieError:
            return False
        return cookie is not None and self._fits(cookie.value)

    def exchange(self, scope: Any) -> list[tuple[bytes, bytes]] | None:
        """The fields of the answer that sets the cookie and leads on; nothing when the token is not the one."""
        try:
            asked = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=20)
            # Encoded anew, so that it stays a query of that page.
            menu = urlencode(parse_qs(asked.get("menu", [""])[0], max_num_fields=20), doseq=True)
        except ValueError:
            return None
        if not self._fits(asked.get("token", [""])[0]):
            return None
        onward = f"{_MENU}?{menu}" if menu else "/sandbox/?" + urlencode({"phone": asked.get("phone", [""])[0]})
        cookie = f"{COOKIE}={self._token.decode()}; Path=/sandbox; HttpOnly; SameSite=Lax"
        return [
            (b"location", onward.encode()),
            (b"set-cookie", cookie.encode()),
            (b"cache-control", b"no-store"),
            (b"referrer-policy", b"no-referrer"),
        ]

    def _fits(self, given: str) -> bool:
        return bool(self._token) and hmac.compare_digest(given.encode(), self._token)


def link(base_url: str, token: str, **onward: str) -> str:
    return f"{base_url}{PATH}?{urlencode({'token': token, **onward})}"
