"""The way to a courier's own page: a private link, six digits beside it, and for how long a phone has shown them."""

from __future__ import annotations

import secrets
from hmac import compare_digest

import msgspec

from tablegram.delivery.couriers import store
from tablegram.delivery.couriers.model import Courier, read_courier
from tablegram.delivery.couriers.rows import SealedLinkRow
from tablegram.engine.sealing.resealing import seal_again
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import HOUR_MS
from tablegram.values.secrets import SecretBox

KEY_BYTES = 24
PIN_DIGITS = 6
# Typing errors are free. After them every further try has to wait, longer each time; an hour later all is forgotten.
FREE_MISSES = 5
FIRST_WAIT_MS = 2_000
LONGEST_WAIT_MS = 300_000
FORGIVEN_MS = HOUR_MS
# A long shift, and the way home.
SESSION_MS = 16 * HOUR_MS


class Access(msgspec.Struct, frozen=True):
    """A link's secret part, and the PIN beside it: known here only while they are handed out."""

    courier: Courier
    key: str
    pin: str


async def grant(tx: Tx, box: SecretBox, courier: Courier, *, new_link: bool) -> Access:
    """A new PIN, and a link where there is none or another one is wanted. The courier is locked."""
    key = "" if new_link or not courier.key_sealed else box.open(courier.key_sealed)
    key = key or secrets.token_urlsafe(KEY_BYTES)
    # Not chosen by anybody, and so not anybody's birthday.
    pin = f"{secrets.randbelow(10**PIN_DIGITS):0{PIN_DIGITS}d}"
    kept = msgspec.structs.replace(
        courier,
        key_hash=box.pepper_hash(_link(key)),
        key_sealed=box.seal(key),
        pin_hash=box.pepper_hash(_pin(courier, pin)),
    )
    await _write(tx, kept)
    return Access(kept, key, pin)


async def revoke(tx: Tx, courier: Courier) -> Courier:
    """The link leads nowhere from now on, and whoever is on the page is shown out."""
    kept = msgspec.structs.replace(courier, key_hash=None, key_sealed=None, pin_hash=None)
    await _write(tx, kept)
    return kept


async def find(tx: Tx, box: SecretBox, key: str) -> Courier | None:
    """Whose link it is, under any of the installation's keys; nobody's while they get no orders."""
    for hashed in box.hashes(_link(key)):
        row = await tx.first(store.BY_KEY, {"b_hash": hashed})
        if row is not None:
            courier = read_courier(row)
            return courier if courier.active else None
    return None


def is_right(box: SecretBox, courier: Courier, pin: str) -> bool:
    known = courier.pin_hash or ""
    return any(compare_digest(one, known) for one in box.hashes(_pin(courier, pin)))


async def try_pin(tx: Tx, box: SecretBox, courier_id: tuple[int, str], pin: str, now: int) -> Courier | int | None:
    """Who it is, where the PIN is right; how long to wait in ms after too many wrong ones; nothing where it is wrong.

    Wrong ones are counted in the store: whichever process is asked, guessing is equally slow. A million PINs are many, but not
    for a machine.
    """
    row = await tx.first(store.LOCK, {"b_account": courier_id[0], "b_id": courier_id[1]})
    if row is None:
        return None
    courier = read_courier(row)
    since = max(0, now - courier.pin_missed_at)
    misses = courier.pin_misses if since < FORGIVEN_MS else 0
    if misses >= FREE_MISSES:
        wait = min(FIRST_WAIT_MS << min(misses - FREE_MISSES, 20), LONGEST_WAIT_MS) - since
        if wait > 0:
            return wait
    is_known = is_right(box, courier, pin)
    if not is_known or courier.pin_misses:
        which = {"b_account": courier.account_id, "b_id": courier.id, "now": now}
        await tx.run(store.MISSED, {**which, "new_misses": 0 if is_known else misses + 1})
    return courier if is_known else None


def begin_session(box: SecretBox, courier: Courier, now: int) -> str:
    """What a phone shows from now on. It ends by itself, with the link, and with the PIN."""
    until = now + SESSION_MS
    return f"{until}.{box.pepper_hash(_session(courier, until))}"


def is_open(box: SecretBox, courier: Courier, token: str, now: int) -> bool:
    head, _, proof = token.partition(".")
    if not (head.isascii() and head.isdecimal() and len(head) <= 15) or int(head) <= now:
        return False
    return any(compare_digest(one.encode(), proof.encode()) for one in box.hashes(_session(courier, int(head))))


def key_of(box: SecretBox, courier: Courier) -> str:
    """The link's secret part, to be shown again; empty for none."""
    return box.open(courier.key_sealed) if courier.key_sealed else ""


async def reseal(db: Database, box: SecretBox) -> int:
    """Seal every link with the present key of the installation; answers how many were not."""

    def fresh(row: SealedLinkRow) -> dict[str, object]:
        key = box.open(row["key_sealed"])
        which = {"b_account": row["account_id"], "b_id": row["id"], "b_old": row["key_sealed"]}
        return {**which, "new_hash": box.pepper_hash(_link(key)), "new_sealed": box.seal(key)}

    return await seal_again(db, box, store.SEALED, store.SEAL_AGAIN, lambda row: (row["key_sealed"],), fresh)


async def _write(tx: Tx, courier: Courier) -> None:
    values = {f"new_{name}": getattr(courier, name) for name in ("key_hash", "key_sealed", "pin_hash")}
    await tx.run(store.ACCESS, {"b_account": courier.account_id, "b_id": courier.id, **values})


def _link(key: str) -> str:
    return f"courier link {key}"


def _pin(courier: Courier, pin: str) -> str:
    return f"courier pin {courier.account_id} {courier.id} {pin}"


def _session(courier: Courier, until: int) -> str:
    # With what it was opened by: another link or another PIN ends it.
    return f"courier session {courier.account_id} {courier.id} {courier.key_hash} {courier.pin_hash} {until}"
