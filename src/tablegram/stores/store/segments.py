"""Customers of shops: each function selects the ids of contacts, each once."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, Select, and_, func, select

from tablegram.storage.tables import store_orders, store_sources

o, s = store_orders.c, store_sources.c


def bought(account_id: int, *, source_id: str = "", platform: str = "", since: int = 0, times: int = 1) -> Select[Any]:
    """Who has so many orders there that were not called off."""
    wanted: list[ColumnElement[bool]] = [o.account_id == account_id, o.contact_id.is_not(None), o.created_at >= since]
    wanted.append(o.kind != "order_cancelled")
    statement = select(o.contact_id)
    if source_id:
        wanted.append(o.source_id == source_id)
    if platform:
        statement = statement.join(store_sources, and_(s.account_id == o.account_id, s.id == o.source_id))
        wanted.append(s.platform == platform)
    return statement.where(*wanted).group_by(o.contact_id).having(func.count() >= times)
