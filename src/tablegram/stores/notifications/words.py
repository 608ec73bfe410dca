"""Texts as they come, before an account words them its own way."""

from __future__ import annotations

from tablegram.stores.notifications.kinds import Button, Kind, Language

TEXTS: dict[Language, dict[Kind, tuple[str, ...]]] = {
    "en": {
        "order_confirmation": (
            "Hi {name}, thank you for your order {number} at {shop}.\n\n{items}\n*Total: {total}*\n\nYour order: {link}",
        ),
        "payment_received": ("Hi {name}, we have received your payment of {total} for order {number}. Thank you!",),
        "shipping": (
            "Hi {name}, your order {number} is on its way.\nCarrier: {carrier} {tracking_number}\nTrack it: {tracking_link}",
        ),
        "delivered": (
            "Hi {name}, your order {number} has arrived. Enjoy it! If anything is not right, write to us here.",
        ),
        "cancellation": (
            "Hi {name}, your order {number} is cancelled.\nReason: {reason}\nIf you did not ask for this, write to us here.",
        ),
        "refund": ("Hi {name}, we have sent {total} back to you for order {number}. Your bank may take a few days.",),
        "abandoned_cart": (
            "Hi {name}, you left something in your cart at {shop}:\n\n{items}\n*Total: {total}*\n\nTake it up again: {link}",
            "Hi {name}, your cart at {shop} is still here: {link}\nIs anything unclear? Write to us, we are glad to help.",
            "Hi {name}, a last reminder of your cart at {shop}: {link}",
        ),
        "form_reply": ("Hi {name}, thank you for writing to {shop}. We have your message and answer you here soon.",),
        "form_alert": ("New form: {form}\nFrom: {full_name} {phone} {email}\n\n{answers}",),
    },
    "tr": {
        "order_confirmation": (
            "Merhaba {name}, {shop} mağazamızdan verdiğiniz {number} numaralı sipariş için teşekkür ederiz.\n\n{items}\n"
            "*Toplam: {total}*\n\nSiparişiniz: {link}",
        ),
        "payment_received": (
            "Merhaba {name}, {number} numaralı siparişiniz için {total} ödemenizi aldık. Teşekkür ederiz!",
        ),
        "shipping": (
            "Merhaba {name}, {number} numaralı siparişiniz yola çıktı.\nKargo: {carrier} {tracking_number}\n"
            "Takip: {tracking_link}",
        ),
        "delivered": (
            "Merhaba {name}, {number} numaralı siparişiniz teslim edildi. Güle güle kullanın! Bir sorun varsa buradan yazın.",
        ),
        "cancellation": (
            "Merhaba {name}, {number} numaralı siparişiniz iptal edildi.\nNeden: {reason}\n"
            "Siz istemediyseniz bize buradan yazın.",
        ),
        "refund": (
            "Merhaba {name}, {number} numaralı siparişiniz için {total} iade ettik. Bankanıza göre birkaç gün sürebilir.",
        ),
        "abandoned_cart": (
            "Merhaba {name}, {shop} sepetinizde ürünler kaldı:\n\n{items}\n*Toplam: {total}*\n\nKaldığınız yerden devam edin: {link}",
            "Merhaba {name}, {shop} sepetiniz hâlâ duruyor: {link}\nAklınıza takılan bir şey varsa yazın, yardımcı olalım.",
            "Merhaba {name}, {shop} sepetiniz için son hatırlatma: {link}",
        ),
        "form_reply": (
            "Merhaba {name}, {shop} ile iletişime geçtiğiniz için teşekkürler. Mesajınızı aldık, buradan döneceğiz.",
        ),
        "form_alert": ("Yeni form: {form}\nGönderen: {full_name} {phone} {email}\n\n{answers}",),
    },
}
BUTTON_WORDS: dict[Language, dict[Button, str]] = {
    "en": {"track": "Track", "pay": "Pay", "talk": "Talk to us"},
    "tr": {"track": "Takip et", "pay": "Öde", "talk": "Bize yazın"},
}
# Minutes after the event, and between two reminders of a cart.
DELAYS: dict[Kind, tuple[int, ...]] = {"abandoned_cart": (60, 24 * 60, 48 * 60)}
