"""The SQL of the demo's past: rows as the product itself would have left them."""

from __future__ import annotations

from sqlalchemy import bindparam, insert, select

from tablegram.crm.rows import WithId
from tablegram.messaging.rows.messages import KeyRow
from tablegram.restaurant.rows.orders import OrderKey
from tablegram.storage.query import Query, columns
from tablegram.storage.tables import (
    audit_log,
    canned_replies,
    consents,
    contact_aliases,
    contacts,
    conversations,
    deliveries,
    delivery_attempts,
    events,
    inbox,
    messages,
    network_notices,
    order_sequences,
    orders,
    request_log,
    tabs,
    webhooks,
)

ANY_MESSAGE = Query(select(messages.c.id).where(messages.c.account_id == bindparam("account_id")).limit(1), row=KeyRow)
GUESTS = Query(
    select(contacts.c.id)
    .where(contacts.c.account_id == bindparam("account_id"), contacts.c.window_until.is_not(None))
    .order_by(contacts.c.id)
    .limit(6),
    row=WithId,
)
ALIAS = Query(insert(contact_aliases).values(columns(contact_aliases)))
CONSENT = Query(insert(consents).values(columns(consents)))
# What people did with a conversation is copied here by the store.
_OWN = [one.key for one in contacts.c if not one.key.startswith("inbox_")]
CONTACT = Query(insert(contacts).values(columns(contacts, *_OWN)))
CONVERSATION = Query(insert(conversations).values(columns(conversations)))
MESSAGE = Query(insert(messages).values(columns(messages)), bulk=True)
CANNED = Query(insert(canned_replies).values(columns(canned_replies)))
EVENT = Query(insert(events).values(columns(events, "account_id", "id", "type", "sender", "body", "created_at")))
ENDPOINT = Query(insert(webhooks).values(columns(webhooks)))
DELIVERY = Query(insert(deliveries).values(columns(deliveries)))
ATTEMPT = Query(insert(delivery_attempts).values(columns(delivery_attempts)))
CALLBACK = Query(
    insert(inbox).values(
        columns(inbox, "account_id", "source", "external_id", "body", "received_at", "done_at", "due_at")
    )
)
NOTICE = Query(insert(network_notices).values(columns(network_notices)))
CALL = Query(insert(request_log).values(columns(request_log)))
AUDIT = Query(insert(audit_log).values(columns(audit_log)))
ANY_ORDER = Query(select(orders.c.id).where(orders.c.account_id == bindparam("account_id")).limit(1), row=OrderKey)
SEQUENCE = Query(insert(order_sequences).values(columns(order_sequences)))
TAB = Query(insert(tabs).values(columns(tabs)))
