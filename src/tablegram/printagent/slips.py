"""An order's event as a slip for one station, for who takes webhooks and no other link.

Plain text of ESC/POS in one code page; letters that the page lacks are written with others. Tickets that come from the
server are richer, and are only passed on.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Mapping
from typing import Any, NamedTuple

_INIT, _CUT = b"\x1b@", b"\x1dV\x42\x00"
_LARGE, _TALL, _NORMAL = b"\x1d!\x11", b"\x1d!\x01", b"\x1d!\x00"
_BOLD, _LIGHT = b"\x1bE\x01", b"\x1bE\x00"
_REPLACED = str.maketrans(
    {"₺": "TL", "€": "EUR", "“": '"', "”": '"', "‘": "'", "’": "'", "–": "-", "—": "-", "…": "...", "×": "x", "ı": "i"}
)
MOST_LINES = 500

WORDS = {
    "en": {"table": "TABLE", "again": "MAYBE PRINTED BEFORE", "dine_in": "DINE IN", "takeaway": "TAKEAWAY", "delivery": "DELIVERY"},
    "tr": {"table": "MASA", "again": "DAHA ÖNCE ÇIKMIŞ OLABİLİR", "dine_in": "MASAYA", "takeaway": "GEL AL", "delivery": "PAKET"},
}  # fmt: skip


class Paper(NamedTuple):
    """How a printer writes: characters in a line, code page, and the number under which it knows that page."""

    columns: int = 42
    code_page: str = "cp857"
    slot: int = 13
    language: str = "en"

    @property
    def words(self) -> Mapping[str, str]:
        return WORDS[self.language]


def stations_of(order: Mapping[str, Any]) -> list[str]:
    """Every station that has something to do for this order, in the order of its lines."""
    return list(dict.fromkeys(str(item.get("station") or "kitchen") for item in _items(order)))


def slip(order: Mapping[str, Any], station: str, paper: Paper, clock: str, *, again: bool = False) -> bytes:
    """The bytes for one station; empty when it has nothing to do."""
    lines = [item for item in _items(order) if str(item.get("station") or "kitchen") == station]
    if not lines:
        return b""
    out = [_INIT, b"\x1bt", bytes([paper.slot])]

    def write(text: str, style: bytes = _NORMAL, wide: int = 1, hang: str = "") -> None:
        out.append(style)
        for row in textwrap.wrap(text, paper.columns // wide, subsequent_indent=hang) or [""]:
            out.append(encode(row, paper.code_page) + b"\n")

    if again:
        write(f"** {paper.words['again']} **", _LARGE, 2)
    table = str(order.get("table_number") or "")
    kind = str(order.get("order_type") or "")
    write(f"{paper.words['table']} {table}" if table else paper.words.get(kind, kind.upper()), _LARGE, 2)
    write(f"{clock}  {order.get('order_id', '')}")
    write(f"{station.upper()}  {order.get('waiter_assigned') or ''}".rstrip())
    write("-" * paper.columns)
    for item in lines:
        out.append(_BOLD)
        write(f"{item.get('quantity', 1)} x {item.get('kitchen_name') or item.get('name', '')}", _TALL, hang="    ")
        out.append(_LIGHT)
        for option in item.get("kitchen_options") or item.get("options") or ():
            write(f"  + {option}", hang="    ")
        if item.get("note"):
            write(f"  ! {item['note']}", _TALL, hang="    ")
    if order.get("notes"):
        write("-" * paper.columns)
        write(str(order["notes"]), _TALL)
    out += [_NORMAL, b"\n\n\n", _CUT]
    return b"".join(out)


def encode(text: str, code_page: str) -> bytes:
    """Text in a code page, with no question marks: letters it lacks lose their marks, and what is left goes."""
    out = []
    for sign in text:
        if sign != "\n" and unicodedata.category(sign)[0] == "C":
            # A control character in a dish's name would be a command to the printer.
            continue
        for form in (sign, sign.translate(_REPLACED), _bare(sign)):
            try:
                out.append(form.encode(code_page))
                break
            except UnicodeEncodeError:
                continue
    return b"".join(out)


def _bare(sign: str) -> str:
    return "".join(part for part in unicodedata.normalize("NFKD", sign) if not unicodedata.combining(part))


def _items(order: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    items = order.get("items")
    found: list[Mapping[str, Any]] = []
    if isinstance(items, list):
        found += [item for item in items[:MOST_LINES] if isinstance(item, dict)]
    return found
