"""Statements on the pictures of a venue."""

from __future__ import annotations

from sqlalchemy import ColumnElement, LargeBinary, Table, and_, bindparam, delete, func, insert, or_, select, update

from tablegram.engine.rows import NamedBacklog
from tablegram.restaurant.rows import HowMany, WithId
from tablegram.restaurant.rows.menus import PictureBody, PictureName, PictureRow, PictureSizes
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import menu_categories, menu_images, menu_items

p = menu_images.c
_MINE = and_(p.account_id == bindparam("b_account"), p.venue_id == bindparam("b_venue"))
_ONE = and_(_MINE, p.id == bindparam("b_id"))
_FACTS = (p.account_id, p.id, p.venue_id, p.width, p.height, p.created_at)

INSERT = Query(insert(menu_images).values(columns(menu_images)))
GET = Query(select(*_FACTS).where(_ONE), row=PictureRow)
SAME = Query(select(*_FACTS).where(_MINE, p.sha256 == bindparam("b_sha256")), row=PictureRow)
PAGE = Query(
    select(*_FACTS).where(_MINE, p.id < bindparam("before")).order_by(p.id.desc()).limit(bindparam("most")),
    row=PictureRow,
)
COUNT = Query(select(func.count().label("n")).where(_MINE), row=HowMany)
LARGE = Query(select(p.large.label("body")).where(_ONE), row=PictureBody)
SIZES = Query(select(p.large, p.small).where(_ONE), row=PictureSizes)

# Those that were given before there were any so small.
_WITHOUT = p.tiny.is_(None)
WITHOUT_TINY = Query(
    across_accounts(
        select(p.account_id, p.venue_id, p.id).where(_WITHOUT).order_by(p.account_id, p.id).limit(bindparam("most")),
        "the engine works for every account",
    ),
    row=PictureName,
)
WITHOUT_TINY_COUNTED = Query(
    across_accounts(
        select(func.count().label("n"), func.min(p.id).label("oldest")).where(_WITHOUT), "figures of the installation"
    ),
    row=NamedBacklog,
)
KEEP_TINY = Query(update(menu_images).where(_ONE, _WITHOUT).values(tiny=bindparam("new_tiny", type_=LargeBinary)))


def _shown(table: Table) -> ColumnElement[bool]:
    """Whether something of a table shows the picture."""
    c = table.c
    mine = and_(c.account_id == bindparam("b_account"), c.venue_id == bindparam("b_venue"))
    return p.id.in_(select(c.image_id).where(mine, c.image_id.is_not(None)))


_USED = or_(_shown(menu_items), _shown(menu_categories), p.id == bindparam("b_logo"))
USED = Query(select(p.id).where(_ONE, _USED), row=WithId)
DELETE = Query(delete(menu_images).where(_ONE))
UNUSED = Query(
    select(p.id).where(_MINE, p.created_at < bindparam("before"), ~_USED).limit(bindparam("most")), row=WithId
)

# Pictures of a menu are for everybody who has its page; the page names them by ids that are made by chance.
_ANYWHERE = p.id == bindparam("b_id")
SMALL_ANYWHERE = Query(
    across_accounts(select(p.small.label("body")).where(_ANYWHERE), "a guest sees a public picture"), row=PictureBody
)
TINY_ANYWHERE = Query(
    across_accounts(
        select(func.coalesce(p.tiny, p.small).label("body")).where(_ANYWHERE), "a guest sees a public picture"
    ),
    row=PictureBody,
)
LARGE_ANYWHERE = Query(
    across_accounts(select(p.large.label("body")).where(_ANYWHERE), "a guest sees a public picture"), row=PictureBody
)
