"""One ticket of each kind, with what is hard to print."""

from __future__ import annotations

from typing import Any

from tablegram.printing.tickets.content import Door, Marks, TicketContent, TicketLine

AT = 1_794_825_120_000
_TURKISH: dict[str, Any] = {
    "venue": "Çınaraltı Ocakbaşı", "placed_at": AT, "time_zone": "Europe/Istanbul", "language": "tr", "currency": "TRY",
}  # fmt: skip

ORDER = TicketContent(
    kind="order", order_id="ORD-20261116-0042", order_type="dine_in", station="Mutfak", part=2, parts=3, table="12",
    guest="Ayşe Yılmaz", waiter="İbrahim", notes="Acele lütfen, çocuk aç", allergy="Fıstık alerjisi",
    promised_at=AT + 1_500_000,
    lines=(
        TicketLine(quantity=2, name="Lahmacun", options=("Az acılı", "Soğansız"), allergens=("gluten", "sesame"),
                   course="Başlangıç"),
        TicketLine(quantity=1, name="İskender kebap, bol tereyağlı, pide üstünde", notes="Yoğurt ayrı gelsin",
                   allergens=("milk", "gluten"), course="Ana yemek"),
        TicketLine(quantity=12, name="Çay", course="Ana yemek"),
    ),
    **_TURKISH,
)  # fmt: skip
CHANGE = TicketContent(
    kind="change", order_id="ORD-20261116-0042", order_type="dine_in", station="Bar", table="12",
    lines=(
        TicketLine(quantity=1, name="Ayran", change="added"),
        TicketLine(quantity=1, name="Lahmacun", options=("Az acılı",), change="removed"),
    ),
    **_TURKISH,
)  # fmt: skip
VOID = TicketContent(
    kind="void", order_id="ORD-20261116-0042", order_type="takeaway", station="Küche", guest="Jürgen Groß",
    lines=(TicketLine(quantity=3, name="Käsespätzle mit Röstzwiebeln", notes="Ohne Zwiebeln"),),
    venue="Gasthaus „Zum Löwen“", placed_at=AT, time_zone="Europe/Berlin", language="de",
)  # fmt: skip
MOVED = TicketContent(
    kind="moved", order_id="ORD-20261116-0042", station="Kitchen", table="7", moved_from="4", order_type="dine_in",
    lines=(TicketLine(quantity=2, name="Fish & chips"),),
    venue="The Old Mill", placed_at=AT, time_zone="Europe/London", language="en",
)  # fmt: skip
PASS = TicketContent(
    kind="pass", order_id="ORD-20261116-0043", table="3", order_type="dine_in",
    lines=(
        TicketLine(quantity=1, name="شاورما دجاج"), TicketLine(quantity=2, name="宫保鸡丁"),
        TicketLine(quantity=1, name="Adana 🌶️ “acılı”"), TicketLine(quantity=1, name="🍕"),
        TicketLine(quantity=4, name="Кофе"),
    ),
    **_TURKISH,
)  # fmt: skip
RECEIPT = TicketContent(
    kind="receipt", order_id="ORD-20261116-0042", order_type="dine_in", table="12", guest="Ayşe Yılmaz",
    lines=(
        TicketLine(quantity=2, name="Lahmacun", options=("Az acılı",), amount=18_000),
        TicketLine(quantity=120, name="Karışık ızgara, on iki kişilik, salata ve mezelerle birlikte", amount=123_456_700),
    ),
    totals=(("Ara toplam", 123_474_700), ("Servis %10", 12_347_470), ("Toplam", 135_822_170)),
    **_TURKISH,
)  # fmt: skip
_DOOR = Door(
    address="Çırağan Cd. Gül Apt. No: 12 D: 4, Beşiktaş; zil bozuk, kapıyı çalın", phone="+905551112233", due=42_550,
    route_url="https://www.google.com/maps/dir/?api=1&destination=41.043210,29.008765",
)  # fmt: skip
BRINGING = TicketContent(
    kind="pass", order_id="ORD-20261116-0044", order_type="delivery", guest="Ayşe Yılmaz", notes="Zili çalmayın, bebek uyuyor",
    promised_at=AT + 2_700_000, lines=(TicketLine(quantity=2, name="Lahmacun"), TicketLine(quantity=1, name="Ayran")),
    door=_DOOR, **_TURKISH,
)  # fmt: skip
BROUGHT = TicketContent(
    kind="receipt", order_id="ORD-20261116-0045", order_type="delivery", guest="Jürgen Groß", notes="Bitte klingeln",
    promised_at=AT + 2_700_000, lines=(TicketLine(quantity=1, name="Käsespätzle", amount=1_290),),
    totals=(("Lieferung", 250), ("Summe", 1_540)), venue="Gasthaus „Zum Löwen“", placed_at=AT, time_zone="Europe/Berlin",
    language="de", currency="EUR", door=Door(address=_DOOR.address, phone=_DOOR.phone, route_url=_DOOR.route_url),
)  # fmt: skip
TEST = TicketContent(kind="test", station="Mutfak", **_TURKISH)

KINDS = {
    "order": (ORDER, Marks()),
    "change": (CHANGE, Marks()),
    "void": (VOID, Marks()),
    "moved": (MOVED, Marks()),
    "pass": (PASS, Marks()),
    "receipt": (RECEIPT, Marks()),
    "delivery-pass": (BRINGING, Marks()),
    "delivery-receipt": (BROUGHT, Marks()),
    "test": (TEST, Marks()),
    "reprint": (CHANGE, Marks(reprint=1, doubt=True, copy=1, copies=2, instead_of="Bar")),
}
