"""Statements on printers."""

from __future__ import annotations

from sqlalchemy import and_, bindparam, func, insert, or_, select, update

from tablegram.printing.rows import Counted, MachineRow, NamedId, PrinterKey, PrinterRow, SealedPrinter, WithId
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import printers

p = printers.c
_MINE = p.account_id == bindparam("b_account")
_THERE = p.removed_at.is_(None)
_ONE = and_(_MINE, p.id == bindparam("b_id"), _THERE)

CHANGING = (
    "name", "profile", "stations", "extras", "copies", "fallback_id", "fallback_after_s", "updated_at",
)  # fmt: skip

INSERT = Query(insert(printers).values(columns(printers)))
GET = Query(select(printers).where(_ONE), row=PrinterRow)
# Who takes a job out of a printer's queue waits in line with whoever does the same.
LOCK = Query(select(printers).where(_ONE).with_for_update(), row=PrinterRow)
ALL = Query(select(printers).where(_MINE, _THERE).order_by(p.id), row=PrinterRow)
OF_VENUE = Query(
    select(printers).where(_MINE, p.venue_id == bindparam("b_venue"), _THERE).order_by(p.id), row=PrinterRow
)
# Also those that were removed: the log goes on naming them.
NAMES = Query(select(p.id, p.name).where(_MINE), row=NamedId)
COUNT = Query(select(func.count().label("n")).where(_MINE, _THERE), row=Counted)
BY_KEY = Query(
    across_accounts(
        select(printers).where(p.key_hash == bindparam("b_hash"), _THERE),
        "a printer names its key alone, and that tells whose it is",
    ),
    row=PrinterRow,
)
# Removed ones too: a removal is a change.
CHANGED = Query(
    across_accounts(
        select(p.id).where(p.updated_at > bindparam("since")),
        "one look finds the printers that were changed, whoever they belong to",
    ),
    row=WithId,
)
UPDATE = Query(
    update(printers).where(_ONE).values({name: bindparam(f"new_{name}", type_=p[name].type) for name in CHANGING})
)
NEW_KEY = Query(
    update(printers)
    .where(_ONE)
    .values(key_hash=bindparam("new_hash"), key_sealed=bindparam("new_sealed"), updated_at=bindparam("now"))
)
# The hash is given up, so that nobody proves anything with it.
REMOVE = Query(
    update(printers)
    .where(_ONE)
    .values(
        removed_at=bindparam("now"),
        updated_at=bindparam("now"),
        key_hash=bindparam("gone"),
        key_sealed="",
        fallback_id=None,
    )
)
UNLINK = Query(
    update(printers)
    .where(_MINE, p.fallback_id == bindparam("b_id"))
    .values(fallback_id=None, updated_at=bindparam("now"))
)
# Written when it says something new, whoever hears it: two processes that hear the same write it once.
STATUS = Query(
    update(printers)
    .where(_ONE, p.status != bindparam("new_status"))
    .values(status=bindparam("new_status"), status_at=bindparam("now"), seen_at=bindparam("now"))
)
SEEN = Query(
    update(printers)
    .where(
        _MINE,
        p.id == bindparam("b_id"),
        or_(p.seen_at.is_(None), p.seen_at < bindparam("now")),
    )
    .values(seen_at=bindparam("now")),
    bulk=True,
)
LEARN = Query(update(printers).where(_ONE).values(learned=bindparam("new_learned"), silent_ms=bindparam("new_silent")))
# Heard once, and not for a while; what says so already is left alone.
SILENT = Query(
    across_accounts(
        select(printers)
        .where(
            p.seen_at.is_not(None),
            # Nobody is given less time than this; an index finds them.
            p.seen_at < bindparam("before"),
            p.seen_at + p.silent_ms < bindparam("now"),
            _THERE,
            p.kind.in_(("cloudprnt", "epson", "agent")),
            p.status.not_like('%"online":false%'),
        )
        .order_by(p.seen_at)
        .limit(200),
        "the clock looks for printers that fell silent, whoever they belong to",
    ),
    row=PrinterRow,
)
# Pictures and people are not looked after.
MACHINES = Query(
    across_accounts(
        select(p.account_id, p.id, p.name, p.kind, p.status, p.seen_at)
        .where(p.kind.in_(("cloudprnt", "epson", "agent", "direct")), _THERE)
        .order_by(p.account_id, p.id),
        "the doctor looks at every printer of the installation",
    ),
    row=MachineRow,
)
DIRECT = Query(
    across_accounts(
        select(p.account_id, p.id).where(p.kind == "direct", _THERE),
        "one look finds the printers that the installation itself calls, whoever they belong to",
    ),
    row=PrinterKey,
)
SANDBOX = Query(
    across_accounts(
        select(p.account_id, p.id).where(p.kind == "sandbox", _THERE),
        "one look finds the printers that are pictures in the sandbox, whoever they belong to",
    ),
    row=PrinterKey,
)
SEALED = Query(
    across_accounts(
        select(p.account_id, p.id, p.key_sealed, p.profile).where(_THERE),
        "what is sealed is sealed again under a new key, whoever it belongs to",
    ),
    row=SealedPrinter,
)
SEAL_AGAIN = Query(
    update(printers)
    .where(_ONE, p.key_sealed == bindparam("b_old"))
    .values(
        key_hash=bindparam("new_hash"),
        key_sealed=bindparam("new_sealed"),
        profile=bindparam("new_profile"),
    )
)
