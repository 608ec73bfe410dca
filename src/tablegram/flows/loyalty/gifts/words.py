"""What people are told about gift cards, in the languages that the product speaks."""

from __future__ import annotations

_EN = {
    "from": "{name} sends you a gift card from {venue}.",
    "yours": "You have a gift card from {venue}.",
    "code": "Code: *{code}*",
    "use": "Show this code when you pay. You can spend it in parts.",
    "until": "Valid until {day}.",
    "ask": "Write *gift card* to see what is left on it.",
    "left": "Gift card {hint}: *{balance}* left.",
    "left_until": "Gift card {hint}: *{balance}* left, valid until {day}.",
    "spent": "Gift card {hint}: nothing is left.",
    "expired": "Gift card {hint} has expired.",
    "cancelled": "Gift card {hint} was cancelled. Please ask our staff.",
    "none": "We know no gift card of yours. Write *gift card* and its code to see what is left.",
    "unknown": "We know no gift card with this code. Look at it once more, and send *gift card* and the code.",
    "how": "Show the code when you pay.",
    "till": "Gift card {hint}",
    "expiring": "{venue}: your gift card {hint} has {balance} left and expires on {day}. We look forward to seeing you.",
}
_TR = {
    "from": "{name} size {venue} hediye kartı gönderdi.",
    "yours": "{venue} hediye kartınız var.",
    "code": "Kod: *{code}*",
    "use": "Öderken bu kodu gösterin. Parça parça da harcayabilirsiniz.",
    "until": "Son kullanma tarihi: {day}.",
    "ask": "Kalan tutarı görmek için *hediye kartı* yazın.",
    "left": "Hediye kartı {hint}: *{balance}* kaldı.",
    "left_until": "Hediye kartı {hint}: *{balance}* kaldı, son kullanma tarihi {day}.",
    "spent": "Hediye kartı {hint}: bakiye kalmadı.",
    "expired": "Hediye kartı {hint}: süresi dolmuş.",
    "cancelled": "Hediye kartı {hint} iptal edilmiş. Lütfen ekibimize sorun.",
    "none": "Size ait bir hediye kartı bulamadık. Bakiyeyi görmek için *hediye kartı* ve kodunu yazın.",
    "unknown": "Bu kodla bir hediye kartı bulamadık. Koda tekrar bakıp *hediye kartı* ve kodu gönderin.",
    "how": "Öderken kodu göstermeniz yeterli.",
    "till": "Hediye kartı {hint}",
    "expiring": "{venue}: {hint} hediye kartınızda {balance} var, süresi {day} tarihinde doluyor. Sizi bekliyoruz.",
}
WORDS = {"en": _EN, "tr": _TR}


def speak(language: str) -> dict[str, str]:
    return WORDS.get(language.partition("-")[0].lower(), _EN)
