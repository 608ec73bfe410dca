"""What the product itself says around a question how it was."""

from __future__ import annotations

_EN = {
    "choose": "Rate it",
    "rate_5": "5 · Excellent", "rate_4": "4 · Good", "rate_3": "3 · All right", "rate_2": "2 · Not good", "rate_1": "1 · Bad",
    "by_number": "Reply with a number from 1 (bad) to 5 (excellent).",
    "low": "We are sorry to hear that. Tell us here what went wrong; the manager reads it and gets in touch.",
    "middle": "Thank you, we will do better. Write here if something was missing.",
    "high": "Thank you, we are glad! See you soon.",
    "review": "Write a review",
    "again": "Thank you, we have your rating already.",
    "told_low": "{name} rated their visit {rating} of 5.",
    "told_order": "Order: {order}",
    "told_phone": "Phone: +{phone}",
}  # fmt: skip
_TR = {
    "choose": "Puan verin",
    "rate_5": "5 · Harika", "rate_4": "4 · İyi", "rate_3": "3 · İdare eder", "rate_2": "2 · İyi değil", "rate_1": "1 · Kötü",
    "by_number": "1 (kötü) ile 5 (harika) arasında bir sayı yazın.",
    "low": "Üzüldük. Neyin yanlış gittiğini buraya yazın; yöneticimiz okuyup sizi arayacak.",
    "middle": "Teşekkürler, daha iyisini yapacağız. Eksik bir şey varsa buraya yazın.",
    "high": "Teşekkürler, çok sevindik! Yine bekleriz.",
    "review": "Yorum yazın",
    "again": "Teşekkürler, puanınızı almıştık.",
    "told_low": "{name} ziyaretine 5 üzerinden {rating} verdi.",
    "told_order": "Sipariş: {order}",
    "told_phone": "Telefon: +{phone}",
}  # fmt: skip


def speak(language: str) -> dict[str, str]:
    return _TR if language.partition("-")[0].lower() == "tr" else _EN
