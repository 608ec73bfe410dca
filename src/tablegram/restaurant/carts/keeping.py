"""Carts: what a guest puts together on the page, kept by the server and found again by a short code.

A cart is open, then ordered or expired. Only the browser that holds it may change it; whoever has its code may send it.
Guests at one table share a tab, on however many phones, and one of them may send for all.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Collection, Sequence
from typing import Any

import msgspec
from msgspec import UNSET, UnsetType

from tablegram.errors import Conflict, Gone, Invalid, NotFound
from tablegram.restaurant import destinations
from tablegram.restaurant.carts import codes as cart_codes
from tablegram.restaurant.carts.contents import clean_lines, clean_notes, kept_form
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.orders.states import OrderType
from tablegram.restaurant.rows.guests import CartRow
from tablegram.restaurant.store import carts as store
from tablegram.storage.database import Query, Tx
from tablegram.values.clock import DAY_MS, HOUR_MS

# A guest who has not touched a cart for so long has eaten elsewhere; a page that is still open opens it anew.
LIVES_MS = 4 * HOUR_MS
# Whoever was told by message that the cart is kept, because the doors are closed, has until the next day.
KEPT_MS = DAY_MS
# What the others at a table chose and did not touch for so long is no longer offered to be sent along.
FRESH_MS = HOUR_MS

_decode_lines = msgspec.json.Decoder(tuple[DishLine, ...]).decode


class Cart(msgspec.Struct, frozen=True):
    """A cart as it is kept. It knows no price."""

    account_id: int
    code: str
    venue_id: str
    order_type: OrderType
    lines: tuple[DishLine, ...]
    language: str
    state: str
    revision: int
    expires_at: int
    table_id: str | None = None
    tab_id: str | None = None
    notes: str = ""
    phone: str = ""
    name: str = ""
    # The guest proved with the code on the table that they sit there.
    is_signed: bool = False
    # That proof is worth nothing any more: the table has another code now.
    is_withdrawn: bool = False
    updated_at: int = 0
    # Where to, as far as the guest has said it on the page.
    destination: Destination | None = None
    # Which version of the sentence they ticked to get offers, and when.
    offers_text: str = ""
    offers_at: int | None = None

    def is_open(self, now: int) -> bool:
        return self.state == "open" and now < self.expires_at


async def open_cart(
    tx: Tx, account_id: int, venue_id: str, order_type: OrderType, language: str, now: int,
    *, table_id: str | None = None, tab_id: str | None = None, lines: Sequence[DishLine] = (), notes: str = "",
    is_signed: bool = False, phone: str = "", name: str = "", holder: str = "", destination: Destination | None = None,
    offers_text: str = "",
) -> tuple[Cart, str]:  # fmt: skip
    """A new cart, and the secret with which its browser may change it.

    A browser that brings its secret along, and has a cart under it already, gets that one: it has sent the same twice.
    """
    cleaned, holder = clean_lines(lines), holder or secrets.token_urlsafe(24)
    row: dict[str, Any] = {
        "account_id": account_id,
        "venue_id": venue_id,
        "table_id": table_id,
        "tab_id": tab_id,
        "holder": _digest(holder),
        "is_signed": int(is_signed),
        "order_type": order_type,
        "lines": kept_form(cleaned),
        "notes": clean_notes(notes),
        "destination": destinations.write(destination),
        "language": language,
        "state": "open",
        "revision": 1,
        "phone": phone,
        "name": name,
        "repeats": 0,
        "offers_text": offers_text,
        "offers_at": now if offers_text else None,
        "created_at": now,
        "updated_at": now,
        "expires_at": now + LIVES_MS,
    }
    while True:
        kept = await tx.first(store.INSERT, {**row, "code": cart_codes.new_code()})
        if kept is None:
            kept = await tx.first(store.BY_HOLDER, {"b_account": account_id, "b_holder": row["holder"]})
        # Still nothing: the code is taken, by luck of one in thousands of millions.
        if kept is not None:
            return _cart(kept), holder


async def is_known(tx: Tx, account_id: int, holder: str) -> bool:
    """Whether a browser has a cart under its secret already: it only asks again."""
    return await tx.first(store.BY_HOLDER, {"b_account": account_id, "b_holder": _digest(holder)}) is not None


async def find(tx: Tx, account_id: int, code: str) -> Cart:
    """The cart behind a code. A code that cannot be one is told from a code that nobody has."""
    row = await tx.first(store.GET, {"b_account": account_id, "b_code": _parse(code)})
    if row is None:
        raise NotFound("There is no such cart. Open the menu and send it again.", code="cart_unknown")
    return _cart(row)


async def lock(tx: Tx, account_id: int, code: str) -> Cart:
    """The same, and nobody else changes or orders it until this transaction ends."""
    return await _locked(tx, await find(tx, account_id, code))


async def held(tx: Tx, account_id: int, code: str, holder: str, *, lock: bool = False) -> Cart:
    """The cart, for the browser that holds it."""
    cart = await _held(tx, store.GET, account_id, code, holder)
    return await _locked(tx, cart) if lock else cart


async def asked(tx: Tx, account_id: int, phone: str, since_ms: int, now: int) -> Cart | None:
    """The cart of a guest who was asked where they sit, if they were since then; locked."""
    row = await tx.first(store.LOCK_ASKED, {"b_account": account_id, "b_phone": phone, "since": since_ms, "now": now})
    return None if row is None else _cart(row)


async def seat(
    tx: Tx, cart: Cart, now: int, *, order_type: OrderType, table_id: str | None, tab_id: str | None
) -> Cart:
    """The guest has said where their cart goes."""
    where = {"new_order_type": order_type, "new_table": table_id, "new_tab": tab_id, "now": now}
    await tx.run(store.SEAT, {"b_account": cart.account_id, "b_code": cart.code, **where})
    return msgspec.structs.replace(cart, order_type=order_type, table_id=table_id, tab_id=tab_id)


async def claim(tx: Tx, cart: Cart, phone: str, name: str, now: int) -> Cart:
    """The cart is this guest's; nobody else sends it any more."""
    values = {"new_phone": phone, "new_name": name, "now": now}
    await tx.run(store.CLAIM, {"b_account": cart.account_id, "b_code": cart.code, **values})
    return msgspec.structs.replace(cart, phone=phone, name=name)


async def keep_longer(tx: Tx, cart: Cart, now: int) -> None:
    """Its guest was told that it is kept."""
    until = max(cart.expires_at, now + KEPT_MS)
    await tx.run(store.KEEP_LONGER, {"b_account": cart.account_id, "b_code": cart.code, "until": until})


async def forget_asked(tx: Tx, account_id: int, phone: str, now: int) -> None:
    """What was read from an earlier text of the guest is no longer waited for."""
    which = {"b_account": account_id, "b_phone": phone}
    await tx.all(store.LOCK_TABS_OF_ASKED, which)
    await tx.run(store.EXPIRE_ASKED, {**which, "now": now})


async def withdraw(tx: Tx, account_id: int, venue_id: str, table_id: str | None = None) -> int:
    """End the open carts of those who came by a table's code, or by any of the venue's; answers how many.

    They keep what was chosen, and the guest who scans the new code takes it along.
    """
    which = {"b_account": account_id, "b_venue": venue_id}
    if table_id is None:
        await tx.all(store.LOCK_SIGNED, which)
        return await tx.run(store.WITHDRAW, which)
    await tx.all(store.LOCK_SIGNED_AT_TABLE, {**which, "b_table": table_id})
    return await tx.run(store.WITHDRAW_AT_TABLE, {**which, "b_table": table_id})


async def note_repeat(tx: Tx, cart: Cart) -> int:
    """The text of an ordered cart came again; how often by now."""
    row = await tx.first(store.REPEATED, {"b_account": cart.account_id, "b_code": cart.code})
    return 0 if row is None else row["repeats"]


async def change(
    tx: Tx, account_id: int, code: str, holder: str, now: int, *, lines: Sequence[DishLine] | None = None,
    notes: str | None = None, language: str | None = None, order_type: OrderType | None = None,
    revision: int | None = None, tab_id: str | None = None, destination: Destination | UnsetType | None = UNSET,
    offers_text: str | None = None,
) -> Cart:  # fmt: skip
    """Change an open cart. With `revision`, only if nobody has changed it since it was that one.

    `tab_id`: the tab that its guest sits at now, where it is another one.
    """
    cart = await _held(tx, store.LOCK, account_id, code, holder)
    check_open(cart, now)
    if revision is not None and revision != cart.revision:
        raise Conflict("The cart has changed meanwhile. Look at it again.", code="cart_changed")
    return await _keep(
        tx,
        cart,
        now,
        lines=cart.lines if lines is None else clean_lines(lines),
        notes=cart.notes if notes is None else clean_notes(notes),
        language=language or cart.language,
        order_type=order_type or cart.order_type,
        tab_id=tab_id or cart.tab_id,
        destination=cart.destination if destination is UNSET else destination,
        **({} if offers_text is None or offers_text == cart.offers_text else _ticked(offers_text, now)),
    )


def _ticked(offers_text: str, now: int) -> dict[str, Any]:
    return {"offers_text": offers_text, "offers_at": now if offers_text else None}


async def fix(tx: Tx, cart: Cart, lines: Sequence[DishLine], now: int) -> Cart:
    """Put what can still be had in the place of what was chosen; the guest then sends the same code again."""
    return await _keep(tx, cart, now, lines=clean_lines(lines))


def check_open(cart: Cart, now: int) -> None:
    if cart.state == "ordered":
        raise Conflict("This cart was ordered already. Open the menu for another order.", code="cart_ordered")
    check_proof(cart)
    if not cart.is_open(now):
        raise Gone("This cart has expired. Open the menu and put it together again.", code="cart_expired")


def check_proof(cart: Cart) -> None:
    """Looking is refused as well, so that a guest hears of it before they send their cart in vain."""
    if cart.is_withdrawn:
        raise Gone("This table's code has changed. Scan it again; what you chose is kept.", code="table_code_changed")


async def mark_ordered(tx: Tx, cart: Cart, phone: str, name: str, now: int) -> None:
    """Call it with the cart locked, in the transaction that makes its order."""
    which = {"b_account": cart.account_id, "b_code": cart.code}
    await tx.run(store.ORDERED, {**which, "new_phone": phone, "new_name": name, "now": now})


async def expire_due(tx: Tx, now: int) -> int:
    """Close what nobody sent in time; how many there were."""
    return await tx.run(store.EXPIRE, {"now": now})


async def shared_at(tx: Tx, mine: Cart, now: int) -> list[Cart]:
    """What the others at the table chose lately and may be sent along, the newest first; only for who proved the table."""
    if mine.tab_id is None or not mine.is_signed:
        return []
    which = {"b_account": mine.account_id, "b_tab": mine.tab_id, "now": now, "since": now - FRESH_MS}
    found = [_cart(row) for row in await tx.all(store.SHARED_AT_TAB, which)]
    return [cart for cart in found if cart.code != mine.code]


def shared_name(cart: Cart) -> str:
    """What a cart is called before the others at its table; its code would let them send it."""
    return hashlib.sha256(f"shared:{cart.tab_id}:{cart.code}".encode()).hexdigest()[:16]


async def bring_together(
    tx: Tx, account_id: int, code: str, holder: str, now: int, *, only: Collection[str] | None = None
) -> Cart:
    """Take what the others at the table have chosen into this cart, to be sent as one. Their carts are then empty.

    `only`: the names of those that were picked (`shared_name`); without it all that `shared_at` tells of.
    """
    mine = await _held(tx, store.GET, account_id, code, holder)
    check_open(mine, now)
    if mine.tab_id is None or not mine.is_signed:
        return mine
    await _lock_tab(tx, account_id, mine.tab_id)
    # Locked in the order of their codes, so that two guests who do this at once cannot wait for each other.
    which = {"b_account": account_id, "b_tab": mine.tab_id, "now": now, "b_code": mine.code, "since": now - FRESH_MS}
    carts = {cart.code: cart for cart in map(_cart, await tx.all(store.LOCK_SHARED, which))}
    # The other guest may have taken ours along, or sent it, in this very moment.
    mine = carts.pop(mine.code) if mine.code in carts else await find(tx, account_id, code)
    check_open(mine, now)
    others = [cart for cart in carts.values() if cart.lines and (only is None or shared_name(cart) in only)]
    lines = clean_lines([*mine.lines, *(line for cart in others for line in cart.lines)])
    notes = clean_notes(" / ".join(note for note in (mine.notes, *(cart.notes for cart in others)) if note))
    for cart in others:
        await _keep(tx, cart, now, lines=(), notes="")
    return await _keep(tx, mine, now, lines=lines, notes=notes) if others else mine


async def _held(tx: Tx, query: Query[CartRow], account_id: int, code: str, holder: str) -> Cart:
    row = await tx.first(query, {"b_account": account_id, "b_code": _parse(code)})
    # A wrong holder hears the same as for a cart that is not there, and so learns no codes.
    if row is None or not hmac.compare_digest(row["holder"], _digest(holder)):
        raise NotFound("There is no such cart here. Open the menu and start again.", code="cart_unknown")
    return _cart(row)


async def _locked(tx: Tx, seen: Cart) -> Cart:
    """The cart as it is now, locked, and before it the tab it belongs to.

    Whoever needs both takes the tab first, then orders, then carts by their codes. Two processes that work on one
    table then wait in one line, and never for each other.
    """
    if seen.tab_id is not None:
        await _lock_tab(tx, seen.account_id, seen.tab_id)
    row = await tx.first(store.LOCK, {"b_account": seen.account_id, "b_code": seen.code})
    if row is None:
        raise NotFound("There is no such cart. Open the menu and send it again.", code="cart_unknown")
    return _cart(row)


async def _lock_tab(tx: Tx, account_id: int, tab_id: str) -> None:
    await tx.first(store.LOCK_TAB, {"b_account": account_id, "b_tab": tab_id})


async def _keep(tx: Tx, cart: Cart, now: int, **changes: Any) -> Cart:
    changed = msgspec.structs.replace(cart, **changes)
    if changed == cart:
        return cart
    until = max(cart.expires_at, now + LIVES_MS)
    changed = msgspec.structs.replace(changed, revision=cart.revision + 1, expires_at=until, updated_at=now)
    values = {
        "b_account": cart.account_id,
        "b_code": cart.code,
        "new_lines": kept_form(changed.lines),
        "new_notes": changed.notes,
        "new_destination": destinations.write(changed.destination),
        "new_language": changed.language,
        "new_order_type": changed.order_type,
        "new_tab_id": changed.tab_id,
        "new_offers_text": changed.offers_text,
        "new_offers_at": changed.offers_at,
        "new_revision": changed.revision,
        "new_expires_at": changed.expires_at,
        "new_updated_at": now,
    }
    await tx.run(store.UPDATE, values)
    return changed


def _parse(code: str) -> str:
    plain = code.strip().lstrip("#").replace("-", "").replace(" ", "").upper()
    if not cart_codes.is_code(plain):
        raise Invalid.field("code", "cart_code_misspelt", "This is no cart code; a letter of it is wrong or missing.")
    return plain


def _digest(holder: str) -> str:
    return hashlib.sha256(holder.encode()).hexdigest()


def _cart(row: CartRow) -> Cart:
    return Cart(
        account_id=row["account_id"],
        code=row["code"],
        venue_id=row["venue_id"],
        order_type=row["order_type"],
        lines=_decode_lines(row["lines"]),
        language=row["language"],
        state=row["state"],
        revision=row["revision"],
        expires_at=row["expires_at"],
        table_id=row["table_id"],
        tab_id=row["tab_id"],
        notes=row["notes"],
        phone=row["phone"],
        name=row["name"],
        is_signed=bool(row["is_signed"]),
        # See `store.WITHDRAW`: no cart that was left alone ends at the moment it began.
        is_withdrawn=row["state"] == "expired" and row["expires_at"] <= row["created_at"],
        updated_at=row["updated_at"],
        destination=destinations.read(row["destination"]),
        offers_text=row["offers_text"],
        offers_at=row["offers_at"],
    )
