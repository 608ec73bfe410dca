"""Who did what: one row for everything that changes settings, keys, lines, people or money."""

from __future__ import annotations

import getpass
from collections.abc import Collection, Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Required, TypedDict, Unpack

import msgspec

from tablegram.accounts import store
from tablegram.accounts.answers import AuditActor, AuditEntry, AuditObject, AuditPage
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.rows import AuditRow
from tablegram.errors import ScopeMissing
from tablegram.storage.database import Database, Params, Query, Statement, Tx
from tablegram.values.authors import MEMBER_PREFIX
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import decode_cursor, following
from tablegram.values.ids import first_id, new_id

# What differs from one deed to the next: names and figures, as JSON has them.
Detail = Mapping[str, object]

# The network address behind what is being done; an edge sets it for each request.
_remote: ContextVar[str] = ContextVar("remote", default="")


def came_from(remote: str) -> None:
    """Said by an edge at the beginning of a request, for whatever is noted while it runs."""
    _remote.set(remote)


@dataclass(frozen=True, slots=True)
class Actor:
    kind: str
    id: str
    name: str

    @classmethod
    def of(cls, caller: Caller) -> Actor:
        if caller.is_person:
            return cls("person", caller.key_id.removeprefix(MEMBER_PREFIX), caller.key_name)
        return cls("key", caller.key_id, caller.key_name)

    @classmethod
    def command(cls) -> Actor:
        """Somebody at the machine itself."""
        try:
            user = getpass.getuser()
        except (KeyError, OSError):
            user = "unknown"
        return cls("command", user, user)


SYSTEM = Actor("system", "", "")
# Behind every id, which begins with a figure for some thousand years to come.
_BEYOND = "z"


class Acting:
    """Somebody in an account, about to do something. Made before a transaction, which runs elsewhere."""

    def __init__(self, clock: Clock, account_id: int, actor: Actor, remote: str) -> None:
        self._clock = clock
        self._account_id = account_id
        self._actor = actor
        self._remote = remote

    def within(self, account_id: int) -> Acting:
        """The same, noted in another account: one that is only just being made."""
        return Acting(self._clock, account_id, self._actor, self._remote)

    def entry(self, action: str, object_kind: str, object_id: object, detail: Detail | None = None) -> Statement:
        now = self._clock.now_ms()
        return store.INSERT_AUDIT, {
            "account_id": self._account_id,
            "id": new_id(now),
            "actor_kind": self._actor.kind,
            "actor_id": self._actor.id,
            "actor_name": self._actor.name,
            "action": action,
            "object_kind": object_kind,
            "object_id": str(object_id),
            "detail": msgspec.json.encode(detail or {}).decode(),
            "remote": self._remote,
            "created_at": now,
        }

    async def note(
        self, tx: Tx, action: str, object_kind: str, object_id: object, detail: Detail | None = None
    ) -> None:
        """In the transaction of what is done, so that neither is there without the other."""
        await tx.run(*self.entry(action, object_kind, object_id, detail))


class AuditFilter(TypedDict, total=False):
    """Which rows, and how many."""

    limit: Required[int]
    cursor: str | None
    actor: str | None
    actor_also: str | None
    action: str | None
    object_id: str | None
    or_actors: Collection[str]
    or_actions: Collection[str]
    since_ms: int | None


class Audit:
    def __init__(self, db: Database, clock: Clock) -> None:
        self._db = db
        self._clock = clock

    def acting(self, caller: Caller | Actor, account_id: int | None = None, remote: str | None = None) -> Acting:
        """Who is about to do something. `account_id` where it is not the caller's own: an operator's doings."""
        actor = caller if isinstance(caller, Actor) else Actor.of(caller)
        if account_id is None:
            account_id = 0 if isinstance(caller, Actor) else caller.account_id
        return Acting(self._clock, account_id, actor, _remote.get() if remote is None else remote)

    async def note(
        self,
        caller: Caller | Actor,
        action: str,
        object_kind: str,
        object_id: object,
        detail: Detail | None = None,
        remote: str | None = None,
        *,
        account_id: int | None = None,
    ) -> None:
        """One row, in a transaction of its own: for what was done outside of one."""
        acting = self.acting(caller, account_id, remote)
        await self._db.put(acting.entry(action, object_kind, object_id, detail))

    async def read(self, caller: Caller, **wanted: Unpack[AuditFilter]) -> AuditPage:
        """The rows of the caller's account, for who answers for it; `page` tells what may be wanted."""
        caller.require("account:manage")
        if caller.mode == "test":
            raise ScopeMissing("A test key reaches only sandbox lines, not the audit log.", code="test_key")
        return await self.page(caller.account_id, **wanted)

    async def page(
        self,
        account_id: int,
        *,
        limit: int,
        cursor: str | None = None,
        actor: str | None = None,
        actor_also: str | None = None,
        action: str | None = None,
        object_id: str | None = None,
        or_actors: Collection[str] = (),
        or_actions: Collection[str] = (),
        since_ms: int | None = None,
        until_ms: int | None = None,
    ) -> AuditPage:
        """The account's rows, newest first. `action` may be a beginning, such as `contact.`.

        A person signs in as themselves and acts as a member: `actor_also` is their other name. With an `object_id`, rows of
        `or_actors` and of `or_actions`, which are whole and have `_` for each dot, are found as well.
        """
        which: Params = {
            "account_id": account_id,
            "before": _BEYOND if cursor is None else decode_cursor(cursor),
            "since": "" if since_ms is None else first_id(since_ms),
            "until": _BEYOND if until_ms is None else first_id(until_ms),
            "most": limit + 1,
        }
        like = f"{action or ''}%"
        by = {"actor": actor or "", "actor_also": actor_also or actor or "", "action_like": like}
        if object_id and (or_actors or or_actions):
            lists = {"actors": _listed(or_actors), "actions": _listed(or_actions)}
            rows = await self._db.all(store.AUDIT_FOUND, {**which, **by, **lists, "object_id": object_id})
        elif object_id:
            rows = await self._db.all(store.AUDIT_OF_OBJECT, {**which, **by, "object_id": object_id})
        elif actor:
            each = [{**which, "actor": one, "action_like": like} for one in {actor, actor_also or actor}]
            rows = await self._newest(store.AUDIT_OF_ACTOR, each, limit + 1)
        elif action:
            kinds = await self._db.all(store.AUDIT_ACTIONS, {"account_id": account_id, "action_like": like})
            each = [{**which, "action": one["action"]} for one in kinds]
            rows = await self._newest(store.AUDIT_OF_ACTION, each, limit + 1)
        else:
            rows = await self._db.all(store.AUDIT_PAGE, which)
        return AuditPage(data=[_view(row) for row in rows[:limit]], next_cursor=following(rows, limit))

    async def _newest(self, query: Query[AuditRow], each: Collection[Params], most: int) -> list[AuditRow]:
        """The newest of what each of these finds: none of the other rows is read."""
        found = [row for params in each for row in await self._db.all(query, params)]
        return sorted(found, key=lambda row: row["id"], reverse=True)[:most]


def _listed(names: Collection[str]) -> str:
    return f",{','.join(names)}," if names else ""


def _view(row: AuditRow) -> AuditEntry:
    return AuditEntry(
        id=row["id"],
        actor=AuditActor(kind=row["actor_kind"], id=row["actor_id"], name=row["actor_name"]),
        action=row["action"],
        object=AuditObject(kind=row["object_kind"], id=row["object_id"]),
        detail=msgspec.json.decode(row["detail"]),
        remote=row["remote"],
        created_at=iso(row["created_at"]),
    )
