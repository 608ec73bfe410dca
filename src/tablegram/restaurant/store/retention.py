"""How long the traces of guests are kept. Orders stay, but for those of strangers that nobody answered."""

from __future__ import annotations

from sqlalchemy import BindParameter, and_, bindparam, exists, func, select

from tablegram.engine.purging import Purge, days, hours, old_rows
from tablegram.storage.tables import (
    carts,
    dialogues,
    last_words,
    order_drafts,
    order_events,
    order_progress,
    order_requests,
    order_taps,
    orders,
    reader_days,
    tablet_turns,
    tabs,
    waiter_calls,
    waiting_texts,
)
from tablegram.values.clock import DAY_MS

# So long, the text of a cart that became an order is answered with that order.
CART_DAYS = 30
# A cart that nothing came of is of no use; so long, whoever sends its text hears that it has ended.
ENDED_CART_HOURS = 2
# An order of somebody who proved nothing, which nobody accepted or rejected, and the number that they typed.
STRANGERS_ORDER_DAYS = 1
# What a guest was asked is answered within half an hour, or never.
DIALOGUE_DAYS = 1
# What an account's language model cost: two months, for a bill that comes late.
READER_DAYS = 62
# Whoever took a shared tablet so long ago has gone home.
TURN_DAYS = 2
# Who called from which table, and who sat there: a season, for questions about service.
CALL_DAYS = 90

_BEFORE: BindParameter[int] = bindparam("before")
_ORDERED = and_(carts.c.state == "ordered", carts.c.expires_at < _BEFORE)
# By both: a cart whose table got another code ends where it began, and its guest is told so for a while.
_CAME_TO_NOTHING = and_(carts.c.state != "ordered", carts.c.expires_at < _BEFORE, carts.c.updated_at < _BEFORE)
_UNPROVED = exists().where(
    carts.c.account_id == orders.c.account_id, carts.c.code == orders.c.cart_code, carts.c.is_signed == 0
)
_NOBODYS = and_(orders.c.state == "expired", orders.c.contact_id.is_(None), orders.c.closed_at < _BEFORE, _UNPROVED)
_OF_NOBODYS = order_events.c.order_key.in_(select(orders.c.id).where(_NOBODYS))
_CALLED = func.coalesce(waiter_calls.c.answered_at, waiter_calls.c.created_at) < _BEFORE
_COOKED = order_progress.c.at < _BEFORE
_SPENT = reader_days.c.day * DAY_MS < _BEFORE
_SAT = func.coalesce(tabs.c.closed_at, tabs.c.last_at) < _BEFORE

PURGES = (
    Purge("", days(STRANGERS_ORDER_DAYS), old_rows(order_events, _OF_NOBODYS, order_events.c.order_key)),
    Purge("strangers_orders", days(STRANGERS_ORDER_DAYS), old_rows(orders, _NOBODYS, orders.c.id)),
    Purge("carts", days(CART_DAYS), old_rows(carts, _ORDERED, carts.c.code)),
    Purge("abandoned_carts", hours(ENDED_CART_HOURS), old_rows(carts, _CAME_TO_NOTHING, carts.c.code)),
    Purge("dialogues", days(DIALOGUE_DAYS), old_rows(dialogues, dialogues.c.asked_at < _BEFORE, dialogues.c.phone)),
    # Nobody waits so long for an answer: whoever was to give it is gone for good.
    Purge(
        "",
        days(DIALOGUE_DAYS),
        old_rows(waiting_texts, waiting_texts.c.asked_at < _BEFORE, waiting_texts.c.message_key),
    ),
    Purge("", days(READER_DAYS), old_rows(reader_days, _SPENT, reader_days.c.account_id)),
    Purge(
        "drafts", days(DIALOGUE_DAYS), old_rows(order_drafts, order_drafts.c.updated_at < _BEFORE, order_drafts.c.id)
    ),
    Purge("", days(DIALOGUE_DAYS), old_rows(last_words, last_words.c.since < _BEFORE, last_words.c.phone)),
    Purge("", days(CALL_DAYS), old_rows(order_requests, order_requests.c.created_at < _BEFORE, order_requests.c.id)),
    # An order whose marks are gone is as far as its own state says.
    Purge("", days(CALL_DAYS), old_rows(order_taps, order_taps.c.at < _BEFORE, order_taps.c.id)),
    Purge("", days(CALL_DAYS), old_rows(order_progress, _COOKED, order_progress.c.line)),
    Purge("", days(TURN_DAYS), old_rows(tablet_turns, tablet_turns.c.at < _BEFORE, tablet_turns.c.session_id)),
    Purge("calls", days(CALL_DAYS), old_rows(waiter_calls, _CALLED, waiter_calls.c.id)),
    Purge("tabs", days(CALL_DAYS), old_rows(tabs, _SAT, tabs.c.id)),
)
