"""`/l/{code}`: where a short link of a campaign leads. Nothing but what the campaign stored is led to."""

from __future__ import annotations

from tablegram.errors import MethodNotAllowed, NotFound, Problem
from tablegram.flows.campaigns.following import Following
from tablegram.settings import Settings
from tablegram.web.addresses import Addresses
from tablegram.web.asgi import Receive, Scope, Send, answer, header
from tablegram.web.limits import Pace, ShutOut
from tablegram.web.problems import headers

PATH = "/l"
# Programs that look at a link to show what is behind it, or that nothing bad is: nobody has followed it then.
_LOOKERS = ("bot", "preview", "whatsapp", "facebookexternalhit", "crawler", "spider", "curl", "wget", "python", "scan")


class ShortLinks:
    def __init__(self, following: Following, settings: Settings) -> None:
        self._following = following
        pace = Pace(settings.anonymous_rate_limit, settings.anonymous_rate_burst)
        self.shut_out = ShutOut(Addresses(settings.trusted_proxies), pace)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            url = await self._where(scope)
        except Problem as problem:
            words = b"" if scope["method"] == "HEAD" else b"This link leads nowhere. It may be old."
            fields = [(b"content-type", b"text/plain; charset=utf-8"), *headers(problem)]
            await answer(send, problem.status, fields, words)
            return
        fields = [
            (b"location", url.encode()),
            (b"cache-control", b"no-store"),
            (b"referrer-policy", b"no-referrer"),
            (b"x-robots-tag", b"noindex"),
        ]
        await answer(send, 302, fields)

    async def _where(self, scope: Scope) -> str:
        """Who tries one code after another is shut out for a while."""
        self.shut_out.check(scope)
        if scope["method"] not in ("GET", "HEAD"):
            raise MethodNotAllowed("Use GET.", headers={"Allow": "GET, HEAD"})
        code = scope["path"].removeprefix(f"{PATH}/")
        try:
            return await self._following.follow(code, counts=scope["method"] == "GET" and not _is_looker(scope))
        except NotFound:
            self.shut_out.count(scope)
            raise


def _is_looker(scope: Scope) -> bool:
    if header(scope, b"purpose") == "prefetch" or "prefetch" in header(scope, b"sec-purpose"):
        return True
    agent = header(scope, b"user-agent").lower()
    return not agent or any(word in agent for word in _LOOKERS)
