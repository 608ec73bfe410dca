"""Printing: printers, the tickets that orders become, and one queue of jobs between them."""

from __future__ import annotations

from sqlalchemy import CheckConstraint, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import Index, flag, metadata, number, optional_text, text, time_ms

printers = Table(
    "printers",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("name"),
    text("kind"),
    # It proves itself with a key in its address: found by the hash, shown again from what is sealed.
    text("key_hash"),
    text("key_sealed"),
    # JSON: what it can do and how it is reached.
    text("profile"),
    # JSON lists: whose tickets it prints, and which tickets of no station.
    text("stations"),
    text("extras"),
    number("copies", 1),
    # Who takes over what this one has not printed after so long.
    optional_text("fallback_id"),
    number("fallback_after_s", 120),
    # JSON: what it last told of itself, and since when it says so. Written when it changes, not when it is heard.
    text("status"),
    time_ms("status_at", nullable=True),
    # When it was last heard, to within half a minute.
    time_ms("seen_at", nullable=True),
    # JSON, as its protocol reads it: what it turned out to understand, so that a restart need not try it again.
    optional_text("learned"),
    # Whoever says nothing for so long is not there.
    number("silent_ms", 60_000),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("removed_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("kind in ('cloudprnt', 'epson', 'agent', 'direct', 'browser', 'sandbox')", name="kind"),
    CheckConstraint("copies between 1 and 5", name="copies"),
)
Index("ix_printers_venue", printers.c.account_id, printers.c.venue_id)
# Whoever was heard and falls silent is looked for by the clock.
Index(
    "ix_printers_seen",
    printers.c.seen_at,
    where="seen_at is not null and removed_at is null",
)
# A printer that asks names its key alone.
Index("uq_printers_key", printers.c.key_hash, unique=True)

tickets = Table(
    "tickets",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    # The order's own id, and the number of its event that this ticket tells of. A test page has no order.
    optional_text("order_key"),
    number("revision", 0),
    # Empty for the pass, for receipts and for test pages.
    text("station"),
    text("kind"),
    # What a station makes of one order may be too long for one ticket.
    number("part", 1),
    # JSON: what stands on it.
    text("content"),
    time_ms("created_at"),
    time_ms("expires_at"),
    PrimaryKeyConstraint("account_id", "id"),
    # However often an event is told, it makes its tickets once.
    UniqueConstraint("account_id", "order_key", "revision", "station", "kind", "part"),
    CheckConstraint("kind in ('order', 'change', 'void', 'moved', 'pass', 'receipt', 'test')", name="kind"),
)
Index("ix_tickets_venue", tickets.c.account_id, tickets.c.venue_id, tickets.c.id)
Index("ix_tickets_kind", tickets.c.account_id, tickets.c.kind, tickets.c.id)
Index("ix_tickets_old", tickets.c.created_at)

print_jobs = Table(
    "print_jobs",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("ticket_id"),
    text("printer_id"),
    number("copy", 1),
    # How often it was asked for again.
    number("reprint", 0),
    text("state"),
    # How often it was claimed; each claim has a larger fence, and what is told about an earlier one counts no more.
    number("attempt", 0),
    number("fence", 0),
    # By the database's clock.
    time_ms("lease_until", nullable=True),
    text("claimed_by"),
    # Not before, after a failure that may pass.
    time_ms("due_at"),
    # A stable code of what went wrong last.
    text("error"),
    # It may have been printed once: the answer was lost.
    flag("doubt"),
    # The name of the printer that was meant, where this one took over.
    optional_text("instead_of"),
    # When people were told that it is not on paper.
    time_ms("alerted_at", nullable=True),
    time_ms("created_at"),
    time_ms("claimed_at", nullable=True),
    time_ms("ended_at", nullable=True),
    time_ms("expires_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "ticket_id", "printer_id", "copy", "reprint"),
    CheckConstraint("state in ('queued', 'claimed', 'printed', 'failed', 'expired', 'dropped')", name="state"),
)
# What waits for a printer, first come first.
Index(
    "ix_print_jobs_waiting",
    print_jobs.c.account_id,
    print_jobs.c.printer_id,
    print_jobs.c.id,
    where="state in ('queued', 'claimed')",
)
# Whose list of tickets is asked for.
Index("ix_print_jobs_printer", print_jobs.c.account_id, print_jobs.c.printer_id, print_jobs.c.ticket_id)
# A printer has one job in its hands.
Index(
    "uq_print_jobs_claimed",
    print_jobs.c.account_id,
    print_jobs.c.printer_id,
    unique=True,
    where="state = 'claimed'",
)
# What the clock looks at: whatever is not over, and what went wrong without anybody having been told.
_OPEN = "state in ('queued', 'claimed') or (state = 'failed' and alerted_at is null)"
Index("ix_print_jobs_open", print_jobs.c.created_at, where=_OPEN)

# How tickets look, where somebody chose that: of a station, of the pass, or of receipts. The others look as usual.
ticket_layouts = Table(
    "ticket_layouts",
    metadata,
    number("account_id"),
    text("venue_id"),
    text("kind"),
    # Empty for the pass and for receipts.
    text("station"),
    # JSON.
    text("layout"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "venue_id", "kind", "station"),
    CheckConstraint("kind in ('station', 'pass', 'receipt')", name="kind"),
)
