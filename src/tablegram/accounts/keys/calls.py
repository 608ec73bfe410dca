"""The API calls of an account, as its people look them up: by request id, status, key or address."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tablegram.accounts.keys import store
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.rows import CallRow, StatusRow
from tablegram.storage.database import Database, Params, Query

# After every id, in whatever order the database keeps letters.
_NEWEST = "zzzz"
_ANY_STATUS = (0, 999)
# Who answers for the account, and who makes keys for programs and must see what they call.
READERS = ("account:manage", "keys:manage")


@dataclass(frozen=True, slots=True)
class CallFilter:
    """Which calls are wanted; empty means all."""

    # A request id, a problem's code, or a part of the address.
    search: str = ""
    key_id: str = ""
    # 200, 404… or 2xx, 4xx, 5xx.
    status: str = ""

    def bounds(self) -> tuple[int, int]:
        if len(self.status) != 3 or not self.status[0].isdecimal():
            return _ANY_STATUS
        if self.status.endswith("xx"):
            return int(self.status[0]) * 100, int(self.status[0]) * 100 + 99
        return (int(self.status), int(self.status)) if self.status.isdecimal() else _ANY_STATUS


class Calls:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def keep(self, calls: Sequence[Params], bodies: Sequence[Params]) -> None:
        """Note what was called, and the bodies of those calls whose account wants them."""
        await self._db.put(
            *[(store.INSERT_CALL, row) for row in calls], *[(store.INSERT_BODIES, row) for row in bodies]
        )

    async def read(self, caller: Caller, before: str, most: int, wanted: CallFilter | None = None) -> list[CallRow]:
        """The calls of the caller's account, for who may see them; `page` tells the rest."""
        caller.require(*READERS)
        return await self.page(caller.account_id, before, most, wanted)

    async def look_up(self, caller: Caller, request_id: str) -> CallRow | None:
        caller.require(*READERS)
        return await self.find(caller.account_id, request_id)

    async def page(self, account_id: int, before: str, most: int, wanted: CallFilter | None = None) -> list[CallRow]:
        """Newest first, older than `before` (the id of a row; empty: from the newest)."""
        wanted = wanted or CallFilter()
        lowest, highest = wanted.bounds()
        params = {"account_id": account_id, "before": before or _NEWEST, "most": most}
        if wanted.search:
            plain = wanted.search.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
            more = {"key_id": wanted.key_id, "search": wanted.search, "like": f"%{plain}%"}
            return await self._db.all(store.CALLS_FOUND, {**params, **more, "lowest": lowest, "highest": highest})
        if wanted.key_id:
            params["key_id"] = wanted.key_id
            found = await self._of_statuses(store.STATUSES_OF_KEY, store.CALLS_OF_KEY, params, lowest, highest)
            return _newest(found, most)
        if (lowest, highest) == _ANY_STATUS:
            return await self._db.all(store.CALLS, params)
        found = await self._of_statuses(store.STATUSES, store.CALLS_OF_STATUS, params, lowest, highest)
        if lowest <= store.COMMON <= highest:
            found += await self._db.all(store.COMMON_CALLS, params)
        return _newest(found, most)

    async def _of_statuses(
        self, which: Query[StatusRow], calls: Query[CallRow], params: Params, lowest: int, highest: int
    ) -> list[CallRow]:
        """Of each status that occurs the newest: none of the other calls is read."""
        given = {name: value for name, value in params.items() if name in ("account_id", "key_id")}
        found: list[CallRow] = []
        for one in await self._db.all(which, {**given, "lowest": lowest, "highest": highest}):
            found += await self._db.all(calls, {**params, "status": one["status"]})
        return found

    async def find(self, account_id: int, request_id: str) -> CallRow | None:
        return await self._db.first(store.CALL_BY_REQUEST_ID, {"account_id": account_id, "request_id": request_id})


def _newest(found: list[CallRow], most: int) -> list[CallRow]:
    return sorted(found, key=lambda row: row["id"], reverse=True)[:most]
