"""How long payments are kept: links that nobody paid a season, what providers told a year; money for ever."""

from __future__ import annotations

from sqlalchemy import BindParameter, and_, bindparam, or_

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.storage.tables import payment_links, payment_signals

UNPAID_DAYS = 90
SIGNAL_DAYS = 365

_BEFORE: BindParameter[int] = bindparam("before")
p = payment_links.c
s = payment_signals.c
_UNPAID = and_(
    p.created_at < _BEFORE,
    p.ended_at < _BEFORE,
    p.state.in_(("expired", "cancelled", "failed")),
    p.received == 0,
    p.ask_at.is_(None),
)
# What somebody still has to look at stays until then.
_TOLD = and_(s.received_at < _BEFORE, or_(s.state == "applied", s.settled_at.is_not(None)))

PURGES = (
    Purge("payment_links", days(UNPAID_DAYS), old_rows(payment_links, _UNPAID, p.id)),
    Purge("", days(SIGNAL_DAYS), old_rows(payment_signals, _TOLD, s.id)),
)
