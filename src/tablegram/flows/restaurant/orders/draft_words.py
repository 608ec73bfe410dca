"""What guests are told about an order that is read back to them."""

from __future__ import annotations

EN = {
    "read_back": "Please check your order:",
    "read_back_edited": "Here is your order with the change:",
    "read_back_unsure": "I have not changed anything yet, because I am not sure what you mean:",
    "unsure_how": "Did you mean one of these? “no {dish}”, “one more {dish}”, “2 {dish} in all”, “table 6”. Write it like that, or "
    "reply *yes* if the order is right as it is.",
    "read_back_moved": "Something has changed meanwhile, so please check once more:",
    "read_back_old": "That was too long ago, so nothing was ordered yet. Do you still want this?",
    "read_back_next": "Next, your order for the other place:",
    "read_back_first": "Please answer this one first; your other order comes right after it:",
    "where_address": "Delivery to: {address}",
    "where_shared": "Delivery to the place that you shared",
    "noted": "Note: {notes}",
    "missed": "I did not understand: {words}",
    "confirm_how": "Reply *yes* to confirm, or write what to change. Nothing is prepared before you confirm.",
    "button_confirm": "Confirm",
    "button_change": "Change",
    "change_how": "What shall I change? Write it as you would say it: “one more tea”, “urfa instead of adana”, “no ayran”, "
    "“table 6”. To drop the order, write “no”.",
    "draft_dropped": "All right, nothing was ordered. Whenever you like to order, here is the menu: {menu}",
    "draft_expired": "Your order was not confirmed, so we have let it go and nothing is being prepared. Write again whenever "
    "you like, or choose on the menu: {menu}",
    "draft_over": "That order is no longer open, and nothing of it is being prepared. Write it again, or choose on the menu: "
    "{menu}",
}
TR = {
    "read_back": "Siparişinizi kontrol eder misiniz?",
    "read_back_edited": "Değişiklikle birlikte siparişiniz:",
    "read_back_unsure": "Ne demek istediğinizden emin olamadım, henüz bir şey değiştirmedim:",
    "unsure_how": "Şunlardan birini mi demek istediniz? “{dish} olmasın”, “bir {dish} daha”, “{dish} 2 tane olsun”, “masa 6”. Böyle "
    "yazabilir, sipariş bu hâliyle doğruysa *evet* yazabilirsiniz.",
    "read_back_moved": "Bu arada bir şey değişti, bir kez daha bakar mısınız?",
    "read_back_old": "Aradan uzun zaman geçtiği için henüz sipariş verilmedi. Bunu hâlâ istiyor musunuz?",
    "read_back_next": "Sırada diğer yere gidecek siparişiniz var:",
    "read_back_first": "Önce bunu yanıtlar mısınız? Diğer siparişiniz hemen ardından geliyor:",
    "where_address": "Teslimat adresi: {address}",
    "where_shared": "Paylaştığınız konuma teslim",
    "noted": "Not: {notes}",
    "missed": "Şunu anlayamadım: {words}",
    "confirm_how": "Onaylamak için *evet* yazın ya da değiştirmek istediğinizi yazın. Onaylamadan hiçbir şey hazırlanmaz.",
    "button_confirm": "Onayla",
    "button_change": "Değiştir",
    "change_how": "Neyi değiştirelim? Söyler gibi yazın: “bir çay daha”, “adana değil urfa”, “ayran olmasın”, “masa 6”. "
    "Vazgeçmek için “hayır” yazın.",
    "draft_dropped": "Tamam, sipariş verilmedi. Dilediğiniz zaman menümüz burada: {menu}",
    "draft_expired": "Siparişinizi onaylamadığınız için kapattık; hiçbir şey hazırlanmıyor. Dilediğiniz zaman yeniden yazabilir "
    "ya da menüden seçebilirsiniz: {menu}",
    "draft_over": "Bu sipariş artık açık değil, ondan hiçbir şey hazırlanmıyor. Yeniden yazabilir ya da menüden "
    "seçebilirsiniz: {menu}",
}
