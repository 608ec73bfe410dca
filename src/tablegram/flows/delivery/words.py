"""What guests are told about where an order goes: what it costs, what is missing, and what would be possible instead."""

from __future__ import annotations

from tablegram.flows.delivery.terms import Looked
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.venues import Venue
from tablegram.values.money import written

EN = {
    "delivery_fee": "Delivery",
    "delivery_charge": "Delivery: {amount}",
    "arrives": "With you at about {time}.",
    "arrives_in": "With you in about {minutes} minutes.",
    "ask_place": "Please share your location here, so that we can tell you what the delivery costs. Without it, reply *yes* and "
    "our staff will tell you.",
    "ask_place_order": "Please share your location here, so that we can tell you what the delivery costs.",
    "ask_saved": "Where shall we bring it? Reply with a number, share your location, or write another address:",
    "saved": "{number}. {label}",
    "below_minimum": "We deliver to {zone} from {minimum}. {missing} is still missing: add something, and we bring it.",
    "outside": "We are sorry, we do not deliver to this place.",
    "outside_near": "We are sorry, we do not deliver to this place. It is {distance} beyond our zone {zone}.",
    "outside_pickup": "You can pick it up here: reply *takeaway*.",
    "outside_other": "{venue} delivers there.",
    "outside_again": "You can also share another place or write another address.",
    "outside_order": "Our staff have been told and will get back to you about the order *{order}*.",
    "place_known": "Thank you! We deliver the order *{order}* to this place.",
    "new_total": "Total with delivery: {total}",
    "decimal": ".",
    "ask_label": "Enjoy your meal! What shall we call this address: *home* or *work*? Next time one word is enough.",
    "label_saved": "Saved: *{label}*. When we ask where to bring it, reply with that.",
}
TR = {
    "delivery_fee": "Teslimat ücreti",
    "delivery_charge": "Teslimat: {amount}",
    "arrives": "Tahmini teslim saati: {time}",
    "arrives_in": "Yaklaşık {minutes} dakikada kapınızda.",
    "ask_place": "Teslimat ücretini söyleyebilmemiz için konumunuzu buradan paylaşır mısınız? Paylaşmak istemezseniz *evet* "
    "yazın, ücreti arkadaşlarımız bildirsin.",
    "ask_place_order": "Teslimat ücretini söyleyebilmemiz için konumunuzu buradan paylaşır mısınız?",
    "ask_saved": "Nereye getirelim? Numarasını yazın, konumunuzu paylaşın ya da başka bir adres yazın:",
    "saved": "{number}. {label}",
    "below_minimum": "{zone} bölgesine en az {minimum} tutarında sipariş götürüyoruz. {missing} daha eklerseniz getirelim.",
    "outside": "Üzgünüz, bu konuma servisimiz yok.",
    "outside_near": "Üzgünüz, bu konuma servisimiz yok. {zone} bölgemizin {distance} dışında kalıyor.",
    "outside_pickup": "Dilerseniz gelip alabilirsiniz: *gel al* yazmanız yeterli.",
    "outside_other": "{venue} şubemiz oraya servis yapıyor.",
    "outside_again": "Başka bir konum paylaşabilir ya da başka bir adres yazabilirsiniz.",
    "outside_order": "*{order}* numaralı siparişiniz için arkadaşlarımıza haber verdik, size dönecekler.",
    "place_known": "Teşekkürler! *{order}* numaralı siparişinizi bu konuma getireceğiz.",
    "new_total": "Teslimatla birlikte toplam: {total}",
    "decimal": ",",
    "ask_label": "Afiyet olsun! Bu adresi *ev* olarak mı, *iş* olarak mı kaydedelim? Bir dahaki sefere tek kelime yeter.",
    "label_saved": "Kaydettik: *{label}*. Nereye getirelim diye sorduğumuzda bunu yazmanız yeterli.",
}


def outside_words(words: dict[str, str], venue: Venue, looked: Looked) -> list[str]:
    """That it is too far, and everything that would be possible."""
    if looked.nearest and looked.beyond_m is not None:
        far = distance_words(looked.beyond_m, words["decimal"])
        told = [words["outside_near"].format(distance=far, zone=looked.nearest)]
    else:
        told = [words["outside"]]
    if looked.other_venue:
        told.append(words["outside_other"].format(venue=looked.other_venue))
    if "takeaway" in venue.order_types:
        told.append(words["outside_pickup"])
    return told


def minimum_words(words: dict[str, str], venue: Venue, where: Destination, subtotal: int, language: str) -> str:
    """What is missing to what is brought there at least."""
    amounts = {"minimum": where.minimum, "missing": where.missing(subtotal)}
    facts = {name: written(amount, venue.currency, language) for name, amount in amounts.items()}
    return words["below_minimum"].format(zone=where.zone, **facts)


def distance_words(metres: int, decimal: str = ".") -> str:
    """As one says it: 350 m, 1.4 km."""
    return f"{max(metres, 1)} m" if metres < 1_000 else f"{metres / 1_000:.1f} km".replace(".", decimal)


def refusal_words(words: dict[str, str], venue: Venue, looked: Looked, subtotal: int, language: str) -> str:
    """Why it is not brought there, and what would help; nothing where it is."""
    where = looked.destination
    if where.standing == "outside":
        return "\n".join([*outside_words(words, venue, looked), words["outside_again"]])
    return minimum_words(words, venue, where, subtotal, language) if where.missing(subtotal) else ""
