"""Statements on menus: categories, items, option groups and what joins them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Table, and_, bindparam, delete, select, update

from tablegram.restaurant.rows.menus import CategoryRow, GroupRow, ItemRow, JoinRow, Named, NamedDish, OptionRow
from tablegram.storage.database import Query
from tablegram.storage.query import R, columns
from tablegram.storage.tables import (
    item_option_groups,
    menu_categories,
    menu_items,
    option_groups,
    options,
    venues,
)


def _of_venue(table: Table, row: type[R], *order: str) -> Query[R]:
    mine = and_(table.c.account_id == bindparam("b_account"), table.c.venue_id == bindparam("b_venue"))
    return Query(select(table).where(mine).order_by(*(table.c[name] for name in order)), row=row)


def _put(table: Table, *keys: str) -> Query:
    changes = [name for name in table.c.keys() if name not in keys]  # noqa: SIM118

    def build(dialect_insert: Any) -> Any:
        statement = dialect_insert(table).values(columns(table))
        return statement.on_conflict_do_update(
            index_elements=list(keys), set_={name: statement.excluded[name] for name in changes}
        )

    return Query(build)


def _drop(table: Table, key: str = "id") -> Query:
    return Query(delete(table).where(table.c.account_id == bindparam("b_account"), table.c[key] == bindparam("b_id")))


CATEGORIES = _of_venue(menu_categories, CategoryRow, "position", "id")
ITEMS = _of_venue(menu_items, ItemRow, "position", "id")
GROUPS = _of_venue(option_groups, GroupRow, "id")
OPTIONS = _of_venue(options, OptionRow, "group_id", "position", "id")
JOINS = _of_venue(item_option_groups, JoinRow, "item_id", "position")

# What the dishes of all venues are called.
_i = menu_items.c
_c = menu_categories.c
CATEGORY_NAMES = Query(select(_c.id, _c.name).where(_c.account_id == bindparam("b_account")), row=Named)
NAMES = Query(
    select(_i.id, _i.name, _i.kitchen_name, _i.translations).where(_i.account_id == bindparam("b_account")),
    row=NamedDish,
)

PUT_CATEGORY = _put(menu_categories, "account_id", "id")
PUT_ITEM = _put(menu_items, "account_id", "id")
PUT_GROUP = _put(option_groups, "account_id", "id")
PUT_OPTION = _put(options, "account_id", "id")
PUT_JOIN = _put(item_option_groups, "account_id", "item_id", "group_id")

DROP_CATEGORY = _drop(menu_categories)
DROP_ITEM = _drop(menu_items)
DROP_GROUP = _drop(option_groups)
DROP_OPTION = _drop(options)
DROP_JOIN = Query(
    delete(item_option_groups).where(
        item_option_groups.c.account_id == bindparam("b_account"),
        item_option_groups.c.item_id == bindparam("b_item"),
        item_option_groups.c.group_id == bindparam("b_group"),
    )
)

v = venues.c
_VENUE = and_(v.account_id == bindparam("b_account"), v.id == bindparam("b_venue"), v.deleted_at.is_(None))
# Only from the version that was read: whoever changed the menu in between is not written over.
BUMP = Query(
    update(venues)
    .where(_VENUE, v.menu_version == bindparam("b_version"))
    .values(menu_version=bindparam("b_next", type_=v.menu_version.type), updated_at=bindparam("now"))
)
