"""Ready-made automations: what most restaurants begin with, in the language of the house."""

from __future__ import annotations

from tablegram.automations.fields import AutomationFields, Preset
from tablegram.values import Json

PRESETS: tuple[Preset, ...] = ("welcome", "win_back", "birthday", "feedback")

_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "welcome": "Welcome after the first order",
        "welcome_gift": "10% off your next order",
        "welcome_text": "Hi {{first_name|there}}, thank you for your first order at {{venue|our place}}! Your code "
        "{{coupon}} takes 10% off the next one. It holds for 30 days.",
        "win_back": "We miss you",
        "win_back_gift": "15% off, welcome back",
        "win_back_text": "Hi {{first_name|there}}, we have not seen you for a while. Your code {{coupon}} takes 15% off "
        "your next order. It holds for 14 days.",
        "birthday": "Happy birthday",
        "birthday_gift": "20% off for your birthday",
        "birthday_text": "Happy birthday, {{first_name|dear guest}}! Celebrate with us: your code {{coupon}} takes 20% "
        "off. It holds for 14 days.",
        "feedback": "How was it?",
        "feedback_text": "Hi {{first_name|there}}, thank you for your visit at {{venue|our place}}. How was it?",
    },
    "tr": {
        "welcome": "İlk siparişten sonra hoş geldin",
        "welcome_gift": "Sonraki siparişinizde %10 indirim",
        "welcome_text": "Merhaba {{first_name|değerli misafirimiz}}, {{venue|bizdeki}} ilk siparişiniz için teşekkürler! "
        "{{coupon}} kodu sonraki siparişinizde %10 indirim sağlar. 30 gün geçerlidir.",
        "win_back": "Sizi özledik",
        "win_back_gift": "%15 indirim, yine bekleriz",
        "win_back_text": "Merhaba {{first_name|değerli misafirimiz}}, epeydir görüşemedik. {{coupon}} kodu sonraki "
        "siparişinizde %15 indirim sağlar. 14 gün geçerlidir.",
        "birthday": "Doğum günü kutlaması",
        "birthday_gift": "Doğum gününüze %20 indirim",
        "birthday_text": "İyi ki doğdunuz {{first_name|değerli misafirimiz}}! Bizimle kutlayın: {{coupon}} kodu %20 "
        "indirim sağlar. 14 gün geçerlidir.",
        "feedback": "Nasıldı?",
        "feedback_text": "Merhaba {{first_name|değerli misafirimiz}}, {{venue|bizi}} ziyaretiniz için teşekkürler. "
        "Nasıldı?",
    },
}
_WAITS: dict[str, list[Json]] = {
    "welcome": [{"do": "wait", "days": 1, "until": "17:00"}],
    "win_back": [{"do": "wait", "until": "17:00"}],
    "birthday": [],
}
_GIFTS = {"welcome": (10, 30), "win_back": (15, 14), "birthday": (20, 14)}
_TRIGGERS: dict[str, Json] = {
    "welcome": {"on": "first_order"},
    "win_back": {"on": "no_order", "days": 45},
    "birthday": {"on": "birthday", "at": "11:00"},
    "feedback": {"on": "meal_finished"},
}


def fields_of(preset: Preset, language: str) -> AutomationFields:
    """The fields of a new automation."""
    words = _WORDS["tr" if language == "tr" else "en"]
    steps: list[Json]
    if preset == "feedback":
        steps = [{"do": "wait", "hours": 1}, {"do": "feedback", "text": words["feedback_text"]}]
    else:
        percent, days = _GIFTS[preset]
        gift = {"do": "coupon", "name": words[f"{preset}_gift"], "percent": percent, "days": days}
        steps = [*_WAITS[preset], gift, {"do": "message", "text": words[f"{preset}_text"]}]
    return {"name": words[preset], "trigger": dict(_TRIGGERS[preset]), "steps": steps}
