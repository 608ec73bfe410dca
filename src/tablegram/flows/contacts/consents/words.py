"""What a customer hears who stopped advertising or came back, in their language."""

from __future__ import annotations

from tablegram.crm.consent.stopping import Wish
from tablegram.values.phone import calling_code

_CONFIRMED: dict[str, dict[Wish, str]] = {
    "en": {
        "stop": "Done: you will get no more offers from us. News of your own orders still reach you. Write START to return.",
        "start": "Welcome back! You will hear of our offers again. Write STOP at any time to end it.",
    },
    "tr": {
        "stop": "Tamam, size artık kampanya mesajı göndermeyeceğiz. Kendi siparişlerinizle ilgili haberler gelmeye devam eder. "
        "Dönmek isterseniz BAŞLA yazın.",
        "start": "Tekrar hoş geldiniz! Kampanyalarımızı yine haber vereceğiz. İstediğiniz zaman STOP yazarak bırakabilirsiniz.",
    },
    "de": {
        "stop": "Erledigt: Sie erhalten keine Angebote mehr von uns. Nachrichten zu Ihren eigenen Bestellungen kommen weiterhin. "
        "Schreiben Sie START, um zurückzukehren.",
        "start": "Willkommen zurück! Sie hören wieder von unseren Angeboten. Mit STOP beenden Sie das jederzeit.",
    },
    "ar": {
        "stop": "تم: لن تصلك منا عروض بعد الآن. ستصلك أخبار طلباتك كالمعتاد. اكتب START للعودة.",
        "start": "أهلاً بعودتك! ستصلك عروضنا من جديد. اكتب STOP في أي وقت لإيقافها.",
    },
    "fr": {
        "stop": "C’est fait : vous ne recevrez plus nos offres. Les nouvelles de vos commandes vous parviennent toujours. "
        "Écrivez START pour revenir.",
        "start": "Bon retour ! Vous recevrez de nouveau nos offres. Écrivez STOP à tout moment pour arrêter.",
    },
    "es": {
        "stop": "Listo: no recibirá más ofertas nuestras. Las noticias de sus pedidos le siguen llegando. "
        "Escriba START para volver.",
        "start": "¡Bienvenido de nuevo! Volverá a recibir nuestras ofertas. Escriba STOP en cualquier momento para dejarlo.",
    },
    "ru": {
        "stop": "Готово: предложений от нас больше не будет. Новости о ваших заказах приходят как прежде. "
        "Чтобы вернуться, напишите START.",
        "start": "С возвращением! Вы снова будете получать наши предложения. Напишите STOP, чтобы прекратить.",
    },
}
# Where a number is from says which language is likely, where nothing else does.
_COUNTRIES = {90: "tr", 49: "de", 43: "de", 966: "ar", 971: "ar", 20: "ar", 33: "fr", 34: "es", 7: "ru"}


def spoken(told: str, known: str, phone: str) -> str:
    """The language to answer in: that of the word, what is known of the contact, or that of the number's country."""
    usual = known.partition("-")[0].lower()
    likely = (told, usual, _COUNTRIES.get(calling_code(phone), ""))
    return next((one for one in likely if one in _CONFIRMED), "en")


def confirmation(wish: Wish, language: str) -> str:
    return _CONFIRMED[language][wish]


_LINKS = {
    "en": "Here is what we hold of you. You can download it, stop offers, or have it erased: {url}\n"
    "The link is yours alone and ends in 24 hours. Do not pass it on.",
    "tr": "Sizinle ilgili tuttuğumuz bilgiler burada. İndirebilir, kampanyaları durdurabilir ya da sildirebilirsiniz: {url}\n"
    "Bağlantı yalnızca size aittir ve 24 saat geçerlidir. Kimseyle paylaşmayın.",
}


def link_text(language: str, url: str) -> str:
    """What goes with a link to somebody's own data."""
    return _LINKS.get(language, _LINKS["en"]).format(url=url)
