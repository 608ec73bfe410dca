"""Requests under way by address, where connections tell nothing: a proxy's are everybody's."""

from __future__ import annotations

from typing import Any

from tablegram.server import refusals
from tablegram.values.ids import new_id
from tablegram.web import problems
from tablegram.web.addresses import Addresses, limit_key, peer_of
from tablegram.web.asgi import App, Receive, Send, answer


class Callers:
    """Passes on what comes, and no more than `most` at once for each address behind a trusted proxy."""

    def __init__(self, app: App, addresses: Addresses, most: int) -> None:
        self._app = app
        self._addresses = addresses
        self._most = most
        self._under_way: dict[str, int] = {}

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not self._addresses.is_trusted(peer_of(scope)):
            await self._app(scope, receive, send)
            return
        key = limit_key(self._addresses.of(scope))
        count = self._under_way.get(key, 0)
        if count >= self._most:
            refusal = refusals.too_many_from_address(self._most)
            body = problems.render(refusal, scope["path"], new_id())
            fields = [(b"content-type", problems.MEDIA_TYPE.encode()), *problems.headers(refusal)]
            await answer(send, refusal.status, fields, body)
            return
        self._under_way[key] = count + 1
        try:
            await self._app(scope, receive, send)
        finally:
            self._under_way[key] -= 1
            if not self._under_way[key]:
                del self._under_way[key]
