"""What guests are told about paying online."""

from __future__ import annotations

EN = {
    "pay_here": "Pay {total} here until {time}: {url}",
    "pay_soon": "The payment page does not answer right now. We send you the link as soon as it does; you need not do "
    "anything until then.",
    "paid_confirmed": "Thank you{name}! Your payment is here, and the kitchen has your order *{order}*.",
    "paid_thanks": "Thank you! We have your payment of {total} for the order *{order}*.",
    "link_over": "The payment link for your order *{order}* has run out, and nothing is being prepared yet.",
    "link_failed": "We could not make a payment link for your order *{order}*, and nothing is being prepared yet.",
    "reply_new_link": "Reply *1* for a new link.",
    "reply_dine_in": "Reply *2* to pay at the table.",
    "reply_takeaway": "Reply *2* to pay when you pick it up.",
    "reply_delivery": "Reply *2* to pay at the door.",
    "button_new_link": "New link",
    "button_dine_in": "Pay at the table",
    "button_takeaway": "Pay at pick-up",
    "button_delivery": "Pay at the door",
    "button_online": "Pay online now",
    "or_online": "Reply *online* to order it and pay by card on the spot.",
    "expired_unpaid": "Your order *{order}* was not paid in time, so nothing is being prepared. Whenever you like to order, "
    "here is the menu: {menu}",
    "money_for_nothing": "Your payment of {total} reached us after the order *{order}* had ended. Nothing is being prepared. "
    "Our staff will see to your money.",
    "refunded": "We have refunded {total} for your order *{order}*. Your bank may need some days to show it.",
    "bill_pay_here": "{venue}, table {table}: pay {total} here until {time}: {url}",
    "bill_paid_thanks": "Thank you! We have your payment of {total} for table {table}. {venue}",
    "bill_refunded": "We have refunded {total} of what you paid for table {table}. Your bank may need some days to show it.",
    "online_not_offered": "Your order *{order}* cannot be paid online. Please pay our staff.",
    "online_paid_already": "Your order *{order}* is paid already. Thank you!",
}
TR = {
    "pay_here": "{total} tutarını saat {time} olmadan buradan ödeyebilirsiniz: {url}",
    "pay_soon": "Ödeme sayfası şu anda yanıt vermiyor. Açılır açılmaz bağlantıyı göndereceğiz; o zamana kadar bir şey "
    "yapmanıza gerek yok.",
    "paid_confirmed": "Teşekkürler{name}! Ödemeniz ulaştı, *{order}* numaralı siparişiniz mutfakta.",
    "paid_thanks": "Teşekkürler! *{order}* numaralı siparişiniz için {total} ödemenizi aldık.",
    "link_over": "*{order}* numaralı siparişinizin ödeme bağlantısının süresi doldu; henüz bir şey hazırlanmıyor.",
    "link_failed": "*{order}* numaralı siparişiniz için ödeme bağlantısı oluşturamadık; henüz bir şey hazırlanmıyor.",
    "reply_new_link": "Yeni bağlantı için *1* yazın.",
    "reply_dine_in": "Masada ödemek için *2* yazın.",
    "reply_takeaway": "Alırken ödemek için *2* yazın.",
    "reply_delivery": "Kapıda ödemek için *2* yazın.",
    "button_new_link": "Yeni bağlantı",
    "button_dine_in": "Masada öde",
    "button_takeaway": "Alırken öde",
    "button_delivery": "Kapıda öde",
    "button_online": "Online öde",
    "or_online": "Hemen kartla ödeyerek sipariş vermek için *online* yazın.",
    "expired_unpaid": "*{order}* numaralı siparişiniz zamanında ödenmediği için hazırlanmıyor. Dilediğiniz zaman menümüz "
    "burada: {menu}",
    "money_for_nothing": "{total} ödemeniz, *{order}* numaralı sipariş kapandıktan sonra ulaştı. Sipariş hazırlanmıyor; "
    "arkadaşlarımız paranızla ilgilenecek.",
    "refunded": "*{order}* numaralı siparişiniz için {total} iade ettik. Bankanızda görünmesi birkaç gün sürebilir.",
    "bill_pay_here": "{venue}, masa {table}: {total} tutarını saat {time} olmadan buradan ödeyebilirsiniz: {url}",
    "bill_paid_thanks": "Teşekkürler! Masa {table} için {total} ödemenizi aldık. {venue}",
    "bill_refunded": "Masa {table} için ödediğiniz tutarın {total} kadarını iade ettik. Bankanızda görünmesi birkaç gün "
    "sürebilir.",
    "online_not_offered": "*{order}* numaralı siparişiniz online ödenemiyor. Lütfen ödemeyi arkadaşlarımıza yapın.",
    "online_paid_already": "*{order}* numaralı siparişiniz ödenmiş, teşekkür ederiz.",
}
