"""A ticket of a made-up order, with everything that a layout can show."""

from __future__ import annotations

from typing import Literal

from tablegram.printing.tickets.content import Door, TicketContent, TicketKind, TicketLine

# A lunch that somebody may remember.
_AT = 1_794_825_120_000
_ROUTE = "https://www.google.com/maps/dir/?api=1&destination=41.036900,28.985000"
_KINDS: dict[str, TicketKind] = {"station": "order", "pass": "pass", "receipt": "receipt"}
_WORDS = {
    "en": ("Starters", "Mains", "Lamb chops", "Well done", "No onions", "Sauce on the side", "Lentil soup", "Tea",
           "A birthday: bring it together", "Peanuts", "Delivery", "Total", "Ayşe", "bell 4"),
    "tr": ("Başlangıç", "Ana yemek", "Kuzu pirzola", "İyi pişmiş", "Soğansız", "Sos ayrı gelsin", "Mercimek çorbası", "Çay",
           "Doğum günü: hepsi birlikte gelsin", "Yer fıstığı", "Teslimat", "Toplam", "Ayşe", "zil 4"),
    "de": ("Vorspeisen", "Hauptgerichte", "Lammkoteletts", "Durch", "Ohne Zwiebeln", "Soße extra", "Linsensuppe", "Tee",
           "Geburtstag: alles zusammen bringen", "Erdnüsse", "Lieferung", "Summe", "Jürgen", "Klingel 4"),
}  # fmt: skip


def sample(
    kind: Literal["station", "pass", "receipt"], station: str, venue: str, time_zone: str, language: str, currency: str
) -> TicketContent:
    first, second, dish, done, without, note, soup, tea, notes, allergy, service, total, guest, bell = _WORDS.get(
        language, _WORDS["en"]
    )
    lines = (
        TicketLine(quantity=1, name=soup, course=first, amount=9_000),
        TicketLine(
            quantity=2,
            name=dish,
            options=(done, without),
            notes=note,
            allergens=("milk",),
            course=second,
            amount=84_000,
        ),
        TicketLine(quantity=4, name=tea, course=second, amount=10_000),
    )
    # What leaves the house shows where it goes; a station never hears of that.
    is_brought = kind != "station"
    door = Door(address=f"Lale Sk. 12/4, {bell}", phone="+905550000012", route_url=_ROUTE, due=113_300)
    return TicketContent(
        kind=_KINDS[kind], venue=venue, order_id="ORD-20261116-0042", station=station,
        order_type="delivery" if is_brought else "dine_in", table="" if is_brought else "12",
        promised_at=_AT + 2_400_000 if is_brought else None, door=door if is_brought else None,
        guest=guest, waiter="İbrahim", notes=notes, allergy="" if kind == "receipt" else allergy, lines=lines,
        placed_at=_AT, time_zone=time_zone, language=language, currency=currency,
        totals=((service, 10_300), (total, 113_300)) if kind == "receipt" else (),
    )  # fmt: skip
