"""How long the traces of guests are kept. Orders stay."""

from __future__ import annotations

from sqlalchemy import BindParameter, and_, bindparam, func

from tablegram.engine.purging import Purge, days, hours, old_rows
from tablegram.storage.tables import carts, dialogues, tabs, waiter_calls

# So long, the text of a cart that became an order is answered with that order.
CART_DAYS = 30
# A cart that nothing came of is of no use; so long, whoever sends its text hears that it has ended.
ENDED_CART_HOURS = 2
# What a guest was asked is answered within half an hour, or never.
DIALOGUE_DAYS = 1
# Who called from which table, and who sat there: a season, for questions about service.
CALL_DAYS = 90

_BEFORE: BindParameter[int] = bindparam("before")
_ORDERED = and_(carts.c.state == "ordered", carts.c.expires_at < _BEFORE)
# By both: a cart whose table got another code ends where it began, and its guest is told so for a while.
_CAME_TO_NOTHING = and_(carts.c.state != "ordered", carts.c.expires_at < _BEFORE, carts.c.updated_at < _BEFORE)
_CALLED = func.coalesce(waiter_calls.c.answered_at, waiter_calls.c.created_at) < _BEFORE
_SAT = func.coalesce(tabs.c.closed_at, tabs.c.last_at) < _BEFORE

PURGES = (
    Purge("carts", days(CART_DAYS), old_rows(carts, _ORDERED, carts.c.code)),
    Purge("abandoned_carts", hours(ENDED_CART_HOURS), old_rows(carts, _CAME_TO_NOTHING, carts.c.code)),
    Purge("dialogues", days(DIALOGUE_DAYS), old_rows(dialogues, dialogues.c.asked_at < _BEFORE, dialogues.c.phone)),
    Purge("calls", days(CALL_DAYS), old_rows(waiter_calls, _CALLED, waiter_calls.c.id)),
    Purge("tabs", days(CALL_DAYS), old_rows(tabs, _SAT, tabs.c.id)),
)
