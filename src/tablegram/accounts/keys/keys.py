"""API keys: who calls, and what may they do? Made, listed, revoked and recognised here."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypedDict, TypeVar, Unpack

from tablegram.accounts import store
from tablegram.accounts.keys.denials import MALFORMED, MISSING, UNKNOWN, Denial, denial_of, refusal
from tablegram.accounts.keys.key_format import Mode, looks_valid, mint
from tablegram.accounts.keys.key_records import KeyRecord, NewKey, key_record, key_row
from tablegram.accounts.naming import clean_name
from tablegram.accounts.rows import CallerRow
from tablegram.accounts.scopes import ALL, OPERATE, covers, parse_scopes
from tablegram.errors import Conflict, Invalid, NotFound, ScopeMissing, no_such
from tablegram.settings import Settings
from tablegram.storage.database import Database, Query, Tx
from tablegram.values.authors import KEY_PREFIX, MEMBER_PREFIX
from tablegram.values.clock import MINUTE_MS, Clock
from tablegram.values.ids import new_id
from tablegram.values.secrets import SecretBox

Kept = TypeVar("Kept")

# A change made elsewhere must act within 5 s; the rest is for the look-up itself.
CALLER_LIFETIME_S = 3.0
# Long enough that a flood of one wrong key costs one look-up a second, short enough that a new key just works.
DENIAL_LIFETIME_S = 1.0
MAX_CACHED = 10_000
# "Last used" is for people who tidy up; a write for each call would cost more than the call.
LAST_USED_EVERY_MS = MINUTE_MS


@dataclass(frozen=True, slots=True)
class Caller:
    """Who makes a request: an account through one of its keys, or through a member who is signed in."""

    account_id: int
    account_name: str
    key_id: str
    key_name: str
    mode: Mode
    scopes: frozenset[str]
    # Requests per second and the burst: the account's own figures, else the installation's.
    rate: float
    burst: int
    plan: str
    # Whether sends are paid from the free quota and the balance.
    prepaid: bool
    expires_at: int | None
    # Whether the account wants to see the bodies of its calls.
    keeps_bodies: bool = False

    def has(self, scope: str) -> bool:
        return scope in self.scopes or (ALL in self.scopes and scope != OPERATE)

    @property
    def is_person(self) -> bool:
        return self.key_id.startswith(MEMBER_PREFIX)

    @property
    def author(self) -> str:
        """What is kept of who wrote something: `member:ID` or `key:ID`."""
        return self.key_id if self.is_person else KEY_PREFIX + self.key_id

    def require(self, scope: str, *others: str) -> None:
        """Refuse who has none of these scopes."""
        if self.has(scope) or any(self.has(other) for other in others):
            return
        if scope == OPERATE:
            raise ScopeMissing(
                f"Only a key with the scope {OPERATE} may do this. Who runs the installation makes one at the machine: "
                "tablegram key create --operator --account NAME"
            )
        if self.is_person:
            raise ScopeMissing(f"Your role does not include {scope}. Ask an owner of the account for it.")
        raise ScopeMissing(f"This key lacks the scope {scope}. Use a key that has it, or make one with it.")


class WantedKey(TypedDict, total=False):
    """What a new key should be. Whatever is not said: a live key without a name that may do everything for ever."""

    name: str
    mode: Mode
    scopes: Iterable[str]
    expires_at: int | None
    granted_by: Caller | None


class KeyRing:
    """Recognises keys, from memory where it can, and keeps them."""

    def __init__(
        self,
        db: Database,
        box: SecretBox,
        clock: Clock,
        settings: Settings,
        steady_s: Callable[[], float] = time.monotonic,
    ) -> None:
        self._db = db
        self.box = box
        self._clock = clock
        self._settings = settings
        self._steady_s = steady_s
        # By the key itself: the caller, and when the entry ends. Entries sit in the order in which they end.
        self._callers: dict[str, tuple[Caller, float]] = {}
        self._denials: dict[str, tuple[Denial, float]] = {}
        self._lookups: dict[str, asyncio.Task[Caller | Denial]] = {}
        self._writes: set[asyncio.Future[None]] = set()

    def cached(self, token: str) -> Caller | None:
        """The caller if this key was recognised a moment ago. Costs less than a microsecond and never waits."""
        entry = self._callers.get(token)
        if entry is not None and entry[1] > self._steady_s():
            return entry[0]
        return None

    async def authenticate(self, token: str | None) -> Caller:
        """The caller behind a key, or `Unauthorized` with a code that says why not."""
        if not token:
            raise refusal(MISSING)
        caller = self.cached(token)
        if caller is not None:
            return caller
        denial = self._denials.get(token)
        if denial is not None and denial[1] > self._steady_s():
            raise refusal(denial[0])
        if not looks_valid(token):
            raise refusal(MALFORMED)
        found = await self._look_up_once(token)
        if isinstance(found, Denial):
            raise refusal(found)
        return found

    async def create(self, account_id: int, **wanted: Unpack[WantedKey]) -> NewKey:
        """Make a key. One made by an API caller can never do more than that caller's own key."""
        made = self._draw(account_id, **wanted)
        await self._db.put((store.INSERT_KEY, key_row(made.record, self.box.pepper_hash(made.token))))
        return made

    async def create_in(self, tx: Tx, account_id: int, **wanted: Unpack[WantedKey]) -> NewKey:
        """The same inside a transaction of the caller's."""
        made = self._draw(account_id, **wanted)
        await tx.run(store.INSERT_KEY, key_row(made.record, self.box.pepper_hash(made.token)))
        return made

    async def create_for_operator(self, account_id: int, *, name: str = "", expires_at: int | None = None) -> NewKey:
        """A key that does the installation's work and nothing else. Only a command at the machine calls this."""
        made = self._mint(account_id, name, "live", frozenset({OPERATE}), expires_at)
        await self._db.put((store.INSERT_KEY, key_row(made.record, self.box.pepper_hash(made.token))))
        return made

    def _draw(
        self,
        account_id: int,
        *,
        name: str = "",
        mode: Mode = "live",
        scopes: Iterable[str] = (ALL,),
        expires_at: int | None = None,
        granted_by: Caller | None = None,
    ) -> NewKey:
        granted = parse_scopes(scopes)
        if mode not in ("live", "test"):
            raise Invalid.field("mode", "mode_unknown", "A key is either live or test.")
        if granted_by is not None:
            _check_grant(granted_by, mode, granted, expires_at)
        return self._mint(account_id, name, mode, granted, expires_at)

    def _mint(self, account_id: int, name: str, mode: Mode, granted: frozenset[str], expires_at: int | None) -> NewKey:
        now_ms = self._clock.now_ms()
        if expires_at is not None and expires_at <= now_ms:
            raise Invalid.field("expires_at", "expiry_past", "The expiry must be in the future.")
        token = mint(mode)
        record = KeyRecord(
            account_id=account_id,
            id=new_id(now_ms),
            mode=mode,
            name=clean_name(name, "name", optional=True),
            last4=token[-4:],
            scopes=tuple(sorted(granted)),
            created_at=now_ms,
            expires_at=expires_at,
            revoked_at=None,
            last_used_at=None,
        )
        return NewKey(token, record)

    async def list_keys(
        self, account_id: int, *, after: str = "", limit: int = 200, mode: Mode | None = None
    ) -> list[KeyRecord]:
        """The account's keys, oldest first, those revoked or expired included; of one mode, if it is named."""
        params = {"account_id": account_id, "after": after, "limit": limit}
        if mode is None:
            rows = await self._db.all(store.KEYS, params)
        else:
            rows = await self._db.all(store.KEYS_OF_MODE, {**params, "mode": mode})
        return [key_record(row) for row in rows]

    async def get(self, account_id: int, key_id: str) -> KeyRecord:
        row = await self._db.first(store.KEY_BY_ID, {"account_id": account_id, "id": key_id})
        if row is None:
            raise NotFound(no_such("key"), code="key_not_found")
        return key_record(row)

    async def find(self, account_id: int, reference: str) -> KeyRecord:
        """The one key meant by a whole key, an id, the beginning of an id, or the last four characters."""
        if looks_valid(reference):
            row = await self._row_of(reference)
            matches = [key_record(row)] if row is not None and row["account_id"] == account_id else []
        else:
            matches = await self._matches(account_id, reference)
        if not matches:
            # The reference may be a whole key, which is not repeated into a log.
            raise NotFound(f"{no_such('key')} List them: tablegram key list", code="key_not_found")
        if len(matches) > 1:
            ids = ", ".join(match.id for match in matches[:5])
            raise Conflict(f"{len(matches)} keys fit: {ids}. Give the whole id.", code="key_ambiguous")
        return matches[0]

    async def revoke(self, account_id: int, key_id: str) -> KeyRecord:
        """End a key for good. Here it stops at once, in other processes within seconds. Twice is no error."""
        await self._db.put(
            (store.REVOKE_KEY, {"account": account_id, "which": key_id, "revoked_at": self._clock.now_ms()})
        )
        self.forget(account_id)
        return await self.get(account_id, key_id)

    def forget(self, account_id: int) -> None:
        """Look an account's keys up again at their next use, because something about it was changed here."""
        for token in [token for token, (caller, _) in self._callers.items() if caller.account_id == account_id]:
            del self._callers[token]
        # A look-up under way may have read the former state; its callers get it, the next ones do not.
        self._lookups.clear()
        self._denials.clear()

    async def settle(self) -> None:
        """Wait for the writes that recognising keys has left behind (last use, hashes under a new secret key)."""
        if self._writes:
            await asyncio.wait(self._writes)

    async def _look_up_once(self, token: str) -> Caller | Denial:
        """Many requests with one key at the same moment share one look-up."""
        lookup = self._lookups.get(token)
        if lookup is None:
            lookup = self._lookups[token] = asyncio.create_task(self._look_up(token))
            lookup.add_done_callback(lambda done: self._end_lookup(token, done))
        # One of the waiting requests may be given up; the others still want the answer.
        return await asyncio.shield(lookup)

    def _end_lookup(self, token: str, lookup: asyncio.Task[Caller | Denial]) -> None:
        if self._lookups.get(token) is lookup:
            del self._lookups[token]
        if not lookup.cancelled():
            # Read here too, so that a failure whose requests are all gone is not reported as forgotten.
            lookup.exception()

    async def _look_up(self, token: str) -> Caller | Denial:
        # What is read is at least as old as this moment, however long the store takes.
        asked_s = self._steady_s()
        lookup = asyncio.current_task()
        row = await self._row_of(token)
        now_ms = self._clock.now_ms()
        found = UNKNOWN if row is None else denial_of(row, now_ms) or self._caller(row)
        still_wanted = self._lookups.get(token) is lookup
        if isinstance(found, Denial):
            if still_wanted:
                _keep(self._denials, token, found, asked_s + DENIAL_LIFETIME_S, asked_s)
            return found
        if still_wanted:
            life_s = CALLER_LIFETIME_S
            if found.expires_at is not None:
                life_s = min(life_s, (found.expires_at - now_ms) / 1_000)
            _keep(self._callers, token, found, asked_s + life_s, asked_s)
        assert row is not None
        self._note_use(token, row, now_ms)
        return found

    async def _row_of(self, token: str) -> CallerRow | None:
        hashes = self.box.hashes(token)
        return await self._db.first(store.KEY_BY_HASH, {"hash": hashes[0], "previous_hash": hashes[-1]})

    async def _matches(self, account_id: int, reference: str) -> list[KeyRecord]:
        matches: list[KeyRecord] = []
        after = ""
        while page := await self.list_keys(account_id, after=after):
            for record in page:
                if record.id == reference:
                    return [record]
                if reference and (
                    record.last4 == reference or (len(reference) > 4 and record.id.startswith(reference))
                ):
                    matches.append(record)
            after = page[-1].id
        return matches

    def _caller(self, row: CallerRow) -> Caller:
        rate_milli, burst = row["rate_limit_milli"], row["rate_burst"]
        return Caller(
            account_id=row["account_id"],
            account_name=row["account_name"],
            key_id=row["id"],
            key_name=row["name"],
            mode=row["mode"],
            scopes=frozenset(row["scopes"].split()),
            rate=self._settings.rate_limit if rate_milli is None else rate_milli / 1_000,
            burst=self._settings.rate_burst if burst is None else burst,
            plan=row["plan"],
            prepaid=self._settings.billing == "prepaid",
            expires_at=row["expires_at"],
            keeps_bodies=bool(row["keeps_bodies"]),
        )

    def _note_use(self, token: str, row: CallerRow, now_ms: int) -> None:
        which = {"account": row["account_id"], "which": row["id"]}
        current = self.box.pepper_hash(token)
        if row["hash"] != current:
            # Known by the previous secret key only: from now on it is known by the present one.
            self._write(store.REHASH_KEY, {**which, "hash": current})
        if (row["last_used_at"] or 0) <= now_ms - LAST_USED_EVERY_MS:
            self._write(store.TOUCH_KEY, {**which, "used": now_ms})

    def _write(self, query: Query, params: dict[str, object]) -> None:
        """Write beside the request: losing one of these costs nothing, waiting for it would."""
        write = self._db.submit([(query, params)])
        self._writes.add(write)
        write.add_done_callback(self._end_write)

    def _end_write(self, write: asyncio.Future[None]) -> None:
        self._writes.discard(write)
        if not write.cancelled():
            write.exception()


def _keep(entries: dict[str, tuple[Kept, float]], token: str, found: Kept, until_s: float, now_s: float) -> None:
    """Remember an answer, and forget those that have ended; with too many, the oldest."""
    entries.pop(token, None)
    entries[token] = (found, until_s)
    while True:
        oldest = next(iter(entries))
        if entries[oldest][1] > now_s and len(entries) <= MAX_CACHED:
            return
        del entries[oldest]
        if not entries:
            return


def _check_grant(by: Caller, mode: Mode, scopes: frozenset[str], expires_at: int | None) -> None:
    if not covers(by.scopes, scopes):
        beyond = ", ".join(sorted(scopes - by.scopes))
        words = (
            f"Your role does not include {beyond}, so no key of yours can have it."
            if by.is_person
            else f"Your own key lacks {beyond}, so it cannot give it away."
        )
        raise Invalid.field("scopes", "scope_beyond_caller", words)
    if by.mode == "test" and mode != "test":
        raise Invalid.field("mode", "mode_beyond_caller", "A test key can only make test keys.")
    if by.expires_at is not None and (expires_at is None or expires_at > by.expires_at):
        raise Invalid.field("expires_at", "expiry_beyond_caller", "A key cannot outlive the key that makes it.")
