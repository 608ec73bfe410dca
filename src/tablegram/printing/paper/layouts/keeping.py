"""Layouts that somebody chose, as they are kept."""

from __future__ import annotations

import msgspec

from tablegram.errors import Invalid
from tablegram.printing.paper.layouts.laying_out import usual_layout
from tablegram.printing.paper.layouts.layout import Layout, check_layout
from tablegram.printing.rows import LayoutKind
from tablegram.printing.store import layouts as store
from tablegram.printing.tickets.content import TicketContent
from tablegram.storage.database import Database, Tx

# Of what, by its kind and its station.
Target = tuple[LayoutKind, str]

_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Layout).decode


def target_of(content: TicketContent) -> Target:
    """Whose layout a ticket has."""
    if content.kind in ("pass", "receipt"):
        return ("receipt" if content.kind == "receipt" else "pass"), ""
    return "station", content.station


def usual(target: Target) -> Layout:
    return usual_layout(target[0])


def targets(stations: list[str]) -> list[Target]:
    return [*(("station", one) for one in stations), ("pass", ""), ("receipt", "")]


async def chosen(tx: Tx, account_id: int, venue_id: str) -> dict[Target, Layout]:
    rows = await tx.all(store.OF_VENUE, {"b_account": account_id, "b_venue": venue_id})
    return {(row["kind"], row["station"]): _decode(row["layout"]) for row in rows}


async def layout_for(db: Database, account_id: int, venue_id: str, content: TicketContent) -> Layout:
    """The one that was chosen, else the usual one."""
    kind, station = target_of(content)
    which = {"b_account": account_id, "b_venue": venue_id, "b_kind": kind, "b_station": station}
    row = await db.first(store.GET, which)
    return usual_layout(content.kind) if row is None else _decode(row["layout"])


async def put(
    tx: Tx, account_id: int, venue_id: str, stations: list[str], target: Target, layout: Layout | None, now_ms: int
) -> None:
    """Choose a layout; without one, the usual is used again. Raises `Invalid`."""
    kind, station = target
    if (kind == "station") != (station in stations):
        raise Invalid.field("station", "station_unknown", "Name a station of the venue, and none for pass and receipt.")
    if layout is None:
        which = {"b_account": account_id, "b_venue": venue_id, "b_kind": kind, "b_station": station}
        await tx.run(store.DELETE, which)
        return
    row = {"account_id": account_id, "venue_id": venue_id, "kind": kind, "station": station, "updated_at": now_ms}
    await tx.run(store.PUT, {**row, "layout": _encode(check_layout(layout)).decode()})
