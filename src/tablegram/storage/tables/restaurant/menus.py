"""Menus: what is on them, what can be chosen with it, and the photos.

Prices are whole minor units (kuruş, cents) of the venue's currency.
"""

from __future__ import annotations

from sqlalchemy import CheckConstraint, Column, Index, LargeBinary, PrimaryKeyConstraint, Table, UniqueConstraint

from tablegram.storage.tables.schema import flag, metadata, number, optional_text, text, time_ms

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
    # The tax that its price includes, in hundredths of a percent; empty for the venue's usual rate.
    number("vat", nullable=True),
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
