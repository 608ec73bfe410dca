"""What guests are told about their points and coupons, in the languages that the product speaks."""

from __future__ import annotations

_EN = {
    "balance": "You have *{points}* points.",
    "balance_worth": "You have *{points}* points. They take {worth} off your bill.",
    "balance_none": "You have no points yet. You earn them with each order that is paid.",
    "goes_by": "{points} of them expire on {day}.",
    "how_to_use": "Write *use points* to use them.",
    "stamps": "{card}: {stamps} of {needed} stamps.",
    "own_coupon": "{name}: write *coupon {code}* to use it.",
    "points_name": "Points",
    "prove": "Hello! Please show my points on the menu: {code}",
    "proven": "Thank you! Your points and coupons are on the menu’s page now. Go back to it. Was that not you? Tell us here.",
    "proof_over": "This has run out. Please open your points on the menu's page again.",
    "applied": "Done: {name} takes {amount} off your order *{order}*. Total now: {total}.",
    "chosen": "Noted: we take {name} off your next order. Send it within 6 hours.",
    "chosen_points": "Noted: we use your points on your next order. Send it within 6 hours.",
    "coupon_unknown": "We know no coupon “{code}”. Look at it once more, and send *coupon* and the code.",
    "coupon_invalid": "This coupon does not hold.",
    "coupon_early": "This coupon does not hold yet.",
    "coupon_over": "This coupon is over.",
    "coupon_used_up": "This coupon was used as often as it can be.",
    "coupon_used": "You have used this coupon already.",
    "coupon_venue": "This coupon is for another place of ours.",
    "coupon_order_type": "This coupon is not for this type of order.",
    "coupon_currency": "This coupon does not hold here.",
    "coupon_minimum": "Your order is too small for this coupon.",
    "coupon_item": "The dish that this coupon gives is not in your order.",
    "points_missing": "You have no points that could be used.",
    "points_not_offered": "Points cannot be used here.",
    "already_redeemed": "Something is taken off this order already.",
    "nothing_open": "Nothing is left to pay on this order.",
    "not_now": "This cannot be used on your order now. Please ask our staff.",
    "nameless": "dear guest",
    "expiring": "{venue}: {points} of your points expire on {day}. You have {balance} points in all; they take {worth} off "
    "your next bill.",
}
_TR = {
    "balance": "*{points}* puanınız var.",
    "balance_worth": "*{points}* puanınız var. Hesabınızdan {worth} düşer.",
    "balance_none": "Henüz puanınız yok. Ödenen her siparişle puan kazanırsınız.",
    "goes_by": "{points} puanınızın süresi {day} tarihinde doluyor.",
    "how_to_use": "Kullanmak için *puan kullan* yazın.",
    "stamps": "{card}: {needed} damgadan {stamps} tanesi sizde.",
    "own_coupon": "{name}: kullanmak için *kupon {code}* yazın.",
    "points_name": "Puan",
    "prove": "Merhaba! Puanlarımı menüde göster: {code}",
    "proven": "Teşekkürler! Puanlarınız ve kuponlarınız menü sayfasında. Sayfaya dönebilirsiniz. Siz değilseniz bize yazın.",
    "proof_over": "Süresi dolmuş. Lütfen menü sayfasında puanlarınızı yeniden açın.",
    "applied": "Tamam: {name} ile *{order}* siparişinizden {amount} düştük. Yeni toplam: {total}.",
    "chosen": "Not aldık: {name} bir sonraki siparişinizden düşülecek. 6 saat içinde sipariş verin.",
    "chosen_points": "Not aldık: bir sonraki siparişinizde puanlarınızı kullanacağız. 6 saat içinde sipariş verin.",
    "coupon_unknown": "“{code}” diye bir kupon bulamadık. Koda tekrar bakıp *kupon* yazarak gönderin.",
    "coupon_invalid": "Bu kupon geçerli değil.",
    "coupon_early": "Bu kupon henüz geçerli değil.",
    "coupon_over": "Bu kuponun süresi dolmuş.",
    "coupon_used_up": "Bu kuponun kullanım hakkı bitmiş.",
    "coupon_used": "Bu kuponu daha önce kullandınız.",
    "coupon_venue": "Bu kupon başka bir şubemiz için.",
    "coupon_order_type": "Bu kupon bu sipariş türünde geçerli değil.",
    "coupon_currency": "Bu kupon burada geçerli değil.",
    "coupon_minimum": "Siparişiniz bu kuponun alt sınırının altında.",
    "coupon_item": "Bu kuponla ücretsiz olan ürün siparişinizde yok.",
    "points_missing": "Kullanabileceğiniz puanınız yok.",
    "points_not_offered": "Burada puan kullanılamıyor.",
    "already_redeemed": "Bu siparişte zaten bir indirim kullanıldı.",
    "nothing_open": "Bu siparişte ödenecek tutar kalmadı.",
    "not_now": "Bunu şu an siparişinizde kullanamıyoruz. Lütfen ekibimize sorun.",
    "nameless": "değerli misafirimiz",
    "expiring": "{venue}: {points} puanınızın süresi {day} tarihinde doluyor. Toplam {balance} puanınız var; bir sonraki "
    "hesabınızdan {worth} düşer.",
}
WORDS = {"en": _EN, "tr": _TR}


def speak(language: str) -> dict[str, str]:
    return WORDS.get(language.partition("-")[0].lower(), _EN)
