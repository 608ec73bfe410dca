"""Sessions: who is behind the cookie that a browser shows. The cookie is random, and only its hash is stored."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable

from tablegram.accounts import store as account_store
from tablegram.accounts.accounts import Account, account_of
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.people import store
from tablegram.accounts.people.model import Membership, Person, Session, SessionRecord, person_of
from tablegram.accounts.roles import SCOPES
from tablegram.accounts.rows import PersonRow, SessionRow
from tablegram.accounts.team import Member, member_of
from tablegram.errors import NotFound, Unauthorized
from tablegram.settings import Settings
from tablegram.storage.database import Database, Tx
from tablegram.values.authors import MEMBER_PREFIX
from tablegram.values.clock import DAY_MS, MINUTE_MS, Clock
from tablegram.values.secrets import SecretBox

TOKEN_BYTES = 32
# Somebody who comes back within this time stays signed in.
SLIDING_MS = 14 * DAY_MS
# However often they come back, the password is asked for again once in a while.
LONGEST_MS = 90 * DAY_MS
# Between the password and the second factor.
HALFWAY_MS = 10 * MINUTE_MS
# "Last seen" is for people who look at their sessions; a write for each page would cost more than the page.
TOUCH_EVERY_MS = 5 * MINUTE_MS
# A change made elsewhere must act within 5 s; the rest is for the look-up itself.
CACHED_S = 3.0
MAX_CACHED = 10_000


class Sessions:
    def __init__(
        self,
        db: Database,
        box: SecretBox,
        clock: Clock,
        settings: Settings,
        steady_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._db = db
        self._box = box
        self._clock = clock
        self._settings = settings
        self._steady_s = steady_s
        self._known: dict[str, tuple[Session, float]] = {}
        self._writes: set[asyncio.Future[None]] = set()
        # Grows with every change made here, so that a look-up under way does not keep what it read before.
        self._changes = 0

    async def open(
        self,
        person_id: str,
        *,
        passed_second: bool,
        remote: str,
        user_agent: str,
        account_id: int = 0,
        proved: Person | None = None,
    ) -> str:
        """A new session; returns the cookie's value, which is kept nowhere.

        `proved` is the person as they were when they showed their password or code. Who got a new password or a second factor
        meanwhile shows it again: their other sessions were ended, and this one must not slip through.
        """
        now, token = self._clock.now_ms(), secrets.token_urlsafe(TOKEN_BYTES)
        row = {
            "token_hash": self._box.pepper_hash(token),
            "person_id": person_id,
            "account_id": account_id,
            "member_id": "",
            "created_at": now,
            "last_seen_at": now,
            "expires_at": now + (SLIDING_MS if passed_second else HALFWAY_MS),
            "passed_second": int(passed_second),
            "remote": remote[:64],
            "user_agent": user_agent[:400],
        }

        async def work(tx: Tx) -> None:
            held = await tx.first(store.LOCK_PERSON, {"id": person_id})
            if proved is not None and (held is None or not _is_same(person_of(held), proved)):
                raise Unauthorized(
                    "Your password or second factor was changed just now. Sign in again.", code="sign_in_changed"
                )
            await tx.run(store.EXPIRED_SESSIONS, {"now": now})
            await tx.run(store.INSERT_SESSION, row)

        await self._db.write(work)
        return token

    async def find(self, token: str) -> Session | None:
        """The session behind a cookie, halfway ones included; nothing when it has ended or never was."""
        kept = self._known.get(token)
        if kept is not None and kept[1] > self._steady_s():
            return kept[0]
        asked_s, changes = self._steady_s(), self._changes
        session = await self._look_up(token)
        self._known.pop(token, None)
        if session is not None and changes == self._changes:
            if len(self._known) >= MAX_CACHED:
                self._known.clear()
            self._known[token] = session, asked_s + CACHED_S
        return session

    async def close(self, token: str) -> None:
        """Sign out here."""
        await self._db.put(*[(store.DELETE_SESSION, {"which": one}) for one in self._box.hashes(token)])
        self._forget(lambda _: True, token)

    async def close_others(self, person_id: str, but: str = "") -> None:
        """Sign out everywhere, but for the session of the given cookie."""
        keep = self._box.pepper_hash(but) if but else ""
        await self._db.put((store.DELETE_OTHERS, {"person": person_id, "but": keep}))
        self.forget(person_id)

    async def close_one(self, person_id: str, session_id: str) -> None:
        """Sign out one of a person's own sessions, as the list names it."""
        for row in await self._db.all(store.SESSIONS_OF, {"person_id": person_id, "now": self._clock.now_ms()}):
            if _name(row) == session_id:
                await self._db.put((store.DELETE_SESSION, {"which": row["token_hash"]}))
                self.forget(person_id)
                return
        raise NotFound("This session has ended already.", code="session_unknown")

    async def list_sessions(self, person_id: str, current: str = "") -> list[SessionRecord]:
        rows = await self._db.all(store.SESSIONS_OF, {"person_id": person_id, "now": self._clock.now_ms()})
        return [
            SessionRecord(
                _name(row), row["remote"], row["user_agent"], row["created_at"], row["last_seen_at"],
                current=_name(row) == current,
            )
            for row in rows
        ]  # fmt: skip

    async def switch(self, token: str, account_id: int) -> None:
        """Look at another of the person's accounts."""
        session = await self.find(token)
        wanted = [one for one in session.memberships if one.account.id == account_id] if session else []
        if not wanted:
            raise NotFound("You are not a member of this account.", code="account_not_found")
        change = {"account": account_id, "member": wanted[0].member.id}
        await self._db.put(*[(store.SWITCH_ACCOUNT, {"which": one, **change}) for one in self._box.hashes(token)])
        self._forget(lambda _: True, token)

    def forget(self, person_id: str) -> None:
        """Look a person's sessions up again, because something about them was changed here."""
        self._forget(lambda session: session.person.id == person_id)

    def forget_account(self, account_id: int) -> None:
        """The same for everybody in an account."""
        self._forget(lambda session: any(one.account.id == account_id for one in session.memberships))

    def _forget(self, fits: Callable[[Session], bool], only: str = "") -> None:
        self._changes += 1
        for token in [only] if only else list(self._known):
            if token in self._known and fits(self._known[token][0]):
                del self._known[token]

    async def _look_up(self, token: str) -> Session | None:
        now, hashes = self._clock.now_ms(), self._box.hashes(token)

        async def look(tx: Tx) -> tuple[SessionRow, PersonRow, tuple[Membership, ...]] | None:
            row = await tx.first(store.SESSION, {"hash": hashes[0], "previous_hash": hashes[-1], "now": now})
            person = None if row is None else await tx.first(store.PERSON, {"id": row["person_id"]})
            if row is None or person is None:
                return None
            return row, person, await _memberships(tx, person["id"])

        found = await self._db.snapshot(look)
        if found is None:
            return None
        row, person, memberships = found
        if not memberships and not person["is_operator"]:
            # Nothing is left that they may look at.
            return None
        self._touch(row, now)
        chosen = _chosen(memberships, row["account_id"])
        return Session(
            id=_name(row),
            person=person_of(person),
            passed_second=bool(row["passed_second"]),
            member=None if chosen is None else chosen.member,
            account=None if chosen is None else chosen.account,
            caller=caller_of(person_of(person), chosen, self._settings),
            memberships=memberships,
            created_at=row["created_at"],
            expires_at=row["expires_at"],
        )

    def _touch(self, row: SessionRow, now: int) -> None:
        """Slide the session on, beside the page: losing this write costs nothing, waiting for it would."""
        if not row["passed_second"] or row["last_seen_at"] > now - TOUCH_EVERY_MS:
            return
        until = min(now + SLIDING_MS, row["created_at"] + LONGEST_MS)
        write = self._db.submit([(store.TOUCH_SESSION, {"which": row["token_hash"], "now": now, "until": until})])
        self._writes.add(write)
        write.add_done_callback(self._end_write)

    def _end_write(self, write: asyncio.Future[None]) -> None:
        self._writes.discard(write)
        if not write.cancelled():
            write.exception()

    async def settle(self) -> None:
        """Wait for the writes that looking up has left behind."""
        if self._writes:
            await asyncio.wait(self._writes)


def caller_of(person: Person, chosen: Membership | None, settings: Settings) -> Caller:
    """How a person calls the services; without an account, or with a suspended one, without any scope."""
    account: Account | None = None if chosen is None else chosen.account
    member: Member | None = None if chosen is None else chosen.member
    active = account is not None and account.state == "active"
    return Caller(
        account_id=0 if account is None else account.id,
        account_name="" if account is None else account.name,
        key_id=MEMBER_PREFIX + (person.id if member is None else member.id),
        key_name=person.shown_name,
        mode="live",
        scopes=SCOPES[member.role] if member is not None and active else frozenset(),
        rate=settings.rate_limit if account is None or account.rate_limit is None else account.rate_limit,
        burst=settings.rate_burst if account is None or account.rate_burst is None else account.rate_burst,
        plan="" if account is None else account.plan,
        prepaid=settings.billing == "prepaid",
        expires_at=None,
    )


async def _memberships(tx: Tx, person_id: str) -> tuple[Membership, ...]:
    found = []
    for row in await tx.all(store.MEMBERSHIPS, {"person_id": person_id}):
        account = await tx.first(account_store.ACCOUNT_BY_ID, {"id": row["account_id"]})
        if account is not None:
            found.append(Membership(account_of(account), member_of(row)))
    return tuple(found)


def _chosen(memberships: tuple[Membership, ...], account_id: int) -> Membership | None:
    """The account they looked at last; else the first that works; else the first."""
    for wanted in (
        [one for one in memberships if one.account.id == account_id],
        [one for one in memberships if one.account.state == "active"],
        memberships,
    ):
        if wanted:
            return wanted[0]
    return None


def _is_same(now: Person, then: Person) -> bool:
    """Whether the way in is as it was."""
    return (now.password_changed_at, now.has_second_factor) == (then.password_changed_at, then.has_second_factor)


def _name(row: SessionRow) -> str:
    return row["token_hash"][:16]
