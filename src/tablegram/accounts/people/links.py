"""Links that let somebody in once: the owner's first one, an invitation, a new password. Only their hash is kept."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from tablegram.accounts.people import store
from tablegram.accounts.rows import LinkRow
from tablegram.accounts.rows import Purpose as Purpose
from tablegram.accounts.team import clean_email
from tablegram.errors import Gone, NotFound
from tablegram.storage.database import Database, Query, Tx
from tablegram.values.clock import DAY_MS, HOUR_MS, Clock
from tablegram.values.secrets import SecretBox

# A new password is asked for by somebody who sits there; an invitation may lie in a mailbox over the weekend.
LIFETIMES_MS: dict[str, int] = {"owner": 7 * DAY_MS, "invite": 7 * DAY_MS, "reset": HOUR_MS}
# Used and expired ones are remembered a while, to tell who comes late what happened.
KEPT_MS = 30 * DAY_MS
TOKEN_BYTES = 32


@dataclass(frozen=True, slots=True)
class Link:
    purpose: Purpose
    email: str
    account_id: int | None
    role: str | None
    expires_at: int


class Links:
    def __init__(self, db: Database, box: SecretBox, clock: Clock, base_url: str) -> None:
        self._db = db
        self._box = box
        self._clock = clock
        self._base_url = base_url

    async def make(
        self, purpose: Purpose, email: str, *, by: str, account_id: int | None = None, role: str | None = None
    ) -> str:
        """A new link, whole, as it is sent to the person. It is kept nowhere."""
        address, statement = self.draw(purpose, email, by=by, account_id=account_id, role=role)
        await self._db.put((store.FORGET_LINKS, {"before": self._clock.now_ms() - KEPT_MS}), statement)
        return address

    def draw(
        self, purpose: Purpose, email: str, *, by: str, account_id: int | None = None, role: str | None = None
    ) -> tuple[str, tuple[Query, dict[str, object]]]:
        """The same as a statement for a transaction of the caller's."""
        now, token = self._clock.now_ms(), secrets.token_urlsafe(TOKEN_BYTES)
        row: dict[str, object] = {
            "token_hash": self._box.pepper_hash(token),
            "purpose": purpose,
            "account_id": account_id,
            "email": clean_email(email),
            "role": role,
            "expires_at": now + LIFETIMES_MS[purpose],
            "created_at": now,
            "created_by": by,
        }
        return self.address(token), (store.INSERT_LINK, row)

    def address(self, token: str) -> str:
        return f"{self._base_url}/panel/link/{token}"

    async def look(self, token: str) -> Link:
        """What a link is for, without using it: opening a page, as mail scanners do, must not spend it."""
        row = await self._db.first(store.LINK, self._which(token))
        return _readable(row, self._clock.now_ms())

    async def use(self, tx: Tx, token: str) -> Link:
        """Spend the link inside the transaction that does what it is for. Only one caller ever succeeds."""
        now = self._clock.now_ms()
        row = await tx.first(store.LINK, self._which(token))
        link = _readable(row, now)
        if await tx.run(store.USE_LINK, {**self._which(token), "now": now}) != 1:
            raise _used()
        if link.purpose != "invite":
            await tx.run(store.END_PASSWORD_LINKS, {"who": link.email, "now": now})
        return link

    def _which(self, token: str) -> dict[str, str]:
        hashes = self._box.hashes(token)
        return {"hash": hashes[0], "previous_hash": hashes[-1]}


def _readable(row: LinkRow | None, now_ms: int) -> Link:
    if row is None:
        raise NotFound(
            "This link is not known here. Copy it again as a whole, or ask for a new one.", code="link_unknown"
        )
    if row["used_at"] is not None:
        raise _used()
    if row["expires_at"] <= now_ms:
        raise Gone("This link has expired. Ask for a new one.", code="link_expired")
    return Link(row["purpose"], row["email"], row["account_id"], row["role"], row["expires_at"])


def _used() -> Gone:
    return Gone("This link was used already. Sign in with your password, or ask for a new link.", code="link_used")
