"""How long campaigns are kept once they are over: their ledger, their links and who followed them go with them."""

from __future__ import annotations

from sqlalchemy import BindParameter, Column, ColumnElement, Table, and_, bindparam, select

from tablegram.engine.purging import Forget, Purge, days, old_rows
from tablegram.storage.tables import campaign_clicks, campaign_links, campaign_sends, campaigns

# Two summers can be compared. Nobody is asked anything by a row that is older, and no limit counts it.
KEPT_DAYS = 730

_BEFORE: BindParameter[int] = bindparam("before")
_OVER = and_(campaigns.c.ended_at < _BEFORE, campaigns.c.due_at.is_(None))


def _of_them(table: Table, *key: Column[object]) -> Forget:
    over: ColumnElement[bool] = table.c.campaign_id.in_(select(campaigns.c.id).where(_OVER))
    return old_rows(table, over, *key)


PURGES = (
    Purge("", days(KEPT_DAYS), _of_them(campaign_clicks, campaign_clicks.c.contact_id)),
    Purge("", days(KEPT_DAYS), _of_them(campaign_sends, campaign_sends.c.contact_id)),
    Purge("", days(KEPT_DAYS), _of_them(campaign_links, campaign_links.c.campaign_id)),
    Purge("campaigns", days(KEPT_DAYS), old_rows(campaigns, _OVER, campaigns.c.id)),
)
