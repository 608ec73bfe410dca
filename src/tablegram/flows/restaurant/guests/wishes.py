"""A cart and the form beside it as an order that somebody wishes for, or why it cannot be one."""

from __future__ import annotations

import msgspec

from tablegram.errors import Conflict, Invalid, NotFound
from tablegram.flows.restaurant.fields import OrderFormFields
from tablegram.flows.restaurant.guests.bringing import brought_to
from tablegram.flows.restaurant.orders.ordering import Ordering, OrderWish
from tablegram.restaurant import tables
from tablegram.restaurant.carts.contents import clean_notes
from tablegram.restaurant.carts.keeping import Cart
from tablegram.restaurant.guests import MAX_ADDRESS
from tablegram.restaurant.lines import tidy
from tablegram.restaurant.orders.forms import MAX_NAME, check_method, check_takes_orders, check_type
from tablegram.restaurant.orders.model import Order, from_row
from tablegram.restaurant.store import orders as order_store
from tablegram.restaurant.tables import Table
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.phone import read_phone_in


async def wish_of(tx: Tx, ordering: Ordering, venue: Venue, cart: Cart, fields: OrderFormFields, now: int) -> OrderWish:
    """Nothing is written before all is well."""
    check_takes_orders(venue, now)
    check_type(venue, cart.order_type)
    table = await table_of(tx, cart)
    if cart.order_type == "dine_in" and table is None:
        raise Invalid.field("table", "table_needed", "Scan the code on your table to order there.")
    phone, name = fields.get("phone") or "", tidy(fields.get("name") or "")[:MAX_NAME]
    if phone or not (cart.order_type == "dine_in" and cart.is_signed):
        phone = read_phone_in(phone, venue.country)
    address = tidy(fields.get("address") or "")
    if len(address) > MAX_ADDRESS:
        raise Invalid.field("address", "too_long", f"An address has at most {MAX_ADDRESS} characters.")
    if cart.order_type == "delivery" and not address:
        raise Invalid.field("address", "address_needed", "Say where we shall deliver it.")
    reckoned = await ordering.reckon(tx, venue, cart.lines, cart.order_type, cart.language, now)
    if reckoned.troubles:
        details = [problem.detail for trouble in reckoned.troubles for problem in trouble.problems[:1]]
        raise Conflict(" ".join(dict.fromkeys(details)), code="cart_has_troubles")
    if not reckoned.lines:
        raise Invalid.field("lines", "cart_empty", "There is nothing in the cart.")
    brought = await brought_to(tx, venue, cart, now)
    if brought is not None:
        brought.check(venue, reckoned.subtotal, cart.language)
    to = None if brought is None or brought.looked is None else brought.looked.destination
    # A number that was typed proves nobody; who sits at a table is there.
    sits = cart.order_type == "dine_in" and cart.is_signed
    offered = await ordering.methods(tx, venue, cart.order_type, is_known=sits)
    return OrderWish(
        order_type=cart.order_type,
        lines=reckoned.lines,
        language=cart.language,
        table=table,
        payment_method=check_method(offered, fields.get("payment_method")),
        phone=phone,
        name=name,
        notes=clean_notes(fields["notes"]) if fields.get("notes") else cart.notes,
        address=address,
        destination=to,
        route_url="" if to is None else to.route_url,
        # Neither a table nor a number is proved: people look at it first, or the number itself writes.
        is_strangers=not cart.is_signed,
    )


async def known_wish_of(
    tx: Tx, ordering: Ordering, venue: Venue, cart: Cart, fields: OrderFormFields, now: int
) -> OrderWish:
    """The same of somebody whose phone has sent the page's `proof`: it is their order, told to the phone that wrote."""
    proof = fields.get("proof")
    if not proof or ordering.rewards is None:
        return await wish_of(tx, ordering, venue, cart, fields, now)
    contact_id, phone = await ordering.rewards.whose(tx, venue, proof, now)
    wish = await wish_of(tx, ordering, venue, cart, {**fields, "phone": f"+{phone}"}, now)
    return msgspec.structs.replace(wish, contact_id=contact_id, is_strangers=False)


async def table_of(tx: Tx, cart: Cart) -> Table | None:
    if cart.table_id is None:
        return None
    try:
        return await tables.find(tx, cart.account_id, cart.venue_id, cart.table_id)
    except NotFound:
        return None


async def order_of(tx: Tx, cart: Cart) -> Order:
    row = await tx.first(order_store.BY_CART, {"b_account": cart.account_id, "b_code": cart.code})
    if row is None:
        raise NotFound("There is no such order.", code="order_unknown")
    return from_row(row)
