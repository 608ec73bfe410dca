"""What stands at which address under `/api/v1/menu`.

GET  (the page)                 ?table=&venue=&t=&lang=
GET  /data                      ?venue=&table=&t=&lang=    the menu and how the venue stands
GET  /live                      ?venue=&orders=            tells when either has changed, or one of these orders
POST /carts, GET PATCH /carts/{code}, POST /carts/{code}/gather, GET /carts/{code}/table, POST /carts/{code}/order
GET  /carts/{code}/rewards      what the rewards that were chosen take off it, for who shows `Reward-Proof`
POST /calls, GET /calls         ?venue=&table=&t=          how the table's calls stand
GET  /bill                      ?venue=&table=&t=&own=     what is owed at the table; `own`: the link that this phone has
POST /bill/pay                  a payment link for it, or for a part
GET  /bill/links/{link}         ?venue=&table=&t=          what came of one
POST /gifts                     what is left on the gift card of a code
POST /bill/gift, POST /orders/{token}/gift                 pays with one
POST /rewards                   a code for a message, which shows whose phone it is
GET  /rewards/{code}, POST /rewards/{code}                 what they have, and what they use on the order to come
GET  /orders/{token}, GET /orders/{token}/live, POST /orders/{token}/cancel, POST /orders/{token}/pay
GET  /paid/{account}/{link}     ?left=   leads who comes from the payment page to the order's own, or back to their table
GET  /images/{id}-{width}.webp, /static/…, /worker.js, /manifest.webmanifest
GET  /embed.js, /orders/{token}/embed   for other people's websites

Whoever changes a cart, or looks at rewards, shows in `Cart-Holder` that it is theirs.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tablegram.errors import Invalid, NotFound
from tablegram.flows.restaurant.fields import CartFields, GuestBillFields, GuestGiftFields, OrderFormFields
from tablegram.flows.restaurant.guests.guests import Seat
from tablegram.menu_page import assets, drawing, embedding
from tablegram.menu_page.bodies import (
    CallBody,
    CartBody,
    GatherBody,
    GiftBillBody,
    GiftBody,
    GiftCodeBody,
    OpenCartBody,
    OrderBody,
    PayBillBody,
    PayBody,
    ProveBody,
    RewardBody,
    fields_of,
)
from tablegram.menu_page.deps import MenuPageDeps
from tablegram.menu_page.live import Streams, beside_the_menu
from tablegram.menu_page.words import choose_language
from tablegram.restaurant.venues import Venue
from tablegram.web.addresses import limit_key
from tablegram.web.assets import FOR_EVER, tag_of
from tablegram.web.plain.exchange import Answer, Asked, Stream, json
from tablegram.web.plain.routing import Handler, PatternTable

_PLACE = ("venue", "table", "t")
_raw = msgspec.Raw


class Routes:
    def __init__(self, deps: MenuPageDeps, streams: Streams) -> None:
        self._deps, self._guests, self._streams = deps, deps.guests, streams
        self._drawing = drawing.Drawing()
        code = r"(?P<code>[^/]{1,40})"
        token = r"(?P<token>[^/]{1,200})"
        table: list[tuple[str, str, Handler]] = [
            ("GET", r"/?", self.page),
            ("GET", r"/data", self.data),
            ("GET", r"/live", self.live),
            ("POST", r"/carts", self.open_cart),
            ("GET", rf"/carts/{code}", self.cart),
            ("PATCH", rf"/carts/{code}", self.change_cart),
            ("POST", rf"/carts/{code}/gather", self.gather),
            ("GET", rf"/carts/{code}/table", self.table),
            ("GET", rf"/carts/{code}/rewards", self.takes_off),
            ("POST", rf"/carts/{code}/order", self.order),
            ("POST", r"/calls", self.call),
            ("GET", r"/calls", self.calls),
            ("GET", r"/bill", self.bill),
            ("POST", r"/bill/pay", self.pay_bill),
            ("GET", r"/bill/links/(?P<link>pay_[0-9A-Za-z]{1,60})", self.bill_link),
            ("POST", r"/bill/gift", self.pay_bill_by_gift),
            ("POST", r"/gifts", self.look_at_gift),
            ("POST", r"/rewards", self.prove),
            ("GET", rf"/rewards/{code}", self.own_rewards),
            ("POST", rf"/rewards/{code}", self.choose_reward),
            ("GET", rf"/orders/{token}", self.status),
            ("GET", rf"/orders/{token}/live", self.order_live),
            ("GET", rf"/orders/{token}/embed", self.embedded),
            ("POST", rf"/orders/{token}/cancel", self.cancel),
            ("POST", rf"/orders/{token}/pay", self.pay),
            ("POST", rf"/orders/{token}/gift", self.pay_by_gift),
            ("GET", r"/paid/(?P<account>[0-9]{1,15})/(?P<link>pay_[0-9A-Za-z]{1,60})", self.paid),
            ("GET", r"/images/(?P<image>[A-Za-z0-9_-]{1,64})-(?P<width>[0-9]{2,4})\.webp", self.image),
            ("GET", r"/static/(?P<edition>[0-9a-f]{1,40})/(?P<name>[a-z_.]{1,40})", self.static),
            ("GET", r"/worker\.js", self.worker),
            ("GET", r"/embed\.js", self.embed),
            ("GET", r"/manifest\.webmanifest", self.manifest),
        ]
        self.find = PatternTable(table).find

    def problem_page(self, asked: Asked, problem: Any) -> Answer:
        language = choose_language(asked.query.get("lang"), asked.headers.get("accept-language", ""), [])
        return self._drawing.problem_page(problem, language, asked.query)

    # Pages.

    async def page(self, asked: Asked) -> Answer:
        seat = await self._seat(asked.query)
        language = _language(asked, seat.venue)
        edition = await self._guests.menu(seat.venue, language)
        standing = await self._guests.standing(seat.venue)
        return self._drawing.menu_page(seat, edition, standing, language, asked.query)

    async def status(self, asked: Asked, token: str) -> Answer:
        order = await self._guests.order_status(token)
        if asked.wants_data:
            # Nobody between us and the guest keeps what they ordered and where they live.
            content = json(order, keep="private, no-cache")
            content.headers["Vary"] = "Accept"
            content.tag = tag_of(content.body)
            return content
        spoken = [order.language] if order.language else []
        language = choose_language(asked.query.get("lang") or order.language, "", spoken)
        return self._drawing.status_page(order, token, language)

    async def embedded(self, asked: Asked, token: str) -> Answer:
        try:
            order = await self._guests.order_status(token)
        except NotFound as problem:
            return embedding.unknown(problem)
        return embedding.state(order, choose_language(asked.query.get("lang"), "", []))

    async def cancel(self, asked: Asked, token: str) -> Answer:
        await asked.json(msgspec.Raw)
        return json(await self._guests.cancel_by_guest(token))

    async def pay(self, asked: Asked, token: str) -> Answer:
        body = await asked.json(PayBody)
        await self._deps.guest_paying.choose(token, body.way)
        return json(await self._guests.order_status(token))

    async def paid(self, asked: Asked, account: str, link: str) -> Answer:
        bill = await self._deps.guest_bill.landing(int(account), link, has_left="left" in asked.query)
        address = bill or await self._deps.guest_paying.landing(int(account), link)
        return Answer(b"", "text/plain", status=303, headers={"Location": address})

    async def static(self, asked: Asked, edition: str, name: str) -> Answer:
        return assets.serve(edition, name)

    async def worker(self, asked: Asked) -> Answer:
        return assets.worker()

    async def embed(self, asked: Asked) -> Answer:
        return embedding.script()

    async def manifest(self, asked: Asked) -> Answer:
        return drawing.manifest(await self._seat(asked.query), asked.query)

    async def image(self, asked: Asked, image: str, width: str) -> Answer:
        content = await self._deps.photos.open(image, int(width))
        return Answer(content, "image/webp", keep=FOR_EVER, tag=f'"{image}-{width}"')

    # Data.

    async def data(self, asked: Asked) -> Answer:
        seat = await self._seat(asked.query)
        edition = await self._guests.menu(seat.venue, _language(asked, seat.venue))
        standing = await self._guests.standing(seat.venue)
        content = json({"menu": _raw(edition.body), "standing": standing}, keep="no-cache")
        content.tag = tag_of(content.body)
        return content

    async def live(self, asked: Asked) -> Stream:
        venue = await self._venue(asked)
        beside = beside_the_menu(self._deps.order_watch, venue.id, asked.query.get("orders", "").split(","))
        return Stream(self._streams.open(venue.id, asked.remote, beside))

    async def order_live(self, asked: Asked, token: str) -> Stream:
        watch = self._deps.order_watch
        venue, _ = await watch.find(token)
        return Stream(self._streams.open_order(watch, venue.id, token, asked.remote))

    async def open_cart(self, asked: Asked) -> Answer:
        body = await asked.json(OpenCartBody)
        seat = await self._seat({name: getattr(body, name) or "" for name in _PLACE})
        made = await self._guests.open_cart(seat, fields_of(body, CartFields, without=_PLACE), limit_key(asked.remote))
        return json(made, status=201)

    async def cart(self, asked: Asked, code: str) -> Answer:
        return json(await self._guests.cart(await self._venue(asked), code, _holder(asked)))

    async def change_cart(self, asked: Asked, code: str) -> Answer:
        body = await asked.json(CartBody)
        venue, fields = await self._venue(asked), fields_of(body, CartFields, without=("key",))
        return json(await self._guests.change_cart(venue, code, _holder(asked), fields))

    async def gather(self, asked: Asked, code: str) -> Answer:
        body = await asked.json(GatherBody)
        venue = await self._venue(asked)
        return json(await self._guests.bring_together(venue, code, _holder(asked), body.only))

    async def table(self, asked: Asked, code: str) -> Answer:
        return json(await self._guests.table_view(await self._venue(asked), code, _holder(asked)))

    async def takes_off(self, asked: Asked, code: str) -> Answer:
        venue, proof = await self._venue(asked), asked.headers.get("reward-proof", "")[:200]
        return json(await self._guests.takes_off(venue, code, _holder(asked), proof))

    async def order(self, asked: Asked, code: str) -> Answer:
        body = await asked.json(OrderBody)
        venue, fields = await self._venue(asked), fields_of(body, OrderFormFields)
        order = await self._guests.order_from_page(venue, code, _holder(asked), fields, limit_key(asked.remote))
        return json(order, status=201)

    async def call(self, asked: Asked) -> Answer:
        body = await asked.json(CallBody)
        seat = await self._seat({name: getattr(body, name) or "" for name in _PLACE})
        address = limit_key(asked.remote)
        return json(await self._guests.call(seat, body.kind, body.note, address, body.method), status=201)

    async def bill(self, asked: Asked) -> Answer:
        return json(await self._guests.bill(await self._seat(asked.query), asked.query.get("own", "")))

    async def bill_link(self, asked: Asked, link: str) -> Answer:
        return json(await self._deps.guest_bill.outcome(await self._seat(asked.query), link))

    async def pay_bill(self, asked: Asked) -> Answer:
        body = await asked.json(PayBillBody)
        seat = await self._seat({name: getattr(body, name) or "" for name in _PLACE})
        fields = fields_of(body, GuestBillFields, without=_PLACE)
        return json(await self._deps.guest_bill.pay(seat, fields, limit_key(asked.remote)), status=201)

    async def look_at_gift(self, asked: Asked) -> Answer:
        body = await asked.json(GiftCodeBody)
        seat = await self._seat({name: getattr(body, name) or "" for name in _PLACE})
        return json(await self._deps.guest_gifts.look(seat.venue, body.code, limit_key(asked.remote)))

    async def pay_bill_by_gift(self, asked: Asked) -> Answer:
        body = await asked.json(GiftBillBody)
        seat = await self._seat({name: getattr(body, name) or "" for name in _PLACE})
        fields, address = fields_of(body, GuestGiftFields, without=_PLACE), limit_key(asked.remote)
        paid = await self._deps.guest_gifts.pay_bill(seat.venue, seat.table, seat.signed, fields, address)
        return json(paid, status=201)

    async def pay_by_gift(self, asked: Asked, token: str) -> Answer:
        body = await asked.json(GiftBody)
        paid = await self._deps.guest_gifts.pay_order(token, fields_of(body, GuestGiftFields), limit_key(asked.remote))
        return json({"paid": paid, "order": await self._guests.order_status(token)}, status=201)

    async def prove(self, asked: Asked) -> Answer:
        body = await asked.json(ProveBody)
        seat = await self._seat({name: getattr(body, name) or "" for name in _PLACE})
        made = await self._deps.guest_rewards.begin(seat, body.language, limit_key(asked.remote))
        return json(made, status=201)

    async def own_rewards(self, asked: Asked, code: str) -> Answer:
        found = await self._deps.guest_rewards.look(await self._venue(asked), code, _holder(asked))
        return json(found)

    async def choose_reward(self, asked: Asked, code: str) -> Answer:
        body = await asked.json(RewardBody)
        venue = await self._venue(asked)
        found = await self._deps.guest_rewards.choose(
            venue, code, _holder(asked), {"code": body.code, "points": body.points}
        )
        return json(found)

    async def calls(self, asked: Asked) -> Answer:
        return json(await self._guests.calls_heard(await self._seat(asked.query)))

    async def _seat(self, place: dict[str, str]) -> Seat:
        return await self._guests.seat(place.get("venue") or None, place.get("table") or None, place.get("t") or None)

    async def _venue(self, asked: Asked) -> Venue:
        return (await self._guests.seat(asked.query.get("venue") or None, None, None)).venue


def _holder(asked: Asked) -> str:
    holder: str = asked.headers.get("cart-holder", "")
    if not holder:
        raise Invalid.field("Cart-Holder", "missing", "Show in the header Cart-Holder that the cart is yours.")
    return holder[:200]


def _language(asked: Asked, venue: Venue) -> str:
    return choose_language(asked.query.get("lang"), asked.headers.get("accept-language", ""), venue.languages)
