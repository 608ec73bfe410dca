"""What guests are told about orders that they want changed, and about what they ask."""

from __future__ import annotations

EN = {
    "cancel_asked": "The kitchen has already begun *{order}*. We have asked our staff whether it can still be cancelled, and will "
    "tell you.",
    "change_asked": "The kitchen has already begun *{order}*. We have asked our staff whether it can still be changed, and will "
    "tell you.",
    "cancel_refused": "We are sorry, *{order}* can no longer be cancelled.",
    "change_refused": "We are sorry, *{order}* can no longer be changed; it comes as it was ordered.",
    "no_order": "We have no open order of yours, so nothing was changed. To order, write the dishes or open the menu: {menu}",
    "which_table": "Which table are you at? Write for example “{what} table 5”.",
    "ask_bill": "the bill for",
    "ask_waiter": "waiter to",
    "fact_price": "{name}: {price}",
    "fact_price_from": "{name}: from {price}",
    "fact_sold_out": "{name} is sold out right now.",
    "fact_not_now": "{name} cannot be had at this hour.",
    "fact_allergens": "{name} contains, as our menu says: {allergens}.",
    "fact_no_allergens": "Our menu names no allergen for {name}.",
    "fact_tell_staff": "If you have an allergy, please tell our staff before you order.",
    "fact_order": "To order, write how many.",
    "fact_open": "Yes, we are open.",
    "fact_open_until": "We are open until {time}.",
    "fact_closed": "We are closed right now.",
    "fact_closed_until": "We are closed right now. We open {time}.",
    "fact_address": "You find us here: {address}",
    "fact_phone": "Our phone: {phone}",
    "fact_menu": "Here is our menu: {menu}",
    "fact_unknown_dish": "“{fragment}” is not on our menu. Here is what we have: {menu}",
    "last_word": "Thank you for your message. A colleague will answer you. To order, write the dishes and your table, or choose on "
    "the menu: {menu}",
    "last_complaint": "We are sorry about that. A colleague will see to it right away.",
    "last_allergy": "Thank you for telling us about the allergy. A colleague will answer you; please order only after that. What "
    "our dishes contain is also on the menu: {menu}",
    "last_called": "We have told a colleague, who is coming to table {table}.",
    "last_thanks": "You are welcome!",
}
TR = {
    "cancel_asked": "Mutfak *{order}* numaralı siparişinizi hazırlamaya başladı. Hâlâ iptal edilip edilemeyeceğini arkadaşlarımıza "
    "sorduk, size haber vereceğiz.",
    "change_asked": "Mutfak *{order}* numaralı siparişinizi hazırlamaya başladı. Hâlâ değiştirilip değiştirilemeyeceğini "
    "arkadaşlarımıza sorduk, size haber vereceğiz.",
    "cancel_refused": "Üzgünüz, *{order}* numaralı sipariş artık iptal edilemiyor.",
    "change_refused": "Üzgünüz, *{order}* numaralı sipariş artık değiştirilemiyor; verdiğiniz gibi gelecek.",
    "no_order": "Açık bir siparişiniz görünmüyor, bu yüzden bir şey değişmedi. Sipariş için ürünleri yazabilir ya da menüyü "
    "açabilirsiniz: {menu}",
    "which_table": "Hangi masadasınız? Örneğin “masa 5 {what}” yazmanız yeterli.",
    "ask_bill": "hesap",
    "ask_waiter": "garson",
    "fact_price": "{name}: {price}",
    "fact_price_from": "{name}: {price} fiyatından başlıyor",
    "fact_sold_out": "{name} şu anda tükendi.",
    "fact_not_now": "{name} bu saatte servis edilmiyor.",
    "fact_allergens": "Menümüze göre {name} şunları içerir: {allergens}.",
    "fact_no_allergens": "Menümüzde {name} için belirtilmiş bir alerjen yok.",
    "fact_tell_staff": "Alerjiniz varsa lütfen sipariş vermeden önce arkadaşlarımıza söyleyin.",
    "fact_order": "Sipariş için adedini yazmanız yeterli.",
    "fact_open": "Evet, açığız.",
    "fact_open_until": "{time} saatine kadar açığız.",
    "fact_closed": "Şu anda kapalıyız.",
    "fact_closed_until": "Şu anda kapalıyız. Açılış: {time}.",
    "fact_address": "Adresimiz: {address}",
    "fact_phone": "Telefonumuz: {phone}",
    "fact_menu": "Menümüz burada: {menu}",
    "fact_unknown_dish": "“{fragment}” menümüzde yok. Menümüz burada: {menu}",
    "last_word": "Mesajınız için teşekkürler. Bir arkadaşımız yanıtlayacak. Sipariş için ürünleri ve masanızı yazabilir ya da menüden "
    "seçebilirsiniz: {menu}",
    "last_complaint": "Bunun için özür dileriz. Bir arkadaşımız hemen ilgilenecek.",
    "last_allergy": "Alerjinizi bildirdiğiniz için teşekkürler. Bir arkadaşımız yanıtlayacak; lütfen siparişi ondan sonra verin. "
    "Ürünlerin içeriği menüde de yazıyor: {menu}",
    "last_called": "Arkadaşımıza haber verdik, masa {table} için geliyor.",
    "last_thanks": "Rica ederiz!",
}
