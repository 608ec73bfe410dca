"""Invented customers that a preview is filled in with."""

from __future__ import annotations

from tablegram.stores.notifications.kinds import Language
from tablegram.stores.notifications.model import NoticeFacts
from tablegram.stores.ports import Good, Tracking

_SAMPLES: dict[Language, NoticeFacts] = {
    "en": NoticeFacts(
        name="Emma Brown", phone="447700900123", email="emma@shop.example", number="#1001", shop="Linen & Co", amount=4_850,
        currency="EUR", goods=(Good(name="Linen towel", quantity=2), Good(name="Olive soap")),
        link="https://shop.example/1001", reason="Out of stock", form="Contact",
        tracking=Tracking(carrier="DHL", number="JD0140", url="https://track.example/JD0140"),
        fields=(("Message", "Do you have this in blue?"),),
    ),
    "tr": NoticeFacts(
        name="Ayşe Yılmaz", phone="905551112233", email="ayse@magaza.example", number="#1001", shop="Pamuk Ev", amount=125_050,
        currency="TRY", goods=(Good(name="Keten havlu", quantity=2), Good(name="Zeytinyağlı sabun")),
        link="https://magaza.example/1001", reason="Stokta kalmadı", form="İletişim",
        tracking=Tracking(carrier="Yurtiçi Kargo", number="TR0140", url="https://kargo.example/TR0140"),
        fields=(("Mesaj", "Bunun mavisi var mı?"),),
    ),
}  # fmt: skip


def sample(language: Language) -> NoticeFacts:
    return _SAMPLES[language]
