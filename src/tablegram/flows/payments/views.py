"""Links and refunds as they are shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from tablegram.flows.payments.answers import LinkView, ProviderName, RefundView
from tablegram.payments.model import Link, Refund, read_refund
from tablegram.payments.store import providers as provider_store
from tablegram.payments.store import refunds as refund_store
from tablegram.storage.database import Tx
from tablegram.values.clock import iso
from tablegram.values.money import to_wire


def refund_view(refund: Refund) -> RefundView:
    return RefundView(
        id=refund.id,
        link_id=refund.link_id,
        amount=to_wire(refund.amount, refund.currency),
        currency=refund.currency,
        reason=refund.reason,
        state=refund.state,
        failure=refund.failure,
        lines=list(refund.lines),
        created_at=iso(refund.created_at),
        ended_at=iso(refund.ended_at),
    )


def link_view(link: Link, provider: str, refunds: Sequence[Refund]) -> LinkView:
    received_in = link.received_currency or link.currency
    return LinkView(
        id=link.id,
        url=link.url if link.is_alive else "",
        state=link.state,
        amount=to_wire(link.amount, link.currency),
        currency=link.currency,
        description=link.description,
        mode=link.mode,
        provider=cast(ProviderName, provider),
        provider_id=link.provider_id,
        phone=link.phone,
        contact_id=link.contact_id,
        subject_kind=link.subject_kind,
        subject_id=link.subject_key,
        paid_amount=to_wire(link.received, received_in),
        paid_currency=link.received_currency,
        paid_at=iso(link.paid_at),
        refunded_amount=to_wire(link.refunded, received_in),
        failure=link.failure,
        attention=link.attention,
        settled_at=iso(link.settled_at),
        expires_at=iso(link.expires_at),
        created_at=iso(link.created_at),
        updated_at=iso(link.updated_at),
        refunds=[refund_view(one) for one in refunds],
    )


async def views_of(tx: Tx, account_id: int, links: Sequence[Link]) -> list[LinkView]:
    if not links:
        return []
    names = {row["id"]: row["provider"] for row in await tx.all(provider_store.NAMES, {"b_account": account_id})}
    of_each: dict[str, list[Refund]] = {}
    for row in await tx.all(refund_store.of_links(account_id, [link.id for link in links]), {}):
        of_each.setdefault(row["link_id"], []).append(read_refund(row))
    return [link_view(link, names[link.provider_id], of_each.get(link.id, [])) for link in links]
