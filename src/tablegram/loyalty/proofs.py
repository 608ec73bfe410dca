"""A page learns whose phone it is on: it makes a code, and a message from the phone shows it."""

from __future__ import annotations

import hashlib
import hmac
import re

import msgspec

from tablegram.errors import NotFound
from tablegram.loyalty.coupons import new_code
from tablegram.loyalty.rows import ProofRow
from tablegram.loyalty.store import proofs as store
from tablegram.storage.database import Tx
from tablegram.values.clock import HOUR_MS, MINUTE_MS
from tablegram.values.ids import random_base62

# So long a message may take, and so long the page then knows its guest.
WAITS_MS = 15 * MINUTE_MS
HOLDS_MS = 6 * HOUR_MS
_CODE = re.compile(r"\bPT-([A-Z2-9]{8})\b")


class Proof(msgspec.Struct, frozen=True, kw_only=True):
    account_id: int
    code: str
    venue_id: str
    secret_hash: str
    language: str
    contact_id: str | None = None
    expires_at: int
    created_at: int


def code_in(text: str) -> str | None:
    """The code that a message shows."""
    found = _CODE.search(text) if len(text) <= 300 else None
    return None if found is None else found[1]


def shown(code: str) -> str:
    return f"PT-{code}"


async def begin(tx: Tx, account_id: int, venue_id: str, language: str, now: int) -> tuple[Proof, str]:
    """A new one, and the secret that the page keeps."""
    secret = random_base62(32)
    made = Proof(
        account_id=account_id, code=new_code(), venue_id=venue_id, secret_hash=_hash(secret), language=language,
        expires_at=now + WAITS_MS, created_at=now,
    )  # fmt: skip
    await tx.run(store.INSERT, msgspec.structs.asdict(made))
    return made, secret


async def find(tx: Tx, account_id: int, venue_id: str, code: str, secret: str, now: int) -> Proof:
    """Of the page that began it. Raises `NotFound` for everybody else, and when it is over."""
    row = await tx.first(store.GET, {"b_account": account_id, "b_code": code})
    one = None if row is None else _read(row)
    is_open = one is not None and one.venue_id == venue_id and one.expires_at > now
    if one is None or not is_open or not hmac.compare_digest(one.secret_hash, _hash(secret)):
        raise NotFound("This has run out. Begin again.", code="proof_unknown")
    return one


async def prove(tx: Tx, account_id: int, code: str, contact_id: str, now: int) -> Proof | None:
    """The message has come; nothing where nobody asked for it, or another phone was first."""
    which = {"b_account": account_id, "b_code": code}
    await tx.run(store.PROVE, {**which, "target": contact_id, "now": now, "until": now + HOLDS_MS})
    row = await tx.first(store.GET, which)
    one = None if row is None else _read(row)
    return one if one is not None and one.contact_id == contact_id and one.expires_at > now else None


def _hash(secret: str) -> str:
    return hashlib.sha256(secret.encode("utf-8", "replace")).hexdigest()


def _read(row: ProofRow) -> Proof:
    return Proof(**row)
