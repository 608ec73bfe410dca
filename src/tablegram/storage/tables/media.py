"""Files that customers sent: wanted from the network, then kept, or not to be had."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table

from tablegram.storage.tables.schema import Index, metadata, number, optional_text, text, time_ms

media = Table(
    "media",
    metadata,
    number("account_id"),
    text("id"),
    # Empty: it was uploaded to be sent, and no message has it to itself.
    text("message_key"),
    # Of a file that was uploaded, none: see `media.files`.
    number("instance_id"),
    # The event that tells of the message; it is completed when the file is here.
    text("event_id"),
    # image, document, video, audio or sticker: says how large the file may be.
    text("kind"),
    # The network's name for the file.
    text("network_media_id"),
    text("state"),
    # What the network says of the file, until the file itself has been seen.
    text("mime_type"),
    # What the network said, when the file turned out to be something else.
    optional_text("claimed_type"),
    text("filename"),
    text("sha256"),
    number("size", nullable=True),
    # Where the media store has it. Messages that were sent with the same file share it.
    optional_text("path"),
    number("attempts", 0),
    time_ms("due_at", nullable=True),
    optional_text("error_code"),
    optional_text("error_detail"),
    time_ms("created_at"),
    time_ms("kept_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("state in ('wanted', 'kept', 'failed', 'gone')", name="state"),
)
# What is still to be fetched. Small, because a row leaves it when its file is here.
Index(
    "ix_media_wanted",
    media.c.account_id,
    media.c.instance_id,
    media.c.due_at,
    where="state = 'wanted'",
)
Index("ix_media_message", media.c.account_id, media.c.message_key)
# Who else needs a file, before it is deleted.
Index(
    "ix_media_path",
    media.c.account_id,
    media.c.path,
    where="path is not null",
)
