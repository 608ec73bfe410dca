"""What may be given about printers and receipts. What is not named is not there."""

from __future__ import annotations

from typing import Literal, Required, TypedDict

from tablegram.printing.printers.model import Extra
from tablegram.printing.printers.profile import CodePage, Columns, EpsonVersion, Kind


class ProfileFields(TypedDict, total=False):
    """What the printer can do, and how it is reached. An empty password takes it away."""

    columns: Columns
    code_page: CodePage
    slot: int
    mode: Literal["text", "raster"]
    cut: bool
    buzzer: bool
    drawer: bool
    language: str
    host: str
    port: int
    device: str
    epson_version: EpsonVersion
    user: str
    password: str


class PrinterFields(TypedDict, total=False):
    name: str
    kind: Kind
    venue_id: str | None
    stations: list[str]
    extras: list[Extra]
    copies: int
    fallback_id: str | None
    fallback_after_s: int
    profile: ProfileFields


class ReceiptFields(TypedDict, total=False):
    by: Required[Literal["message", "paper"]]
    phone: str | None
    language: str
