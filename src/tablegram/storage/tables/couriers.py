"""Couriers, their shifts, what each of them brings, and every step of it."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table
from sqlalchemy import text as sql

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

couriers = Table(
    "couriers",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("name"),
    # Digits with the country code; empty for who works with the page alone.
    text("phone"),
    # Of the team, where they are one of it.
    optional_text("member_id"),
    text("language"),
    flag("active"),
    # The link to their own page and the PIN beside it, as keyed hashes; the link also sealed, to be shown again.
    optional_text("key_hash"),
    optional_text("key_sealed"),
    optional_text("pin_hash"),
    # Wrong PINs in a row, and when the last one was tried.
    number("pin_misses", 0),
    number("pin_missed_at", 0),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("removed_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("uq_couriers_key_hash", couriers.c.key_hash, unique=True)
Index("ix_couriers_venue", couriers.c.account_id, couriers.c.venue_id, couriers.c.id)
Index(
    "uq_couriers_phone",
    couriers.c.account_id,
    couriers.c.venue_id,
    couriers.c.phone,
    unique=True,
    where="phone <> '' and removed_at is null",
)

# From when to when somebody worked, and the cash that they handed in. Amounts are minor units.
courier_shifts = Table(
    "courier_shifts",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("courier_id"),
    text("currency"),
    time_ms("started_at"),
    text("started_by"),
    time_ms("ended_at", nullable=True),
    optional_text("ended_by"),
    # What they should have handed in when it was counted, and what they did.
    number("expected", nullable=True),
    number("counted", nullable=True),
    text("note"),
    time_ms("counted_at", nullable=True),
    optional_text("counted_by"),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_courier_shifts_courier", courier_shifts.c.account_id, courier_shifts.c.courier_id, courier_shifts.c.id)
# Nobody works two shifts at once.
Index(
    "uq_courier_shifts_open",
    courier_shifts.c.account_id,
    courier_shifts.c.courier_id,
    unique=True,
    where="ended_at is null",
)

order_deliveries = Table(
    "order_deliveries",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    # The row of the order, and what people call it.
    text("order_key"),
    text("order_id"),
    text("courier_id"),
    text("shift_id"),
    text("state"),
    # Among the stops of the courier.
    number("position", 0),
    # The last step that moved it.
    text("step"),
    # Money that the courier took, and how.
    number("collected", 0),
    optional_text("collected_by"),
    time_ms("assigned_at"),
    time_ms("picked_up_at", nullable=True),
    time_ms("ended_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("state in ('assigned', 'picked_up', 'delivered', 'brought_back', 'dropped')", name="state"),
)
# An order is with one courier at a time.
Index(
    "uq_order_deliveries_open",
    order_deliveries.c.account_id,
    order_deliveries.c.order_key,
    unique=True,
    where="ended_at is null",
)
Index("ix_order_deliveries_order", order_deliveries.c.account_id, order_deliveries.c.order_key, order_deliveries.c.id)
Index("ix_order_deliveries_shift", order_deliveries.c.account_id, order_deliveries.c.shift_id)
Index(
    "ix_order_deliveries_courier", order_deliveries.c.account_id, order_deliveries.c.courier_id, order_deliveries.c.id
)
Index("ix_order_deliveries_venue", order_deliveries.c.account_id, order_deliveries.c.venue_id, order_deliveries.c.id)
Index("ix_order_deliveries_number", order_deliveries.c.account_id, order_deliveries.c.order_id)
Index("ix_order_deliveries_state", order_deliveries.c.account_id, order_deliveries.c.state, order_deliveries.c.id)

delivery_steps = Table(
    "delivery_steps",
    metadata,
    number("account_id"),
    text("id"),
    text("delivery_id"),
    text("action"),
    # The delivery's states before and after it.
    text("before"),
    text("after"),
    # From where: panel, api, page, message, or the order itself.
    text("via"),
    text("by"),
    # Why something was brought back, in somebody's words.
    text("reason", server_default=sql("''")),
    time_ms("at"),
    time_ms("undone_at", nullable=True),
    optional_text("undone_by"),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_delivery_steps_delivery", delivery_steps.c.account_id, delivery_steps.c.delivery_id, delivery_steps.c.id)

# Who knows already that an order waits for a courier: nobody is told twice.
courier_calls = Table(
    "courier_calls",
    metadata,
    number("account_id"),
    text("order_key"),
    text("courier_id"),
    time_ms("at"),
    PrimaryKeyConstraint("account_id", "order_key", "courier_id"),
)
