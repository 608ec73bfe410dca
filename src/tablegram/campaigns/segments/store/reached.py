"""Who was reached by a campaign: each function selects the ids of contacts, each once."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, bindparam, select

from tablegram.campaigns.rows import NamedId
from tablegram.storage.database import Query
from tablegram.storage.tables import campaign_sends, campaigns

s = campaign_sends.c
NAMES = Query(
    select(campaigns.c.id, campaigns.c.name).where(campaigns.c.account_id == bindparam("b_account")), row=NamedId
)


def received(account_id: int, campaign_id: str) -> Select[Any]:
    return _sent(account_id, campaign_id, s.state.in_(["queued", "sent", "delivered", "read"]))


def read(account_id: int, campaign_id: str) -> Select[Any]:
    return _sent(account_id, campaign_id, s.state == "read")


def replied(account_id: int, campaign_id: str) -> Select[Any]:
    return _sent(account_id, campaign_id, s.replied_at.is_not(None))


def _sent(account_id: int, campaign_id: str, *conditions: ColumnElement[bool]) -> Select[Any]:
    return select(s.contact_id).where(s.account_id == account_id, s.campaign_id == campaign_id, *conditions)
