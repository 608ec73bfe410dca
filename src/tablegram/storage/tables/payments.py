"""Payments: accesses to providers, links, what providers told of them, refunds, and the ledger of it all."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table, UniqueConstraint
from sqlalchemy import text as sql

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

payment_providers = Table(
    "payment_providers",
    metadata,
    number("account_id"),
    text("id"),
    # stripe, iyzico, generic, sandbox.
    text("provider"),
    text("mode"),
    # Its callbacks come to an address with a key: found by the hash, shown again from what is sealed.
    text("hook_hash"),
    text("hook_sealed"),
    # JSON, sealed.
    text("keys_sealed"),
    flag("is_default"),
    # When its keys were last seen to open the door, and when its hook was last heard.
    time_ms("checked_at", nullable=True),
    time_ms("heard_at", nullable=True),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("removed_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("mode in ('test', 'live')", name="mode"),
)
Index("uq_payment_providers_hook", payment_providers.c.hook_hash, unique=True)
# An account has one that links go to when nobody says otherwise.
Index(
    "uq_payment_providers_default",
    payment_providers.c.account_id,
    unique=True,
    where="is_default = 1 and removed_at is null",
)

payment_links = Table(
    "payment_links",
    metadata,
    number("account_id"),
    text("id"),
    text("provider_id"),
    text("mode"),
    # Minor units; the tip is a part of it.
    number("amount"),
    number("tip", 0),
    text("currency"),
    text("description"),
    # JSON: the lines that the pay page shows.
    text("items"),
    text("language"),
    # What is paid for: empty, or an order or a tab, by its own key.
    text("subject_kind"),
    text("subject_key"),
    # What its owner wants to read again when it is paid; nobody else does.
    text("subject_note", server_default=sql("''")),
    optional_text("venue_id"),
    optional_text("contact_id"),
    text("phone"),
    text("state"),
    # The provider's names for the link and for the payment; the first is there once the link is made.
    optional_text("reference"),
    text("payment_reference"),
    text("url"),
    time_ms("expires_at"),
    # When somebody has to see to it: make it, ask how it stands, let it expire, take it back at the provider.
    time_ms("ask_at", nullable=True),
    # How often that was tried in a row without an answer.
    number("asked", 0),
    # What came in, in its own currency, and what went back.
    number("received", 0),
    text("received_currency"),
    number("refunded", 0),
    time_ms("paid_at", nullable=True),
    # Why the last try failed, by a stable code.
    text("failure"),
    # What people have to decide, and who did when.
    text("attention"),
    time_ms("attention_at", nullable=True),
    text("settled_by"),
    time_ms("settled_at", nullable=True),
    # Who asked for it.
    text("made_by"),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("ended_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "provider_id", "reference"),
    CheckConstraint("state in ('making', 'open', 'paid', 'expired', 'cancelled', 'failed')", name="state"),
    CheckConstraint("subject_kind in ('', 'order', 'tab')", name="subject_kind"),
    CheckConstraint("amount > 0", name="amount"),
    CheckConstraint("refunded between 0 and received", name="refunded"),
)
Index("ix_payment_links_subject", payment_links.c.account_id, payment_links.c.subject_kind, payment_links.c.subject_key)
Index("ix_payment_links_contact", payment_links.c.account_id, payment_links.c.contact_id)
Index(
    "ix_payment_links_due",
    payment_links.c.ask_at,
    where="ask_at is not null",
)
# What waits for a decision.
Index(
    "ix_payment_links_attention",
    payment_links.c.account_id,
    payment_links.c.id,
    where="attention <> '' and settled_at is null",
)
Index("ix_payment_links_old", payment_links.c.created_at)
# What lists are narrowed to, newest first.
Index("ix_payment_links_phone", payment_links.c.account_id, payment_links.c.phone, payment_links.c.id)
Index("ix_payment_links_state", payment_links.c.account_id, payment_links.c.state, payment_links.c.id)
Index("ix_payment_links_kind", payment_links.c.account_id, payment_links.c.subject_kind, payment_links.c.id)

payment_refunds = Table(
    "payment_refunds",
    metadata,
    number("account_id"),
    text("id"),
    text("link_id"),
    number("amount"),
    text("currency"),
    # JSON: which lines of the order, where somebody chose them.
    text("lines"),
    text("reason"),
    text("made_by"),
    text("state"),
    text("reference"),
    text("failure"),
    # When it is tried, or tried again.
    time_ms("due_at", nullable=True),
    number("attempts", 0),
    time_ms("created_at"),
    time_ms("ended_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("state in ('asked', 'succeeded', 'failed')", name="state"),
    CheckConstraint("amount > 0", name="amount"),
)
Index("ix_payment_refunds_link", payment_refunds.c.account_id, payment_refunds.c.link_id)
Index(
    "ix_payment_refunds_due",
    payment_refunds.c.due_at,
    where="due_at is not null",
)

# Every movement of money is a row: what came in is positive, what went back is negative.
payment_movements = Table(
    "payment_movements",
    metadata,
    number("account_id"),
    text("id"),
    text("link_id"),
    text("kind"),
    number("amount"),
    text("currency"),
    # A payment comes once for a link; a refund goes by its own id.
    text("external"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "link_id", "kind", "external"),
    CheckConstraint("kind in ('payment', 'refund')", name="kind"),
    CheckConstraint("(kind = 'payment' and amount > 0) or (kind = 'refund' and amount < 0)", name="amount"),
)

# What providers told, each once.
payment_signals = Table(
    "payment_signals",
    metadata,
    number("account_id"),
    text("provider_id"),
    # The provider's own name for it.
    text("id"),
    # JSON: the signal as it was read.
    text("signal"),
    # The link that it speaks of, in our words and in the provider's, as far as it says.
    text("link_id"),
    text("reference"),
    # waiting: for a link that is not there yet; applied; unknown: no link came.
    text("state"),
    time_ms("received_at"),
    # Money for a link that nobody knows: who dealt with it, and when.
    text("settled_by"),
    time_ms("settled_at", nullable=True),
    PrimaryKeyConstraint("account_id", "provider_id", "id"),
    CheckConstraint("state in ('waiting', 'applied', 'unknown')", name="state"),
)
Index(
    "ix_payment_signals_waiting",
    payment_signals.c.received_at,
    where="state = 'waiting'",
)
Index(
    "ix_payment_signals_unknown",
    payment_signals.c.account_id,
    payment_signals.c.received_at,
    where="state = 'unknown' and settled_at is null",
)
Index("ix_payment_signals_old", payment_signals.c.received_at)
