"""What stands at which address under `/courier`.

GET  /{key}                     the page, for whoever has the link
POST /{key}/enter               `pin`; sets the cookie that all others ask for
GET  /{key}/page, /{key}/live   what stands on it, and that it has changed
POST /{key}/take, /step, /undo, /shift
GET  /{key}/manifest.webmanifest, /static/…, /worker.js
"""

from __future__ import annotations

from http.cookies import CookieError, SimpleCookie

from msgspec.structs import asdict

from tablegram.courier_page import assets, drawing
from tablegram.courier_page.bodies import EnterBody, ShiftBody, StepBody, TakeBody, UndoBody
from tablegram.courier_page.deps import CourierPageDeps
from tablegram.courier_page.live import Streams
from tablegram.delivery.couriers.access import SESSION_MS
from tablegram.delivery.couriers.model import Courier
from tablegram.flows.delivery.couriers.page.courier_pages import Tapped
from tablegram.values.clock import SECOND_MS
from tablegram.web.plain.exchange import Answer, Asked, Stream, json
from tablegram.web.plain.routing import Handler, PatternTable

COOKIE = "tablegram_courier"


class Routes:
    def __init__(self, deps: CourierPageDeps, streams: Streams) -> None:
        self._pages, self._streams = deps.pages, streams
        self._is_secure = deps.settings.base_url.startswith("https://")
        key = r"(?P<key>[A-Za-z0-9_-]{16,64})"
        table: list[tuple[str, str, Handler]] = [
            ("GET", rf"/{key}", self.sheet),
            ("POST", rf"/{key}/enter", self.enter),
            ("GET", rf"/{key}/page", self.page),
            ("GET", rf"/{key}/live", self.live),
            ("POST", rf"/{key}/take", self.take),
            ("POST", rf"/{key}/step", self.step),
            ("POST", rf"/{key}/undo", self.undo),
            ("POST", rf"/{key}/shift", self.shift),
            ("GET", rf"/{key}/manifest\.webmanifest", self.manifest),
            ("GET", r"/static/(?P<edition>[0-9a-f]{1,40})/(?P<name>[a-z_.]{1,40})", self.static),
            ("GET", r"/worker\.js", self.worker),
        ]
        self.find = PatternTable(table).find

    async def sheet(self, asked: Asked, key: str) -> Answer:
        return drawing.sheet(await self._pages.find(key), key)

    async def manifest(self, asked: Asked, key: str) -> Answer:
        return drawing.manifest(await self._pages.find(key), key)

    async def static(self, asked: Asked, edition: str, name: str) -> Answer:
        return assets.serve(edition, name)

    async def worker(self, asked: Asked) -> Answer:
        return assets.worker()

    async def enter(self, asked: Asked, key: str) -> Answer:
        body = await asked.json(EnterBody)
        token = await self._pages.enter(key, body.pin)
        answer = json({"entered": True})
        # Of this page alone, and never from another site's.
        parts = [f"{COOKIE}={token}", f"Path={assets.BASE}/{key}", f"Max-Age={SESSION_MS // SECOND_MS}"]
        parts += ["HttpOnly", "SameSite=Strict", *(["Secure"] if self._is_secure else [])]
        answer.headers["Set-Cookie"] = "; ".join(parts)
        return answer

    async def page(self, asked: Asked, key: str) -> Answer:
        return json(await self._pages.show(await self._courier(asked, key)))

    async def live(self, asked: Asked, key: str) -> Stream:
        return Stream(self._streams.open(await self._courier(asked, key), key, _token(asked)))

    async def take(self, asked: Asked, key: str) -> Answer:
        courier, body = await self._courier(asked, key), await asked.json(TakeBody)
        return await self._tapped(courier, await self._pages.take(courier, body.order_id, body.once))

    async def step(self, asked: Asked, key: str) -> Answer:
        courier, body = await self._courier(asked, key), await asked.json(StepBody)
        made = await self._pages.step(
            courier, body.delivery_id, body.action, body.once, paid=body.paid, reason=body.reason
        )
        return await self._tapped(courier, made)

    async def undo(self, asked: Asked, key: str) -> Answer:
        courier, body = await self._courier(asked, key), await asked.json(UndoBody)
        return await self._tapped(courier, await self._pages.undo(courier, body.delivery_id, body.step_id, body.once))

    async def shift(self, asked: Asked, key: str) -> Answer:
        courier, body = await self._courier(asked, key), await asked.json(ShiftBody)
        return await self._tapped(courier, await self._pages.set_shift(courier, body.working, body.once))

    async def _tapped(self, courier: Courier, made: Tapped) -> Answer:
        """With the page as it is now, so that nothing jumps back and forth under a thumb."""
        return json({**asdict(made), "page": await self._pages.show(courier)})

    async def _courier(self, asked: Asked, key: str) -> Courier:
        return await self._pages.check(key, _token(asked))


def _token(asked: Asked) -> str:
    try:
        found = SimpleCookie(asked.headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value[:200]
