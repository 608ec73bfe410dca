"""What an installation has when it is upgraded is there afterwards, in the rows that the new version reads."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Connection, insert, select

from tablegram.restaurant.orders.payments import Payment, sum_up
from tablegram.storage.migrate import migrate, migrate_to, on_connection
from tablegram.storage.tables import consents, contacts, conversations, order_events, order_payments, orders
from tests.storage.schema import differences

STATES = ("unpaid", "link_sent", "failed", "paid", "refunded")


def _order(state: str) -> dict[str, Any]:
    return {
        "account_id": 1, "id": state, "venue_id": "v", "order_id": f"ORD-{state}", "order_type": "takeaway",
        "state": "sent_to_kitchen", "payment_method": "cash", "payment_state": state, "table_label": "", "waiter": "",
        "customer_phone": "", "customer_name": "", "lines": "[]", "charges": "[]", "discounts": "[]", "total": 950,
        "currency": "TRY", "notes": "", "address": "", "route_url": "", "language": "tr", "created_at": 10,
        "updated_at": 90,
    }  # fmt: skip


def _event(order: str, number: int, event: str, who: str, at: int) -> dict[str, Any]:
    return {
        "account_id": 1, "order_key": order, "number": number, "event": event, "state": "sent_to_kitchen",
        "payment_state": order, "at": at, "by": who, "reason": "",
    }  # fmt: skip


def _contact(name: str, consent: str, at: int | None, source: str) -> dict[str, Any]:
    return {
        "account_id": 1, "id": name, "name": name, "name_is_own": 0, "language": "", "tags": "[]", "notes": "",
        "consent": consent, "consent_at": at, "consent_source": source, "first_seen_at": 5, "last_seen_at": 5,
    }  # fmt: skip


def test_what_was_paid_is_payments_by_whom_the_history_tells(fresh_database_url: str) -> None:
    def fill(connection: Connection) -> None:
        connection.execute(insert(orders), [_order(state) for state in STATES])
        history = [
            _event("paid", 1, "pay", "nobody", 20), _event("paid", 2, "pay", "Elif", 30),
            _event("refunded", 1, "pay", "Elif", 40), _event("refunded", 2, "refund", "Can", 50),
        ]  # fmt: skip
        # One statement each, with the columns of that time only.
        for row in history:
            connection.execute(insert(order_events).values(**row))

    migrate_to(fresh_database_url, "0006")
    on_connection(fresh_database_url, fill)
    migrate(fresh_database_url)
    rows = on_connection(
        fresh_database_url,
        lambda connection: [dict(row) for row in connection.execute(select(order_payments)).mappings()],
    )
    payments = [Payment(**row) for row in rows]
    assert {state: sum_up([one for one in payments if one.order_key == state], 950) for state in STATES} == {
        state: state for state in STATES
    }
    told = sorted((one.order_key, one.kind, one.state, one.by, one.created_at, one.settled_at) for one in payments)
    assert told == [
        # Whose history does not tell, was noted when it was last changed.
        ("failed", "payment", "failed", "", 90, 90),
        ("link_sent", "payment", "asked", "", 90, None),
        ("paid", "payment", "succeeded", "Elif", 30, 30),
        ("refunded", "payment", "succeeded", "Elif", 40, 40),
        ("refunded", "refund", "succeeded", "Can", 50, 50),
    ]
    assert {(one.amount, one.currency, one.method, one.reference) for one in payments} == {(950, "TRY", "cash", None)}
    assert differences(fresh_database_url) == []


def test_what_contacts_said_is_the_first_row_of_their_ledger(fresh_database_url: str) -> None:
    said = [
        _contact("yes", "granted", 70, "Card"), _contact("no", "denied", 80, "api"), _contact("again", "unknown", 60, "api"),
        _contact("silent", "unknown", None, ""),
    ]  # fmt: skip
    migrate_to(fresh_database_url, "0007")
    on_connection(fresh_database_url, lambda connection: connection.execute(insert(contacts), said))
    migrate(fresh_database_url)
    rows = on_connection(fresh_database_url, lambda connection: connection.execute(select(consents)).mappings().all())
    told = sorted((row["contact_id"], row["purpose"], row["state"], row["source"], row["at"]) for row in rows)
    assert told == [
        ("again", "marketing", "unknown", "api", 60), ("no", "marketing", "denied", "api", 80),
        ("yes", "marketing", "granted", "Card", 70),
    ]  # fmt: skip


def test_what_was_done_with_conversations_stands_beside_their_contacts(fresh_database_url: str) -> None:
    def fill(connection: Connection) -> None:
        connection.execute(insert(contacts), [_contact(name, "unknown", None, "") for name in ("done", "new", "mine")])
        for name, more in (("done", {"closed_at": 5}), ("mine", {"assigned_to": "m1"})):
            row = {"account_id": 1, "contact_id": name, "seen_until": 4, "updated_at": 1, "updated_by": "", **more}
            connection.execute(insert(conversations).values(row))

    migrate_to(fresh_database_url, "0061")
    on_connection(fresh_database_url, fill)
    migrate(fresh_database_url)
    c = contacts.c
    rows = on_connection(
        fresh_database_url,
        lambda connection: connection.execute(
            select(c.id, c.inbox_seen, c.inbox_closed, c.inbox_owner).order_by(c.id)
        ).all(),
    )
    assert [tuple(row) for row in rows] == [("done", 4, 5, None), ("mine", 4, 0, "m1"), ("new", 0, 0, None)]
