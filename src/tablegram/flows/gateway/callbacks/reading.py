"""What the network said that is nobody's message, as people look at it: listed, searched, with its raw body."""

from __future__ import annotations

import msgspec
from msgspec.structs import asdict

from tablegram.accounts.keys.keys import Caller
from tablegram.engine import raw_callbacks
from tablegram.errors import NotFound
from tablegram.messaging.notices import NOT_UNDERSTOOD
from tablegram.messaging.rows.lines import NoticeRow
from tablegram.messaging.store import notices as store
from tablegram.storage.database import Database
from tablegram.values.cursor import decode_cursor, following
from tablegram.values.folding import fold

# Raw bodies hold what customers wrote and which numbers they have, so that managing lines alone is not enough.
SCOPES = ("instances:manage", "messages:read")
# A body of megabytes is of no use on a page.
MAX_SHOWN = 100_000
MAX_WORDS = 8


class NoticeView(msgspec.Struct, kw_only=True, frozen=True):
    """Something that the network said; its facts are as the network names them."""

    id: str
    instance_id: int | None
    kind: str
    field: str
    facts: dict[str, str]
    is_understood: bool
    at: int


class WholeNotice(NoticeView, kw_only=True, frozen=True):
    """With the body that it came in, cut where that is very long."""

    body: str
    is_cut: bool


class NoticePage(msgspec.Struct, kw_only=True, frozen=True):
    """The newest first."""

    data: list[NoticeView]
    next_cursor: str | None


class NetworkNews:
    def __init__(self, db: Database) -> None:
        self._db = db

    async def page(
        self, caller: Caller, *, q: str = "", only_unknown: bool = False, line_id: int | None = None, limit: int = 50,
        cursor: str = "",
    ) -> NoticePage:  # fmt: skip
        """The newest first. `only_unknown`: what nobody acts on until a person has looked at it."""
        _check(caller)
        statement = store.page(
            caller.account_id, words=fold(q).split()[:MAX_WORDS], kinds=NOT_UNDERSTOOD if only_unknown else (),
            line_id=line_id, before=decode_cursor(cursor) if cursor else "", most=limit + 1,
        )  # fmt: skip
        rows = await self._db.all(statement)
        return NoticePage(data=[_view(row) for row in rows[:limit]], next_cursor=following(rows, limit))

    async def get(self, caller: Caller, notice_id: str) -> WholeNotice:
        """One of them, with the body that it came in. An empty body was of somebody who has been erased since."""
        _check(caller)
        row = await self._db.first(store.GET, {"b_account": caller.account_id, "b_id": notice_id})
        if row is None:
            raise NotFound(
                "There is no such notice in this account. It may have been forgotten.", code="notice_unknown"
            )
        kept = await raw_callbacks.look_up(self._db, caller.account_id, row["source"], row["external_id"])
        raw = b"" if kept is None else bytes(kept["body"])
        body = _shown(raw)
        return WholeNotice(**asdict(_view(row)), body=body, is_cut=len(body) >= MAX_SHOWN)


def _check(caller: Caller) -> None:
    for scope in SCOPES:
        caller.require(scope)


def _view(row: NoticeRow) -> NoticeView:
    return NoticeView(
        id=row["id"],
        instance_id=row["instance_id"],
        kind=row["kind"],
        field=row["field"],
        facts=msgspec.json.decode(row["facts"]),
        is_understood=row["kind"] not in NOT_UNDERSTOOD,
        at=row["at"],
    )


def _shown(raw: bytes) -> str:
    """With its lines apart where it is JSON, as it came where it is not."""
    try:
        written = msgspec.json.format(raw, indent=2).decode() if raw else ""
    except (ValueError, RecursionError):
        written = raw.decode("utf-8", "replace")
    return written[:MAX_SHOWN]
