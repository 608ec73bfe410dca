"""What a guest does on the menu page: sit down, look, fill a cart, order, call, follow the order. No account, no key.

A guest proves with the code on their table that they sit there, with the cart's secret that a cart is theirs, and with their
link that an order is theirs. Amounts here are whole minor units.
"""

from __future__ import annotations

import base64
import hashlib
import hmac

import msgspec
from msgspec import UNSET

from tablegram.errors import Forbidden, Invalid, NotFound
from tablegram.events.planning import Statement
from tablegram.flows.restaurant.answers.guests import (
    CartOrder,
    CartRewards,
    CartView,
    GuestOrder,
    GuestTableView,
    GuestVenueStanding,
    TakenOff,
    VenueGlance,
)
from tablegram.flows.restaurant.bills.links import BillFace
from tablegram.flows.restaurant.fields import CartFields, OrderFormFields
from tablegram.flows.restaurant.guests import offers
from tablegram.flows.restaurant.guests.bringers import brought_by
from tablegram.flows.restaurant.guests.bringing import brought_to, destination_in
from tablegram.flows.restaurant.guests.calls import RungCall, TableCalls
from tablegram.flows.restaurant.guests.guest_views import cart_view, order_view, table_view
from tablegram.flows.restaurant.guests.looking import Editions, MenuEdition, standing_of
from tablegram.flows.restaurant.guests.reaching import Reaching
from tablegram.flows.restaurant.guests.wishes import known_wish_of, order_of, table_of
from tablegram.flows.restaurant.orders.ordering import Ordering, charges_for, run_all
from tablegram.flows.restaurant.paying.by_gift import pay_order
from tablegram.flows.restaurant.paying.guest import paying_view
from tablegram.restaurant import tables, venues
from tablegram.restaurant.calls import Kind, PayBy, State
from tablegram.restaurant.carts import keeping as carts
from tablegram.restaurant.carts import tabs
from tablegram.restaurant.carts.codes import show
from tablegram.restaurant.carts.contents import check_menu, clean_lines
from tablegram.restaurant.carts.keeping import Cart
from tablegram.restaurant.lines import DishLine, Reckoning
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.forms import check_type, clean_language, parse_lines, usual_type
from tablegram.restaurant.orders.model import Order
from tablegram.restaurant.orders.totals import total
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue
from tablegram.restaurant.visitors.allowances import Allowances, Visitor
from tablegram.restaurant.visitors.following import order_by_token
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock
from tablegram.values.secrets import SecretBox

# A page's own key for its cart is a secret; a short one could be guessed.
MIN_KEY, MAX_KEY = 16, 100


class Seat(msgspec.Struct, frozen=True):
    """Where a guest is: at a venue, and at a table of it where they opened a table's code."""

    venue: Venue
    table: Table | None = None
    # The code's signature was right; a table that needs none may be anybody's.
    signed: bool = False


class Guests:
    """`address`, where a method takes it, is what the caller's requests are counted by."""

    def __init__(
        self, db: Database, box: SecretBox, clock: Clock, ordering: Ordering, reaching: Reaching, calls: TableCalls,
        allowances: Allowances,
    ) -> None:  # fmt: skip
        self._db = db
        self._box = box
        self._clock = clock
        self._ordering = ordering
        self._reaching = reaching
        self._calls = calls
        self._allowances = allowances
        self._editions = Editions(ordering)

    # Sitting down and looking.

    async def seat(self, venue_id: str | None, table: str | None, signature: str | None) -> Seat:
        """Where a link leads. Without a venue it is the default one of the house that was here first."""

        async def look(tx: Tx) -> Seat:
            venue = await venues.shown_to_guests(tx, venue_id or None)
            if venue is None:
                raise NotFound("There is no such menu. Scan the code on the table again.", code="venue_unknown")
            if not table:
                return Seat(venue)
            found = await tables.find_by_label(tx, venue.account_id, venue.id, table)
            if found is None:
                raise NotFound("This restaurant has no such table. Scan the code again.", code="table_unknown")
            admission = tables.admit(self._box, venue, found, signature)
            if admission == "forged":
                raise _code_invalid()
            if admission == "refused":
                raise Forbidden("Scan the code on the table to order there.", code="table_code_needed")
            return Seat(venue, found, signed=admission == "signed")

        return await self._db.snapshot(look)

    async def menu(self, venue: Venue, language: str) -> MenuEdition:
        """The menu in the language that suits best; the same bytes for one version."""
        return await self._db.snapshot(lambda tx: self._editions.edition(tx, venue, language))

    async def standing(self, venue: Venue) -> GuestVenueStanding:
        """How the venue stands at this moment: open or not, and what cannot be had."""
        return await self._db.snapshot(lambda tx: standing_of(tx, self._ordering, venue, self._clock.now_ms()))

    async def glance(self, venue_id: str) -> VenueGlance:
        """What open pages hear of: the menu's version, and how the venue stands."""
        seat = await self.seat(venue_id, None, None)
        return VenueGlance(seat.venue.menu_version, await self.standing(seat.venue))

    # Carts.

    async def open_cart(self, seat: Seat, fields: CartFields, address: str = "") -> CartView:
        """A new cart with its secret; the same `key` again, because no answer came, is the same cart."""
        venue, table = seat.venue, seat.table
        lines = parse_lines(fields.get("lines", ()))
        order_type = fields.get("order_type") or usual_type(venue, table)
        check_type(venue, order_type)
        holder = self._holder(venue, fields.get("key"))
        destination = destination_in(fields)
        visitor = Visitor(venue, table, seat.signed, address)

        async def work(tx: Tx) -> CartView:
            now = self._clock.now_ms()
            if seat.signed and table is not None and not await tables.has_still(tx, table):
                raise _code_invalid()
            await self._check_lines(tx, venue, lines)
            if not holder or not await carts.is_known(tx, venue.account_id, holder):
                self._allowances.take("cart", visitor)
            # Who only says where they sit shares nothing with those who proved it.
            tab_id = await tabs.join(tx, venue.account_id, venue.id, table.id, now) if table and seat.signed else None
            agreed = await offers.check(tx, venue, fields.get("offers"))
            cart, secret = await carts.open_cart(
                tx, venue.account_id, venue.id, order_type, clean_language(venue, fields.get("language")), now,
                table_id=None if table is None else table.id, tab_id=tab_id, lines=lines,
                notes=fields.get("notes") or "", is_signed=seat.signed, holder=holder,
                destination=None if destination is UNSET else destination, offers_text=agreed or "",
            )  # fmt: skip
            return msgspec.structs.replace(await self._view(tx, venue, cart, now), holder=secret)

        return await self._with_link(venue, await self._db.write(work))

    async def cart(self, venue: Venue, code: str, holder: str) -> CartView:
        async def look(tx: Tx) -> CartView:
            found = await self._held(tx, venue, code, holder)
            carts.check_proof(found)
            return await self._view(tx, venue, found, self._clock.now_ms())

        return await self._with_link(venue, await self._db.snapshot(look))

    async def takes_off(self, venue: Venue, code: str, holder: str, proof: str) -> CartRewards:
        """What the guest chose to redeem takes off this cart, as it is now."""
        rewards = self._ordering.rewards
        if rewards is None:
            raise NotFound("There are no points and coupons here.", code="loyalty_off")

        async def look(tx: Tx) -> CartRewards:
            now = self._clock.now_ms()
            cart = await self._held(tx, venue, code, holder)
            contact_id, _ = await rewards.whose(tx, venue, proof, now)
            lines = (await self._reckon(tx, venue, cart, now)).lines
            brought = await brought_to(tx, venue, cart, now)
            to = None if brought is None or brought.looked is None else brought.looked.destination
            charges = charges_for(venue, cart.order_type, lines, cart.language, to)
            found = await rewards.takes_off(tx, venue, contact_id, cart.order_type, lines, charges, now)
            discounts = [TakenOff(one.name, one.amount) for one in found]
            return CartRewards(cart.revision, discounts, to_pay=total(lines, charges, found))

        return await self._db.snapshot(look)

    async def change_cart(self, venue: Venue, code: str, holder: str, fields: CartFields) -> CartView:
        """Change what is given and leave the rest."""
        lines = parse_lines(fields["lines"]) if fields.get("lines") is not None else None
        if fields.get("order_type"):
            check_type(venue, fields["order_type"])
        destination = destination_in(fields)

        async def work(tx: Tx) -> CartView:
            now = self._clock.now_ms()
            kept = await self._held(tx, venue, code, holder)
            if lines is not None:
                await self._check_lines(tx, venue, lines, kept.lines)
            cart = await carts.change(
                tx, venue.account_id, code, holder, now, lines=lines, notes=fields.get("notes"),
                language=clean_language(venue, fields["language"]) if fields.get("language") else None,
                order_type=fields.get("order_type"), revision=fields.get("revision"),
                tab_id=await self._sits_at(tx, kept, now), destination=destination,
                offers_text=await offers.check(tx, venue, fields.get("offers")),
            )  # fmt: skip
            return await self._view(tx, venue, cart, now)

        return await self._with_link(venue, await self._db.write(work))

    async def bring_together(self, venue: Venue, code: str, holder: str, only: list[str] | None = None) -> CartView:
        """Take what the others at the table have chosen into this cart, or those of them that are named."""

        async def work(tx: Tx) -> CartView:
            now = self._clock.now_ms()
            await self._held(tx, venue, code, holder)
            cart = await carts.bring_together(tx, venue.account_id, code, holder, now, only=only)
            return await self._view(tx, venue, cart, now)

        return await self._with_link(venue, await self._db.write(work))

    async def table_view(self, venue: Venue, code: str, holder: str) -> GuestTableView:
        """What the others at the table have chosen, and what was ordered there; nothing for who has not proved it."""

        async def look(tx: Tx) -> GuestTableView:
            now = self._clock.now_ms()
            mine = await self._held(tx, venue, code, holder)
            carts.check_proof(mine)
            tab_id = mine.tab_id if mine.is_signed else None
            if tab_id is None or not await tabs.is_in_use(tx, venue.account_id, tab_id, now):
                return table_view((), (), venue.currency, now)
            others = [
                (cart, await self._ordering.reckon(tx, venue, cart.lines, cart.order_type, mine.language, now))
                for cart in await carts.shared_at(tx, mine, now)
            ]
            # The page may not have heard yet that its own cart was ordered.
            seen = [one for one in await orders.seen_at(tx, venue.account_id, tab_id) if one.cart_code != mine.code]
            return table_view(others, seen, venue.currency, now)

        return await self._db.snapshot(look)

    # Ordering without the app, and what comes after.

    async def order_from_page(
        self, venue: Venue, code: str, holder: str, fields: OrderFormFields, address: str = ""
    ) -> GuestOrder:
        """Order a cart right on the page. One cart, one order, however often it is asked for."""
        await self._ordering.refresh(venue.account_id)

        async def work(tx: Tx) -> tuple[Order, GuestOrder, list[Statement]]:
            now = self._clock.now_ms()
            present = await venues.find(tx, venue.account_id, venue.id)
            await self._held(tx, present, code, holder)
            cart = await carts.held(tx, venue.account_id, code, holder, lock=True)
            if cart.state == "ordered":
                order = await order_of(tx, cart)
                return order, await self._order_view(tx, present, order), []
            carts.check_open(cart, now)
            wish = await known_wish_of(tx, self._ordering, present, cart, fields, now)
            self._allowances.take("order", Visitor(present, wish.table, cart.is_signed, address))
            if cart.is_signed and wish.table is not None and wish.order_type == "dine_in":
                # The table's guests may have been thought gone since the cart was opened; whoever orders sits there.
                tab_id = await tabs.join(tx, present.account_id, present.id, wish.table.id, now)
                wish = msgspec.structs.replace(wish, tab_id=tab_id)
            placed, statements = await self._ordering.place(tx, present, wish, now, cart)
            order = placed.order
            if placed.is_new and fields.get("gift_code"):
                order, _, more = await pay_order(tx, self._ordering, present, order, fields["gift_code"], None, now)
                statements += more
            await run_all(tx, statements)
            return order, await self._order_view(tx, present, order), statements

        order, view, statements = await self._db.write(work)
        self._ordering.told(venue, statements)
        return await self._with_proof(venue, order, view)

    async def order_status(self, token: str) -> GuestOrder:
        """The guest's own order, by their link."""

        async def look(tx: Tx) -> tuple[Venue, Order, GuestOrder]:
            venue, order = await order_by_token(tx, self._box, token)
            return venue, order, await self._order_view(tx, venue, order)

        return await self._with_proof(*await self._db.snapshot(look))

    async def cancel_by_guest(self, token: str) -> GuestOrder:
        """Call an order off while the kitchen has not begun."""
        venue, order = await self._db.snapshot(lambda tx: order_by_token(tx, self._box, token))
        await self._ordering.refresh(venue.account_id)

        async def work(tx: Tx) -> tuple[GuestOrder, list[Statement]]:
            now = self._clock.now_ms()
            change = await orders.happen(tx, venue.account_id, order.order_id, "cancel", "guest", "guest", now)
            statements = await self._ordering.follow(tx, venue, change, "cancel", now)
            await run_all(tx, statements)
            return await self._order_view(tx, venue, change.order), statements

        view, statements = await self._db.write(work)
        self._ordering.told(venue, statements)
        return view

    async def call(
        self, seat: Seat, kind: Kind, note: str = "", address: str = "", method: PayBy | None = None
    ) -> RungCall:
        """Call for the waiter, or for the bill with how it will be paid."""
        if kind not in ("waiter", "bill"):
            raise Invalid.field("kind", "kind_invalid", "Call for the waiter or for the bill.")
        if seat.table is None:
            raise Invalid.field("table", "table_needed", "Scan the code on your table to call somebody there.")
        if not seat.signed:
            # Also where a table may be named to order: what a call costs is a waiter's way, and nobody looks at it first.
            raise Forbidden(
                "The code on the table was not scanned. Scan it to call somebody there.", code="call_code_needed"
            )
        visitor = Visitor(seat.venue, seat.table, seat.signed, address)
        return await self._calls.ring(
            seat.venue, seat.table, kind, note, lambda: self._allowances.take("call", visitor), method
        )

    async def bill(self, seat: Seat, own_link: str = "") -> BillFace:
        """What is owed at a table, for who proved to sit there; `own_link` is the payment link that they have already."""
        if seat.table is None or not seat.signed:
            raise Forbidden("The code on the table was not scanned. Scan it to see the bill.", code="call_code_needed")
        return await self._calls.owed(seat.venue, seat.table, own_link)

    async def calls_heard(self, seat: Seat) -> dict[Kind, State]:
        """How the calls of a table stand, for who proved to sit there."""
        return await self._calls.heard(seat.table) if seat.table is not None and seat.signed else {}

    # Inside.

    async def _check_lines(
        self, tx: Tx, venue: Venue, lines: tuple[DishLine, ...], kept: tuple[DishLine, ...] = ()
    ) -> None:
        lines = clean_lines(lines)
        if lines:
            present = await venues.find(tx, venue.account_id, venue.id)
            check_menu(lines, await self._ordering.menus.load(tx, present), kept)

    async def _sits_at(self, tx: Tx, cart: Cart, now: int) -> str | None:
        """The table's tab of now, where the one that the cart belongs to has ended."""
        if not cart.is_signed or cart.table_id is None or cart.tab_id is None:
            return None
        if await tabs.is_in_use(tx, cart.account_id, cart.tab_id, now):
            return None
        return await tabs.join(tx, cart.account_id, cart.venue_id, cart.table_id, now)

    def _holder(self, venue: Venue, key: str | None) -> str:
        if key is None:
            return ""
        if not MIN_KEY <= len(key) <= MAX_KEY:
            raise Invalid.field("key", "key_invalid", f"The key of a cart has {MIN_KEY} to {MAX_KEY} characters.")
        secret = self._box.open(venue.signing_key).encode()
        digest = hmac.new(secret, f"cart:{venue.id}:{key}".encode("utf-8", "replace"), hashlib.sha256).digest()
        return base64.urlsafe_b64encode(digest[:24]).decode()

    async def _held(self, tx: Tx, venue: Venue, code: str, holder: str) -> Cart:
        cart = await carts.held(tx, venue.account_id, code, holder)
        if cart.venue_id != venue.id:
            raise NotFound("There is no such cart here. Open the menu and start again.", code="cart_unknown")
        return cart

    async def _reckon(self, tx: Tx, venue: Venue, cart: Cart, now: int) -> Reckoning:
        present = await venues.find(tx, venue.account_id, venue.id)
        return await self._ordering.reckon(tx, present, cart.lines, cart.order_type, cart.language, now)

    async def _view(self, tx: Tx, venue: Venue, cart: Cart, now: int) -> CartView:
        table = await table_of(tx, cart)
        brought = await brought_to(tx, venue, cart, now)
        reckoned = await self._reckon(tx, venue, cart, now)
        told = None
        if cart.state == "ordered":
            order = await order_of(tx, cart)
            told = CartOrder(order.order_id, order.state, self._ordering.telling.status_url(venue, order))
        return cart_view(venue, cart, reckoned, "" if table is None else table.label, brought, told)

    async def _with_link(self, venue: Venue, view: CartView) -> CartView:
        return msgspec.structs.replace(view, link=await self._reaching.link(venue, view.text))

    async def _with_proof(self, venue: Venue, order: Order, view: GuestOrder) -> GuestOrder:
        """With a link by which a number that was only typed says that it is its order."""
        waits = order.is_typed and order.state == "awaiting_confirmation" and order.customer_phone
        text = f"{order.order_id} #{show(order.cart_code or '')}"
        return msgspec.structs.replace(view, proof_link=await self._reaching.link(venue, text) if waits else None)

    async def _order_view(self, tx: Tx, venue: Venue, order: Order) -> GuestOrder:
        history = await orders.history(tx, order)
        paying = await paying_view(tx, self._ordering, venue, order)
        url = self._ordering.telling.status_url(venue, order)
        return order_view(venue, order, history, url, await brought_by(tx, order), paying)


def _code_invalid() -> Forbidden:
    return Forbidden(
        "This code is no longer valid. Scan the one on the table, or ask the staff.", code="table_code_invalid"
    )
