"""What came of a campaign: what it cost, and who ordered afterwards."""

from __future__ import annotations

from sqlalchemy import BigInteger, and_, bindparam, case, cast, func, select

from tablegram.campaigns.rows import BuyerCount, CostRow, OrderCount
from tablegram.storage.database import Query
from tablegram.storage.tables import campaign_sends, charges, messages, orders

s, m, g, o = campaign_sends.c, messages.c, charges.c, orders.c
_OF = and_(s.account_id == bindparam("b_account"), s.campaign_id == bindparam("b_campaign"))

# What messages cost by the rate card, where nobody pays in advance; what failed costs nothing.
PRICED = Query(
    select(cast(func.sum(func.coalesce(m.cost_final_micros, m.cost_micros)), BigInteger).label("micros"))
    .join(messages, and_(m.account_id == s.account_id, m.id == s.message_key))
    .where(_OF, m.state.in_(("sent", "delivered", "read"))),
    row=CostRow,
)
# What was really taken from the balance: every row of the ledger of charges about them.
CHARGED = Query(
    select(cast(func.sum(-g.amount_micros), BigInteger).label("micros"))
    .join(charges, and_(g.account_id == s.account_id, g.message_key == s.message_key))
    .where(_OF),
    row=CostRow,
)
# Orders of those who were written to, and of those who were left out, within so long of that moment.
_NOT_SOLD = ("cancelled", "rejected", "expired", "awaiting_confirmation", "awaiting_payment")
_HOLDOUT = case((s.state == "holdout", 1), else_=0)
_SOLD = and_(
    _OF,
    s.state.in_(("sent", "delivered", "read", "holdout")),
    o.created_at >= s.at,
    o.created_at < s.at + bindparam("within", type_=s.at.type),
    o.state.not_in(_NOT_SOLD),
)
_THEIRS = and_(o.account_id == s.account_id, o.contact_id == s.contact_id)
BUYERS = Query(
    select(_HOLDOUT.label("is_holdout"), s.arm, func.count(func.distinct(s.contact_id)).label("people"))
    .join(orders, _THEIRS)
    .where(_SOLD)
    .group_by(_HOLDOUT, s.arm),
    row=BuyerCount,
)
ORDERS = Query(
    select(
        _HOLDOUT.label("is_holdout"),
        s.arm,
        o.currency,
        func.count().label("orders"),
        cast(func.sum(o.total), BigInteger).label("total"),
    )
    .join(orders, _THEIRS)
    .where(_SOLD)
    .group_by(_HOLDOUT, s.arm, o.currency),
    row=OrderCount,
)
