"""Who writes to the demo's restaurant, and what is said. Numbers are from ranges that are kept free for fiction."""

from __future__ import annotations

from dataclasses import dataclass

from tablegram.crm.rows import Consent


@dataclass(frozen=True, slots=True)
class Guest:
    name: str
    phone: str
    language: str
    tags: tuple[str, ...] = ()
    notes: str = ""
    consent: Consent = "unknown"
    # Which of the talks is the latest with them, and hours since.
    talk: str = ""
    hours_ago: float = 0
    closed: bool = False
    unread: int = 0


GUESTS = (
    Guest(
        "Ayşe Yılmaz", "905550001001", "tr", ("düzenli", "paket"), "Fıstık alerjisi var.", "granted", "late_tr", 0.2,
        unread=2,
    ),
    Guest("Tom Becker", "447700900101", "en", ("vip",), "Prefers the table by the window.", "granted", "table_en", 0.7, unread=1),
    Guest("Mehmet Demir", "905550001002", "tr", ("paket",), "", "granted", "order_tr", 1.5),
    Guest("Zeynep Kaya", "905550001003", "tr", ("düzenli",), "Glutensiz ister.", "granted", "hours_tr", 3),
    Guest("Olivia Martin", "447700900102", "en", (), "", "unknown", "order_en", 5, closed=True),
    Guest("Emre Şahin", "905550001004", "tr", ("kurye",), "", "denied", "thanks_tr", 9, closed=True),
    Guest("Lukas Schneider", "4915550001005", "en", ("catering",), "Office party every first Friday.", "granted", "catering_en", 26),
    Guest("Elif Çelik", "905550001006", "tr", (), "", "unknown", "order_tr", 30, closed=True),
    Guest("سارة منصور", "905550001007", "", ("vip",), "", "granted", "table_en", 50, closed=True),
    Guest("Burak Aydın", "905550001008", "tr", ("düzenli", "paket"), "", "granted", "thanks_tr", 74, closed=True),
    Guest("Grace O’Neill", "12025550109", "en", (), "", "unknown", "hours_en", 98),
    Guest("Deniz Arslan", "905550001010", "tr", ("kurumsal",), "Fatura: Arslan Ltd.", "granted", "order_tr", 150, closed=True),
)  # fmt: skip

# Who speaks ("in" is the guest), what, and how many minutes before the end of the talk.
TALKS: dict[str, tuple[tuple[str, str, int], ...]] = {
    "late_tr": (
        ("out", "Siparişiniz *1042* hazırlanıyor. Tahmini süre 35 dakika.", 41),
        ("in", "Teşekkürler!", 39),
        ("in", "Merhaba, siparişim nerede kaldı?", 4),
        ("in", "Bir de ayran eklenebilir mi?", 2),
    ),
    "table_en": (
        ("in", "Hi! A table for 4 tonight at 20:00, please.", 30),
        ("out", "Of course. Inside or on the terrace?", 26),
        ("in", "Terrace, if it stays dry!", 3),
    ),
    "order_tr": (
        ("in", "Bir adana dürüm, bir mercimek çorbası.", 22),
        ("out", "Aldık. *₺480*, kapıda kart. Onaylıyor musunuz?", 20),
        ("in", "Evet", 19),
        ("out", "Siparişiniz mutfakta. Afiyet olsun!", 18),
        ("out", "Kurye yola çıktı, 15 dakika içinde kapınızda.", 2),
    ),
    "order_en": (
        ("in", "Two lahmacun and a lemonade to take away.", 18),
        ("out", "Ready in 15 minutes. Please ask for order *1038*.", 16),
        ("in", "Great, thanks", 14),
        ("out", "Your order *1038* is ready.", 1),
    ),
    "hours_tr": (
        ("in", "Pazar günü kaça kadar açıksınız?", 6),
        ("out", "Pazar 12:00–22:00 arası açığız. Yer ayıralım mı?", 2),
    ),
    "hours_en": (
        ("in", "Are you open on New Year's Eve?", 8),
        ("out", "Yes, until 01:00. Shall we keep a table for you?", 3),
    ),
    "thanks_tr": (
        ("out", "Siparişiniz teslim edildi. Nasıldı?", 25),
        ("in", "Her şey çok lezzetliydi, elinize sağlık.", 4),
        ("out", "Ne mutlu bize! Yine bekleriz.", 1),
    ),
    "catering_en": (
        ("in", "Could you do lunch for 25 people on the first Friday?", 50),
        ("out", "Gladly. Meze, grill and dessert for *$18* a person.", 31),
        ("in", "Perfect, I'll confirm tomorrow.", 2),
    ),
}

NOTICES = (
    "Siparişiniz hazırlanıyor. Tahmini süre 30 dakika.",
    "Kurye yola çıktı.",
    "Your order is ready for pick-up.",
    "Rezervasyonunuz onaylandı: bu akşam 20:00.",
    "Your table for tonight is confirmed.",
)

CANNED = (
    ("saat", "Hafta içi 11:00–23:00, hafta sonu 12:00–24:00 arası açığız."),
    ("adres", "Kadıköy, Moda Cad. 12. Vapur iskelesine 6 dakika."),
    ("hours", "We are open 11:00–23:00 on weekdays and 12:00–24:00 at weekends."),
    ("menu", "Here is our menu: https://lezzet.example/menu"),
)

# The venue, and where its guests live: latitude and longitude in millionths of a degree, and the zone.
HOME = 40_984_800, 29_026_200
PLACES = {
    "Caferağa Mah. Moda Cad. 41/3, Kadıköy": (40_981_800, 29_025_300, "Moda"),
    "Osmanağa Mah. Söğütlüçeşme Cad. 8, kat 2": (40_990_800, 29_030_200, "Moda"),
    "Rasimpaşa Mah. Karakolhane Cad. 27/5, Kadıköy": (40_995_500, 29_026_900, "Kadıköy"),
    "Fenerbahçe Mah. Bağdat Cad. 112, zil: Erdem": (40_974_300, 29_044_800, "Kadıköy"),
}
ADDRESSES = tuple(PLACES)
# Who calls which of them what.
LIVES = (
    ("Ayşe Yılmaz", "Ev", ADDRESSES[0]),
    ("Ayşe Yılmaz", "İş", ADDRESSES[2]),
    ("Mehmet Demir", "Ev", ADDRESSES[3]),
)

ENDPOINT_URL = "https://till.lezzet.example/tablegram"

# What the network told besides messages: its kind, the network's field, what it says, and how many hours ago.
NEWS: tuple[tuple[str, str, dict[str, str], int], ...] = (
    ("template_status", "message_template_status_update",
     {"event": "APPROVED", "message_template_name": "order_ready", "message_template_language": "tr"}, 70),
    ("quality", "phone_number_quality_update", {"event": "UPGRADE", "current_limit": "TIER_10K"}, 30),
    ("unknown", "seasonal_greeting_update", {"event": "NEW"}, 5),
)  # fmt: skip
