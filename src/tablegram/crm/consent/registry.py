"""Consent as Turkey's registry of commercial messages (İYS) takes it: one line for each number, with its last word."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Literal
from zoneinfo import ZoneInfo

from tablegram.crm.consent.ledger import State

RecipientType = Literal["BIREYSEL", "TACIR"]

COLUMNS = ("recipient", "recipientType", "type", "source", "consentDate", "status")
# A messenger's messages are of the same kind as SMS to the registry.
_TYPE = "MESAJ"
_STATUS: dict[State, str] = {"granted": "ONAY", "denied": "RET"}
_CODES = frozenset(
    [
        "HS_FIZIKSEL_ORTAM",
        "HS_ISLAK_IMZA",
        "HS_WEB",
        "HS_CAGRI_MERKEZI",
        "HS_SOSYAL_MEDYA",
        "HS_EPOSTA",
        "HS_MESAJ",
        "HS_MOBIL",
        "HS_EORTAM",
        "HS_ETKINLIK",
        "HS_2015",
        "HS_ATM",
        "HS_KARAR",
    ]
)
# Where our own words come from; what people call otherwise was noted by them, on paper or by word of mouth.
_SOURCES = {
    "message": "HS_MESAJ", "button": "HS_MESAJ", "network": "HS_MESAJ", "page": "HS_WEB", "menu": "HS_WEB", "api": "HS_EORTAM",
}  # fmt: skip
_CLOCK = ZoneInfo("Europe/Istanbul")


def line(phone: str, state: State, source: str, at: int, recipient_type: RecipientType) -> list[str] | None:
    """The line of one number; nothing for numbers and words that the registry does not take."""
    if not phone.startswith("90") or state not in _STATUS:
        return None
    code = source.strip().upper()
    kind = code if code in _CODES else _SOURCES.get(source, "HS_FIZIKSEL_ORTAM")
    moment = datetime.fromtimestamp(at / 1_000, UTC).astimezone(_CLOCK)
    return [f"+{phone}", recipient_type, _TYPE, kind, moment.strftime("%Y-%m-%d %H:%M:%S"), _STATUS[state]]
