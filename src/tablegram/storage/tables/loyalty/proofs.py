"""Who a guest is on a page: shown by a message from their phone."""

from __future__ import annotations

from sqlalchemy import Index, PrimaryKeyConstraint, Table

from tablegram.storage.tables.schema import metadata, number, optional_text, text, time_ms

loyalty_proofs = Table(
    "loyalty_proofs",
    metadata,
    number("account_id"),
    # What the message says.
    text("code"),
    text("venue_id"),
    # Of what the page alone knows.
    text("secret_hash"),
    text("language"),
    # Nobody until the message has come.
    optional_text("contact_id"),
    time_ms("expires_at"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "code"),
)
Index("ix_loyalty_proofs_expiry", loyalty_proofs.c.expires_at)
Index("ix_loyalty_proofs_contact", loyalty_proofs.c.account_id, loyalty_proofs.c.contact_id)
