"""Statements on short links and who followed them."""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, cast, delete, func, insert, select, update

from tablegram.campaigns.rows import ClickCount, ClickedBy, ClickRow, FollowedLink, LinkRow
from tablegram.storage.database import Query
from tablegram.storage.query import columns
from tablegram.storage.scope import across_accounts
from tablegram.storage.tables import campaign_clicks, campaign_links, campaign_sends

n = campaign_links.c
k = campaign_clicks.c
s = campaign_sends.c
_OF = and_(n.account_id == bindparam("b_account"), n.campaign_id == bindparam("b_campaign"))

INSERT = Query(insert(campaign_links).values(columns(campaign_links)))
OF_CAMPAIGN = Query(select(campaign_links).where(_OF).order_by(n.number), row=LinkRow)
# Whoever follows a link knows no account: the code leads to it.
BEHIND = Query(
    across_accounts(
        select(s.account_id, s.campaign_id, s.contact_id, n.url)
        .join(campaign_links, and_(n.account_id == s.account_id, n.campaign_id == s.campaign_id))
        .where(s.code == bindparam("b_code"), n.number == bindparam("b_number")),
        "a link's code is all that whoever follows it has",
    ),
    row=FollowedLink,
)
CLICKED = Query(
    lambda dialect_insert: (
        dialect_insert(campaign_clicks)
        .values(columns(campaign_clicks))
        .on_conflict_do_update(
            index_elements=["account_id", "campaign_id", "contact_id", "number"],
            set_={"clicks": k.clicks + 1, "last_at": bindparam("last_at", type_=k.last_at.type)},
        )
    )
)
_CLICKS = and_(k.account_id == bindparam("b_account"), k.campaign_id == bindparam("b_campaign"))
# Each has their version by their row; whoever has none any more counts for the link alone.
_OF_ROW = and_(s.account_id == k.account_id, s.campaign_id == k.campaign_id, s.contact_id == k.contact_id)
COUNTS = Query(
    select(k.number, s.arm, func.count().label("people"), cast(func.sum(k.clicks), BigInteger).label("clicks"))
    .outerjoin(campaign_sends, _OF_ROW)
    .where(_CLICKS)
    .group_by(k.number, s.arm)
    .order_by(k.number, s.arm),
    row=ClickCount,
)
# Who followed any of the links, by version.
CLICKED_BY_ARM = Query(
    select(s.arm, func.count(func.distinct(k.contact_id)).label("people"))
    .join(campaign_sends, _OF_ROW)
    .where(_CLICKS)
    .group_by(s.arm),
    row=ClickedBy,
)
_PERSONS = and_(k.account_id == bindparam("b_account"), k.contact_id == bindparam("b_contact"))
# What a person followed, in all campaigns.
OF_CONTACT = Query(
    select(k.contact_id, k.campaign_id, k.clicks, k.last_at, n.url)
    .join(
        campaign_links,
        and_(n.account_id == k.account_id, n.campaign_id == k.campaign_id, n.number == k.number),
    )
    .where(_PERSONS)
    .order_by(k.campaign_id, k.number),
    row=ClickRow,
)
_other = campaign_clicks.alias("other")
_FOLLOWED = select(_other.c.campaign_id).where(
    _other.c.account_id == bindparam("b_account"), _other.c.contact_id == bindparam("target")
)
MOVE = Query(
    update(campaign_clicks).where(_PERSONS, k.campaign_id.not_in(_FOLLOWED)).values(contact_id=bindparam("target"))
)
FORGET = Query(delete(campaign_clicks).where(_PERSONS))
