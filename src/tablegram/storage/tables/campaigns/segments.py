"""Groups of contacts that people have named, by the rules that tell who is in."""

from __future__ import annotations

from sqlalchemy import PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import metadata, number, text, time_ms

segments = Table(
    "segments",
    metadata,
    number("account_id"),
    text("id"),
    text("name"),
    # The name folded: no two segments are called the same.
    text("name_key"),
    # JSON: a tree of rules.
    text("rules"),
    time_ms("created_at"),
    time_ms("updated_at"),
    text("updated_by"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "name_key"),
)
