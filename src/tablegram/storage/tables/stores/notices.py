"""What is said because of a shop's events: how it is worded, what waits to be said, and carts that were left behind."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

# How an account words a notification in a language; without a row it is as it comes, and off.
store_notifications = Table(
    "store_notifications",
    metadata,
    number("account_id"),
    text("kind"),
    # Which reminder of a cart; 1 for all else.
    number("step"),
    text("language"),
    flag("enabled"),
    # JSON: text, delay, quiet hours, template, picture, buttons, whom to alert.
    text("wording"),
    time_ms("updated_at"),
    text("updated_by"),
    PrimaryKeyConstraint("account_id", "kind", "step", "language"),
    CheckConstraint("step between 1 and 3", name="step"),
)

# How one shop words it; without a row as the account does.
store_source_notifications = Table(
    "store_source_notifications",
    metadata,
    number("account_id"),
    text("source_id"),
    text("kind"),
    number("step"),
    text("language"),
    flag("enabled"),
    text("wording"),
    time_ms("updated_at"),
    text("updated_by"),
    PrimaryKeyConstraint("account_id", "source_id", "kind", "step", "language"),
    CheckConstraint("step between 1 and 3", name="step"),
)

store_notices = Table(
    "store_notices",
    metadata,
    number("account_id"),
    text("id"),
    text("source_id"),
    # The platform's own id of the order, checkout or submission.
    text("reference"),
    text("kind"),
    number("step"),
    # Which of several of one kind: a parcel, by its tracking number.
    text("part"),
    # What people call it: #1001.
    text("number"),
    text("name"),
    text("phone"),
    text("language"),
    # JSON: what the text is filled in with.
    text("facts"),
    # The line that the source goes by; the account's usual one where it names none.
    number("instance_id", nullable=True),
    text("state"),
    # Why it was skipped or cancelled, by a stable code; or why it waits.
    text("reason"),
    time_ms("due_at", nullable=True),
    # The message that it became.
    optional_text("message_key"),
    time_ms("created_at"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "source_id", "reference", "kind", "step", "part"),
    CheckConstraint("state in ('waiting', 'sent', 'skipped', 'cancelled')", name="state"),
    CheckConstraint("(state = 'waiting') = (due_at is not null)", name="due"),
)
Index(
    "ix_store_notices_due",
    store_notices.c.due_at,
    where="due_at is not null",
)
Index("ix_store_notices_phone", store_notices.c.account_id, store_notices.c.phone, store_notices.c.id)
Index("ix_store_notices_old", store_notices.c.created_at)
# What lists are narrowed to, newest first.
Index("ix_store_notices_kind", store_notices.c.account_id, store_notices.c.kind, store_notices.c.id)
Index("ix_store_notices_source", store_notices.c.account_id, store_notices.c.source_id, store_notices.c.id)
Index("ix_store_notices_state", store_notices.c.account_id, store_notices.c.state, store_notices.c.id)

store_carts = Table(
    "store_carts",
    metadata,
    number("account_id"),
    text("id"),
    text("source_id"),
    # The platform's own id of the checkout, and the word that its order names it by.
    text("reference"),
    text("checkout"),
    text("name"),
    text("phone"),
    text("email"),
    text("language"),
    # 1 and 0 as the shop says; nothing where it does not.
    number("consents", nullable=True),
    # JSON: what the text is filled in with.
    text("facts"),
    number("amount", nullable=True),
    text("currency"),
    number("instance_id", nullable=True),
    text("state"),
    # The reminder that comes next, when, and how many have gone.
    number("step"),
    time_ms("due_at", nullable=True),
    number("reminders", 0),
    # By the platform's clock: when it was begun, and the newest that was told of it.
    time_ms("began_at"),
    time_ms("changed_at"),
    # The order that it became, and what that came to.
    text("order_reference"),
    number("bought_amount", nullable=True),
    text("bought_currency"),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("ended_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "source_id", "reference"),
    # bought: without a word of ours; recovered: after a reminder; left: all was said and nothing came.
    CheckConstraint("state in ('open', 'left', 'bought', 'recovered', 'deleted')", name="state"),
    CheckConstraint("due_at is null or state = 'open'", name="due"),
)
Index(
    "ix_store_carts_due",
    store_carts.c.due_at,
    where="due_at is not null",
)
Index("ix_store_carts_checkout", store_carts.c.account_id, store_carts.c.checkout)
Index("ix_store_carts_phone", store_carts.c.account_id, store_carts.c.phone)
Index("ix_store_carts_email", store_carts.c.account_id, store_carts.c.email)
Index("ix_store_carts_ended", store_carts.c.account_id, store_carts.c.ended_at)
Index("ix_store_carts_old", store_carts.c.updated_at)
# What lists are narrowed to, newest first.
Index("ix_store_carts_source", store_carts.c.account_id, store_carts.c.source_id, store_carts.c.id)
Index("ix_store_carts_state", store_carts.c.account_id, store_carts.c.state, store_carts.c.id)

# Who has bought: what a reminder is checked against in the instant in which it goes.
store_purchases = Table(
    "store_purchases",
    metadata,
    number("account_id"),
    text("source_id"),
    text("reference"),
    text("checkout"),
    text("phone"),
    text("email"),
    number("amount", nullable=True),
    text("currency"),
    # By the platform's clock.
    time_ms("at"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "source_id", "reference"),
)
Index("ix_store_purchases_checkout", store_purchases.c.account_id, store_purchases.c.checkout)
Index("ix_store_purchases_phone", store_purchases.c.account_id, store_purchases.c.phone, store_purchases.c.at)
Index("ix_store_purchases_email", store_purchases.c.account_id, store_purchases.c.email, store_purchases.c.at)
Index("ix_store_purchases_old", store_purchases.c.created_at)
