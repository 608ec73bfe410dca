"""The restaurant: venues with their menus and tables, what guests put together, and what the kitchen was told.

Prices and totals are whole minor units (kuruş, cents) of the venue's currency.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, LargeBinary, PrimaryKeyConstraint, Table, UniqueConstraint
from sqlalchemy import text as sql

from tablegram.storage.tables.schema import flag, metadata, number, optional_text, text, time_ms

venues = Table(
    "venues",
    metadata,
    number("account_id"),
    text("id"),
    text("name"),
    flag("is_default"),
    # The line that guests write to; without one the venue only shows its menu.
    number("instance_id", nullable=True),
    text("currency"),
    text("time_zone"),
    # How numbers and dates are written, and the language the menu is kept in.
    text("locale"),
    # JSON lists: languages of the menu (the first is the menu's own), order types on offer, stations.
    text("languages"),
    text("order_types"),
    text("stations"),
    # JSON: weekly hours, exceptions, pauses, minutes of the last order.
    text("hours"),
    # Hundredths of a percent.
    number("service_charge", 0),
    # Whether an order goes to the kitchen without anybody's nod.
    flag("accepts_by_itself"),
    flag("refuses_unsigned"),
    # Signs the codes on the tables. Sealed; of its own, so that printed codes outlive the installation's key.
    text("signing_key"),
    # JSON: address, greeting lines, minutes of preparation and whatever else has no column of its own.
    text("details"),
    # Grows with every change of the menu, so that open pages know that theirs is old.
    number("menu_version", 1),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("deleted_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
)
# A guest's link names the venue alone.
Index("ix_venues_id", venues.c.id)
# An account has one default venue at most.
Index(
    "uq_venues_default",
    venues.c.account_id,
    unique=True,
    sqlite_where=sql("is_default = 1 and deleted_at is null"),
    postgresql_where=sql("is_default = 1 and deleted_at is null"),
)

waiters = Table(
    "waiters",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("name"),
    # Where calls from his tables are sent to; empty when he has no phone on duty.
    text("phone"),
    # Who signs in as this waiter; what they take is theirs.
    optional_text("member_id"),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_waiters_venue", waiters.c.account_id, waiters.c.venue_id)
Index("ux_waiters_member", waiters.c.account_id, waiters.c.venue_id, waiters.c.member_id, unique=True)

# A part of the room with the waiter who serves it.
sections = Table(
    "sections",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("name"),
    optional_text("waiter_id"),
    number("position", 0),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_sections_venue", sections.c.account_id, sections.c.venue_id)

restaurant_tables = Table(
    "restaurant_tables",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    # A number or a name, as it stands on the table; `label_key` is the same folded, and unique in its venue.
    text("label"),
    text("label_key"),
    optional_text("section_id"),
    # Serves this table whoever serves the section.
    optional_text("waiter_id"),
    number("seats", nullable=True),
    number("position", 0),
    # Codes signed for an earlier generation no longer open the menu.
    number("generation", 1),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "venue_id", "label_key"),
)

menu_categories = Table(
    "menu_categories",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("name"),
    text("description"),
    number("position", 0),
    flag("is_hidden"),
    optional_text("image_id"),
    # JSON: when its items may be ordered, on top of what each item says itself.
    text("availability"),
    # JSON: by language, the fields that are translated.
    text("translations"),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_menu_categories_venue", menu_categories.c.account_id, menu_categories.c.venue_id, menu_categories.c.position)

menu_items = Table(
    "menu_items",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("category_id"),
    # The restaurant's own code for it: an import finds the item again by it.
    text("code"),
    text("name"),
    text("kitchen_name"),
    text("description"),
    number("price"),
    optional_text("image_id"),
    # JSON lists: EU-14 codes, free tags.
    text("allergens"),
    text("tags"),
    text("station"),
    text("availability"),
    # Empty while it can be had; the end of time when nobody knows until when it cannot.
    time_ms("sold_out_until", nullable=True),
    flag("is_hidden"),
    number("position", 0),
    text("translations"),
    time_ms("updated_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "venue_id", "code"),
    CheckConstraint("price >= 0", name="price"),
)
Index("ix_menu_items_venue", menu_items.c.account_id, menu_items.c.venue_id, menu_items.c.category_id)

option_groups = Table(
    "option_groups",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("code"),
    text("name"),
    flag("required"),
    # How many are chosen in all, quantities counted; without `most` there is no end.
    number("least", 0),
    number("most", nullable=True),
    text("translations"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "venue_id", "code"),
)

options = Table(
    "options",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("group_id"),
    text("name"),
    text("kitchen_name"),
    number("price_delta", 0),
    # How often this one may be taken in one portion.
    number("most", 1),
    flag("is_default"),
    time_ms("sold_out_until", nullable=True),
    number("position", 0),
    # JSON: ids of the groups that open when it is chosen (a size with options of its own).
    text("opens"),
    text("translations"),
    PrimaryKeyConstraint("account_id", "id"),
)
Index("ix_options_group", options.c.account_id, options.c.venue_id, options.c.group_id)

item_option_groups = Table(
    "item_option_groups",
    metadata,
    number("account_id"),
    text("item_id"),
    text("group_id"),
    text("venue_id"),
    number("position", 0),
    PrimaryKeyConstraint("account_id", "item_id", "group_id"),
)
Index("ix_item_option_groups_venue", item_option_groups.c.account_id, item_option_groups.c.venue_id)

# Photos of the menu and the venue's logo, made small. They are rows, so that a backup holds them.
menu_images = Table(
    "menu_images",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    # Of the file that was given: the same photo again is the same image.
    text("sha256"),
    # Of the larger one, in pixels.
    number("width"),
    number("height"),
    Column("small", LargeBinary, nullable=False),
    Column("large", LargeBinary, nullable=False),
    # Pictures that were given before there were any so small have none.
    Column("tiny", LargeBinary, nullable=True),
    time_ms("created_at"),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "venue_id", "sha256"),
)
# The public page names the image alone.
Index("ix_menu_images_id", menu_images.c.id)

# The guests of one table at one time, on however many phones.
tabs = Table(
    "tabs",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("table_id"),
    text("state"),
    time_ms("opened_at"),
    time_ms("last_at"),
    time_ms("closed_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("state in ('open', 'closed')", name="state"),
)
# Two phones that sit down at once join one tab.
Index(
    "uq_tabs_open",
    tabs.c.account_id,
    tabs.c.table_id,
    unique=True,
    sqlite_where=sql("state = 'open'"),
    postgresql_where=sql("state = 'open'"),
)

carts = Table(
    "carts",
    metadata,
    number("account_id"),
    text("code"),
    text("venue_id"),
    optional_text("table_id"),
    optional_text("tab_id"),
    # The secret of the browser that may change it; the code alone may only send it.
    text("holder"),
    # The guest proved with the code on the table that he sits there.
    flag("is_signed"),
    text("order_type"),
    text("lines"),
    text("notes"),
    text("language"),
    text("state"),
    number("revision", 1),
    # Known once it was sent, when the guest left it on the page, or when it was read from his text.
    text("phone"),
    text("name"),
    # How often its text came again after it was ordered.
    number("repeats", 0),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("expires_at"),
    PrimaryKeyConstraint("account_id", "code"),
    CheckConstraint("state in ('open', 'ordered', 'expired')", name="state"),
)
Index("ix_carts_tab", carts.c.account_id, carts.c.tab_id)
# A browser that sends its first cart twice, because no answer came, has one cart.
Index("uq_carts_holder", carts.c.account_id, carts.c.holder, unique=True)
# What was read from a guest's text waits until he says where he sits.
Index(
    "ix_carts_asked",
    carts.c.account_id,
    carts.c.phone,
    sqlite_where=sql("state = 'open' and phone <> ''"),
    postgresql_where=sql("state = 'open' and phone <> ''"),
)
Index(
    "ix_carts_open",
    carts.c.expires_at,
    sqlite_where=sql("state = 'open'"),
    postgresql_where=sql("state = 'open'"),
)

# A text of a guest's that left something open, and what he was asked about it. One for each guest of a venue.
dialogues = Table(
    "dialogues",
    metadata,
    number("account_id"),
    text("venue_id"),
    text("phone"),
    text("contact_id"),
    # An answered one stays for a while, so that an answer that comes twice is known for what it is.
    text("state"),
    # The earlier text, with the key of its message: what it comes to is one order.
    text("text"),
    text("message_key"),
    text("language"),
    # JSON: the questions that are open, as they were listed, and what was understood so far.
    text("asked"),
    text("progress"),
    time_ms("asked_at"),
    PrimaryKeyConstraint("account_id", "venue_id", "phone"),
    CheckConstraint("state in ('open', 'answered')", name="state"),
)

orders = Table(
    "orders",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    # What people call it: ORD-YYYYMMDD-NNNN.
    text("order_id"),
    # One cart, one order, however often its text arrives. Empty for what was read from a text or typed by a waiter.
    optional_text("cart_code"),
    # The message that it came with, for the same reason.
    optional_text("message_key"),
    text("order_type"),
    text("state"),
    text("payment_method"),
    text("payment_state"),
    optional_text("table_id"),
    text("table_label"),
    optional_text("tab_id"),
    text("waiter"),
    optional_text("contact_id"),
    text("customer_phone"),
    text("customer_name"),
    # JSON: the lines as they were priced, charges and discounts.
    text("lines"),
    text("charges"),
    text("discounts"),
    number("total"),
    text("currency"),
    text("notes"),
    # Of a delivery: where to, as the guest wrote it, and the way to the place that he shared.
    text("address"),
    text("route_url"),
    text("language"),
    time_ms("promised_at", nullable=True),
    number("revision", 1),
    time_ms("created_at"),
    time_ms("updated_at"),
    time_ms("closed_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "order_id"),
    UniqueConstraint("account_id", "cart_code"),
    UniqueConstraint("account_id", "message_key"),
    CheckConstraint(
        "state in ('awaiting_confirmation', 'awaiting_payment', 'sent_to_kitchen', 'preparing', 'ready', 'served', "
        "'picked_up', 'out_for_delivery', 'delivered', 'completed', 'cancelled', 'rejected', 'expired')",
        name="state",
    ),
    CheckConstraint("order_type in ('dine_in', 'takeaway', 'delivery')", name="order_type"),
)
Index("ix_orders_recent", orders.c.account_id, orders.c.created_at, orders.c.id)
Index("ix_orders_contact", orders.c.account_id, orders.c.contact_id)
# Who is to be erased may have ordered without being a contact yet.
Index(
    "ix_orders_phone",
    orders.c.account_id,
    orders.c.customer_phone,
    sqlite_where=sql("customer_phone <> ''"),
    postgresql_where=sql("customer_phone <> ''"),
)
# The link to a guest's order names the order alone.
Index("ix_orders_id", orders.c.id)
# What nobody has accepted yet ends by the clock.
Index(
    "ix_orders_unanswered",
    orders.c.created_at,
    sqlite_where=sql("state = 'awaiting_confirmation'"),
    postgresql_where=sql("state = 'awaiting_confirmation'"),
)
# What the board shows; the finished ones, by far the most, are not in it.
Index(
    "ix_orders_running",
    orders.c.account_id,
    orders.c.venue_id,
    orders.c.created_at,
    sqlite_where=sql("closed_at is null"),
    postgresql_where=sql("closed_at is null"),
)

order_events = Table(
    "order_events",
    metadata,
    number("account_id"),
    # The order's own id, and the count of its events.
    text("order_key"),
    number("number"),
    text("event"),
    text("state"),
    text("payment_state"),
    time_ms("at"),
    # A person, a key, the guest, or the clock.
    text("by"),
    text("reason"),
    # JSON: what the event changed, as it was before and as it is after. Empty for how the order began.
    optional_text("step"),
    PrimaryKeyConstraint("account_id", "order_key", "number"),
)

# Every movement of money for an order; its payment state is summed up from these.
order_payments = Table(
    "order_payments",
    metadata,
    number("account_id"),
    text("id"),
    text("order_key"),
    # A payment, or a refund of one. Amounts are positive.
    text("kind"),
    text("method"),
    number("amount"),
    text("currency"),
    text("state"),
    # A person, a key, or who told of it.
    text("by"),
    # What somebody outside calls it: the same payment is told of once.
    optional_text("reference"),
    time_ms("created_at"),
    time_ms("settled_at", nullable=True),
    PrimaryKeyConstraint("account_id", "id"),
    UniqueConstraint("account_id", "reference"),
    CheckConstraint("amount >= 0", name="amount"),
    CheckConstraint("kind in ('payment', 'refund')", name="kind"),
    CheckConstraint("state in ('asked', 'succeeded', 'failed', 'dropped')", name="state"),
)
Index("ix_order_payments_order", order_payments.c.account_id, order_payments.c.order_key, order_payments.c.created_at)

order_sequences = Table(
    "order_sequences",
    metadata,
    number("account_id"),
    # A calendar day in the venue's time zone: YYYYMMDD.
    text("day"),
    # The number that the day's last order got.
    number("last"),
    PrimaryKeyConstraint("account_id", "day"),
)

waiter_calls = Table(
    "waiter_calls",
    metadata,
    number("account_id"),
    text("id"),
    text("venue_id"),
    text("table_id"),
    text("table_label"),
    text("kind"),
    text("waiter"),
    text("note"),
    time_ms("created_at"),
    time_ms("answered_at", nullable=True),
    text("answered_by"),
    PrimaryKeyConstraint("account_id", "id"),
    CheckConstraint("kind in ('waiter', 'bill')", name="kind"),
)
# A guest who taps again while nobody came yet does not ring again.
Index(
    "uq_waiter_calls_open",
    waiter_calls.c.account_id,
    waiter_calls.c.table_id,
    waiter_calls.c.kind,
    unique=True,
    sqlite_where=sql("answered_at is null"),
    postgresql_where=sql("answered_at is null"),
)
