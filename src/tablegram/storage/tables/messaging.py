"""Lines, messages and templates."""

from __future__ import annotations

from sqlalchemy import (
    CheckConstraint,
    Column,
    ColumnElement,
    ForeignKey,
    PrimaryKeyConstraint,
    Table,
    UniqueConstraint,
    literal_column,
)
from sqlalchemy import text as sql

from tablegram.storage.tables.schema import Index, Serial, flag, metadata, number, optional_text, text, time_ms

# Numbers are never used again, so that an old id in a log means what it meant: the migration that makes it tells a file so.
instances = Table(
    "instances",
    metadata,
    Column("id", Serial, primary_key=True),
    Column("account_id", ForeignKey("accounts.id"), nullable=False),
    text("kind"),
    text("name"),
    text("state"),
    text("reason"),
    time_ms("state_at"),
    flag("is_default"),
    # The unguessable part of the callback address.
    text("hook_key"),
    text("config"),
    # Sealed JSON: tokens and secrets of the line.
    text("secrets"),
    # Thousandths of a message per second; empty means the kind's figure, 0 no limit.
    number("pace_milli", nullable=True),
    # Until when the line itself sends nothing, and why: its own care, not the network's.
    time_ms("paused_until", nullable=True),
    time_ms("created_at"),
    time_ms("deleted_at", nullable=True),
    # When the network asked for our verify token and got it, and when its first signed callback came.
    time_ms("handshake_at", nullable=True),
    time_ms("heard_at", nullable=True),
    # JSON: what the network thinks of the line, by topic, until it takes that back.
    text("standing", server_default=sql("''")),
    # When the present state ends without anybody's doing, where the network tells it.
    time_ms("state_until", nullable=True),
    text("paused_why", server_default=sql("''")),
    UniqueConstraint("hook_key"),
    CheckConstraint("kind in ('cloud', 'linked', 'sandbox')", name="kind"),
)
Index("ix_instances_account_id", instances.c.account_id)
Index(
    "uq_instances_default",
    instances.c.account_id,
    unique=True,
    where="is_default = 1",
)

messages = Table(
    "messages",
    metadata,
    number("account_id"),
    text("id"),
    number("instance_id"),
    text("direction"),
    text("phone"),
    text("type"),
    text("text"),
    text("content"),
    text("state"),
    number("priority"),
    # When the next try is due; empty while a process is trying, and once it is no longer queued.
    time_ms("due_at", nullable=True),
    time_ms("expires_at", nullable=True),
    number("attempts", 0),
    # The process that is asking the network right now.
    optional_text("claimed_by"),
    time_ms("claimed_at", nullable=True),
    # Since when the outcome of an attempt is unknown.
    time_ms("doubt_at", nullable=True),
    optional_text("network_id"),
    optional_text("error_code"),
    optional_text("error_detail"),
    number("error_network_code", nullable=True),
    text("category"),
    number("cost_micros", 0),
    number("cost_final_micros", nullable=True),
    time_ms("created_at"),
    time_ms("sent_at", nullable=True),
    time_ms("delivered_at", nullable=True),
    time_ms("read_at", nullable=True),
    time_ms("failed_at", nullable=True),
    # When its writer changed it, or took it back.
    time_ms("edited_at", nullable=True),
    time_ms("deleted_at", nullable=True),
    # Who wrote an outbound one: `member:ID`, `key:ID`, `phone` for the network's own app, `auto:KIND` for the product.
    optional_text("sent_by"),
    # The request that began it, as the log names it.
    optional_text("trace"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("direction in ('in', 'out')", name="direction"),
    CheckConstraint(
        "state in ('queued', 'sent', 'delivered', 'read', 'failed', 'cancelled', 'received')", name="state"
    ),
)
Index(
    "uq_messages_network_id",
    messages.c.account_id,
    messages.c.network_id,
    messages.c.instance_id,
    unique=True,
    where="network_id is not null",
)
# What a line still has to send, and what somebody is sending right now. Both are small, because a row leaves them when
# it is sent. Neither names the state: a server that has not counted the table yet would take them for a short way to
# every queued message, and read them whole to find one.
Index(
    "ix_messages_queue",
    messages.c.instance_id,
    messages.c.priority,
    messages.c.due_at,
    messages.c.id,
    where="due_at is not null",
)
Index(
    "ix_messages_claimed",
    messages.c.claimed_by,
    where="claimed_by is not null",
)
# Who waits for a message: each send asks whether somebody stands before it. Rows leave it as they leave the queue.
Index(
    "ix_messages_waiting",
    messages.c.phone,
    messages.c.instance_id,
    where="due_at is not null",
)
Index("ix_messages_phone", messages.c.account_id, messages.c.phone, messages.c.id)
# Lists of a state, however few are in it. They ask in these words, and nobody else does: a server that has not counted the
# table would take a state for a short way to every queued message.
listed_state: ColumnElement[str] = messages.c.state.concat(literal_column("''"))
Index("ix_messages_state", messages.c.account_id, listed_state, messages.c.id)

# What is old is found without a look at everything else.
Index("ix_messages_created", messages.c.account_id, messages.c.created_at)

templates = Table(
    "templates",
    metadata,
    number("account_id"),
    number("instance_id"),
    text("name"),
    text("language"),
    text("status"),
    text("category"),
    text("components"),
    # When anybody last told of it: the network when asked, its news, or whoever has just changed it.
    time_ms("synced_at"),
    # Our own name for it; empty until it is looked at anew.
    text("id", server_default=sql("''")),
    # The network's name for it; empty while only its news has told of it.
    text("network_id", server_default=sql("''")),
    text("quality", server_default=sql("''")),
    # Why the network has rejected or paused it, in its own word.
    text("reason", server_default=sql("''")),
    # As of when its status is known, by the network's clock: news that is older changes nothing.
    number("told_at", 0),
    # JSON: when it was edited while it was approved, which the network allows now and then only.
    text("edits", server_default=sql("'[]'")),
    PrimaryKeyConstraint("account_id", "instance_id", "name", "language"),
)
Index("ix_templates_id", templates.c.account_id, templates.c.id)

# What the network said that is nobody's message: its news, what is for a number that is no line's, and what we do not
# understand. The raw body stays in the inbox, where erasure reaches it; no row says anything about a person.
network_notices = Table(
    "network_notices",
    metadata,
    number("account_id"),
    text("id"),
    # Empty where it is about none of the account's lines, or about all of them.
    number("instance_id", nullable=True),
    # What it is in our words; `unknown`, `unknown_number` and `malformed` are those that nobody acts on.
    text("kind"),
    # The network's own name for it.
    text("field"),
    # JSON: what it says.
    text("facts"),
    # The words that it is found by.
    text("words"),
    # Where its raw body is.
    text("source"),
    text("external_id"),
    # What makes it one and the same.
    text("key"),
    time_ms("at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "key"),
)

# What belongs to a line by a phone's own number, beside its row in `instances`.
linked_lines = Table(
    "linked_lines",
    metadata,
    number("account_id"),
    number("instance_id"),
    # Sealed: what its engine needs to come back as the same device.
    text("session", server_default=sql("''")),
    # Why the pairing is over; empty while it is not.
    text("ended", server_default=sql("''")),
    # What somebody wants of the process that runs the line: `pair` or `logout`.
    text("wish", server_default=sql("''")),
    text("wish_phone", server_default=sql("''")),
    number("wish_at", 0),
    # Sealed: the code to scan and the one to type, while they are good.
    text("code", server_default=sql("''")),
    number("code_until", 0),
    text("typed", server_default=sql("''")),
    number("typed_until", 0),
    time_ms("updated_at"),
    # Grows when a pairing ends.
    number("epoch", 0),
    # Until when a program runs that shows codes, though no phone is linked.
    number("pair_until", 0),
    # Since when this phone is linked.
    number("linked_at", 0),
    # When it was last seen connected: what came later may have been missed.
    number("seen_at", 0),
    PrimaryKeyConstraint("account_id", "instance_id"),
)

# Each state that a line was in, from when on.
line_states = Table(
    "line_states",
    metadata,
    number("account_id"),
    number("instance_id"),
    text("id"),
    time_ms("at"),
    text("state"),
    text("reason"),
    PrimaryKeyConstraint("account_id", "instance_id", "id"),
)

# What a linked line has handed to its network lately: what its daily limits are counted from. Nothing about a person.
line_sends = Table(
    "line_sends",
    metadata,
    number("account_id"),
    number("instance_id"),
    text("message_id"),
    time_ms("at"),
    # Whether it went to somebody whom the line had not written with before.
    flag("is_first"),
    PrimaryKeyConstraint("account_id", "instance_id", "message_id"),
)
Index("ix_line_sends_at", line_sends.c.account_id, line_sends.c.instance_id, line_sends.c.at)
