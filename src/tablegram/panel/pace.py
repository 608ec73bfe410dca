"""How often pages may be asked for: by session where there is one, by address else. Looked at before anything else is.

A cookie that nobody has checked yet is a stranger's: whoever makes cookies up is counted by address. A session that was
found is counted by itself for a while, so that strangers behind the same address do not use up what is its.
"""

from __future__ import annotations

import time
from functools import lru_cache
from http.cookies import CookieError, SimpleCookie
from typing import Any

from tablegram.engine.bus.port import Bus
from tablegram.errors import Problem, TooMany
from tablegram.panel import cookies, i18n
from tablegram.settings import Settings
from tablegram.values.ids import new_id
from tablegram.web import problems
from tablegram.web.addresses import Addresses, limit_key
from tablegram.web.asgi import Send, answer, header
from tablegram.web.limits import Limiter, Pace, share_limits

# For so long a session is taken to be one without a look at the store; it only chooses by whom a request is counted.
KNOWN_S = 60.0
MAX_KNOWN = 10_000
# Scripts, styles and letters cost little and come many at once; browsers keep them.
STATIC = "/panel/static/"
STATIC_PER_PAGE = 10


class PagePace:
    def __init__(self, settings: Settings, addresses: Addresses) -> None:
        self._addresses = addresses
        self._limiter = Limiter()
        self._by_address = Pace(settings.page_rate_limit, settings.page_rate_burst)
        self._by_session = Pace(settings.session_rate_limit, settings.session_rate_burst)
        self._known: dict[str, float] = {}

    def share(self, bus: Bus) -> None:
        """From now on what is asked of other processes counts here too."""
        share_limits(bus, "pages", self._limiter)

    def check(self, scope: Any) -> None:
        """Count a request, or raise `TooMany`."""
        now_s = time.monotonic()
        who, pace = self._counted_by(scope, now_s)
        if scope["path"].startswith(STATIC):
            who, pace = f"static {who}", Pace(pace.rate * STATIC_PER_PAGE, pace.burst * STATIC_PER_PAGE)
        decision = self._limiter.take(who, *pace, now_s)
        if not decision.allowed:
            seconds = decision.retry_after_s
            raise TooMany(f"Too many requests at once. Wait {seconds} s and try again.", retry_after_s=seconds)

    def recognise(self, token: str) -> None:
        """This token is a session's."""
        if len(self._known) >= MAX_KNOWN:
            self._known.clear()
        self._known[_name(token)] = time.monotonic() + KNOWN_S

    def _counted_by(self, scope: Any, now_s: float) -> tuple[str, Pace]:
        token = cookies.session_token_of(scope["headers"])
        if token and self._known.get(_name(token), 0.0) > now_s:
            return f"session {_name(token)}", self._by_session
        return limit_key(self._addresses.of(scope)), self._by_address


async def refuse(scope: Any, send: Send, problem: Problem) -> None:
    """In a person's words or as data, without the framework and without a look at the store."""
    own = problems.headers(problem)
    if "application/json" in header(scope, b"accept"):
        body = problems.render(problem, scope["path"], new_id())
        await answer(send, problem.status, [(b"content-type", problems.MEDIA_TYPE.encode()), *own], body)
        return
    page = _page(_language(scope), problem.status, problem.code, problem.retry_after_s or 1)
    await answer(send, problem.status, [(b"content-type", b"text/html; charset=utf-8"), *own], page)


@lru_cache(maxsize=256)
def _page(language: str, status: int, code: str, seconds: int) -> bytes:
    words = i18n.say(language, TooMany("", code=code, retry_after_s=seconds))
    heading = i18n.translate(language, f"frame.error_{status}")
    from tablegram.panel.render import environment

    return environment(language).get_template("frame/busy.html").render(heading=heading, words=words).encode()


def _language(scope: Any) -> str:
    try:
        chosen = SimpleCookie(header(scope, b"cookie")).get(cookies.LANGUAGE)
    except CookieError:
        chosen = None
    return i18n.choose_language("" if chosen is None else chosen.value, accepted=header(scope, b"accept-language"))


def _name(token: str) -> str:
    """Enough of it to tell sessions apart, and too little to be one."""
    return token[:16]
