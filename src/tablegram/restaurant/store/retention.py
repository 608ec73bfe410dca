"""How long the traces of guests are kept. Orders stay."""

from __future__ import annotations

from sqlalchemy import BindParameter, bindparam, func

from tablegram.engine.purging import Purge, days, old_rows
from tablegram.storage.tables import carts, dialogues, tabs, waiter_calls

# A cart that ended is of no use; so long, its text is still answered with the order that it became.
CART_DAYS = 30
# What a guest was asked is answered within half an hour, or never.
DIALOGUE_DAYS = 1
# Who called from which table, and who sat there: a season, for questions about service.
CALL_DAYS = 90

_BEFORE: BindParameter[int] = bindparam("before")
_CALLED = func.coalesce(waiter_calls.c.answered_at, waiter_calls.c.created_at) < _BEFORE
_SAT = func.coalesce(tabs.c.closed_at, tabs.c.last_at) < _BEFORE

PURGES = (
    Purge("carts", days(CART_DAYS), old_rows(carts, carts.c.expires_at < _BEFORE, carts.c.code)),
    Purge("dialogues", days(DIALOGUE_DAYS), old_rows(dialogues, dialogues.c.asked_at < _BEFORE, dialogues.c.phone)),
    Purge("calls", days(CALL_DAYS), old_rows(waiter_calls, _CALLED, waiter_calls.c.id)),
    Purge("tabs", days(CALL_DAYS), old_rows(tabs, _SAT, tabs.c.id)),
)
