"""What a guest wants who orders nothing: a cancellation, the same again, news of an order, somebody to come, an answer."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from tablegram.restaurant.reading.dialogue.answers import is_drop
from tablegram.values.folding import fold

Topic = Literal["price", "allergens", "hours", "place", "menu", "has", "ways", "paying"]

# Longer texts say more than one of these.
MAX_WISH = 160

_CANCELS = re.compile(
    r"\b(?:changed\s+(?:our|my)\s+minds?\W*(?:please\s+)?cancel(?:\s+please)?$|siparis\w*\s+(?:iptal|vazgec)\w*|(?:iptal|vazgec)\w*\s+(?:et|eder|edin|edebilir|edelim|ediyorum|istiyorum)\w*|iptal\s+etmek|"
    r"siparis\w*\s+geri\s+(?:cek|al)\w*|siparis\w*\s+(?:lutfen\s+)?(?:almayin|hazirlamayin|yapmayin|getirmeyin|gondermeyin|sil(?:in|iver\w*|elim|ebilir\w*|er)?|iptal)|hazirlamayin|(?:hepsini|tumunu)\s+(?:sil|iptal)\w*|(?:delete|remove|scrap)\s+(?:it\s+)?all|start\s+over|(?:can|could|may|want|like|need|wish)\s+(?:(?:we|i|to)\s+)*cancel(?:\s+(?:please|pls))*$|(?:cancel|forget|scrap)\s+(?:it|that|this|everything|(?:(?:my|the|our|that)\s+)*order)|"
    r"bosver\w*\s+siparis\w*|siparis\w*\s+(?:\w+\s+)?(?:bosver\w*|vermiyor\w*|vermeye(?:ce\w*|lim)|istemiyor\w*)|unut(?:un)?\s+gitsin|hic\s?birini?\s+(?:yaz|yap|getir|hazirla)may?[iu]n|hic\s?bir\s*sey\s+istemi\w+|cancel\s+what\s+(?:we|i)\s+ordered|"
    r"^(?:\w+\s+){0,2}vazgec(?:ti[mk]|iyoru[mz])(?!\w)(?!\s+\w+\s+(?:olsun|alalim|istiyoruz))|baska\s+(?:gun|zaman)\w*\s+kalsin|(?:call|take)\s+(?:it|that)\s+off|dont\s+(?:make|prepare)\s+(?:it|them|anything))\b"
)
_AGAIN = re.compile(
    r"\b(?:aynisindan|aynisini|aynisi|aynilarindan|ayni\s+siparis\w*|tekrar\s+ayni\w*|(?:the\s+)?same\s+(?:again|thing|order|for|to|as\s+(?:before|last))|"
    r"repeat\s+(?:my|the|our|that)\s+(?:last\s+)?order|another\s+round|same\s+again|one\s+more\s+of\s+(?:the\s+)?same|bir?\s+tur\s+daha)\b"
)
_NEWS = re.compile(
    r"\b(?:(?:siparis|yeme[kg]|paket|kurye)\w*\s+(?:\w+\s+)?(?:nerede|nerde|ne\s+durumda|ne\s+alemde|ne\s+oldu|ne\s+zaman|hazir\s+(?:mi|oldu\s+mu)|geliyor\s+mu|cikti\s+mi|"
    r"geldi\s+mi)|ne\s+(?:durumda|alemde)|hazir\s+(?:oldu\s+mu|mi)$|(?:daha\s+)?cok\s+(?:var|surer)\s+mi|az\s+mi\s+kaldi|(?:ne\s+zaman|kacta|kaca)\s+(?:gelir|gelecek|hazir|cikar|biter)\w*|what\s+time\s+will\s+(?:it|my|our|the\s+(?:food|order))|"
    r"(?:is|are)\s+(?:it|they|everything)\s+(?:ready|done|coming|on\s+(?:its|the|their)\s+way)|ready\s+yet|any\s+(?:news|updates?)|"
    r"(?:where|wheres|hows|how)\s+(?:is\s+)?(?:my|our|the)\s+(?:order|food)|(?:is|when\s+is|when\s+will)\s+(?:my|our|the)\s+(?:order|food)|"
    r"when\s+will\s+it|status\s+of\s+(?:my|the)\s+order|order\s+status|siparis\w*\s+(?:ne|neler)\s+var|what\s+(?:did|have)\s+(?:i|we)\s+order\w*|(?:ne|neler)\s+(?:soyle|iste|siparis\s+(?:ver|et))m?i?(?:s?ti|di)\w*|ne\s+kadar\s+(?:daha\s+)?(?:sur|bekle|kaldi)\w*|kac\s+dakika|how\s+(?:much\s+)?long(?:er)?)\b"
)
_SUM = re.compile(
    r"\b(?:(?:kac\s+(?:lira|para|tl)|ne\s+kadar|kaca)\s+(?:tut\w+|etti|oldu|yapti|borc\w*|odeyece\w+)|(?:borcumuz|borcum|toplam\w*)\s+(?:ne\s+kadar|kac|nedir|ne)|"
    r"how\s+much\s+(?:do\s+(?:we|i)\s+owe|is\s+(?:it|that|everything)\s+(?:in\s+total|altogether|all\s+together|so\s+far))|what(?:s|\s+is)\s+(?:the|our|my)\s+total)\b|^(?:so\s+|and\s+)?how\s+much\s+is\s+(?:it|that|everything)$"
)
_COMPLAINS = re.compile(
    r"\b(?:bekliyor\w*|(?:dakika|dk|saat)d[iu]r|gelmedi|gelmedik|gecikti|gec\s+kaldi|kimse|rezalet|berbat|soguk(?:tu)?(?!\s+(?:olsun|olabilir|su|bir|i[cs]))|soguk\s+geldi|eksik|yanlis|kirli|bayat|yanik|yanmis|yenm(?:iyor|ez)|cig(?!\s+kofte)|"
    r"(?:sac|kil|bocek|sinek|cam|tas)\s+(?:cikti|var(?!\s+mi))|eksimis|bozuk(?!\s+para)\w*|bozulmus|kok(?:uyor|mus)|sogumus|donmus|cok\s+tuzlu(?:ydu|\s+olmus)?(?!\s+olsun)|"
    r"sigara\s+ici\w+|gurultu\w*|(?:hair|bug|fly|insect|glass|plastic)\s+in|smells?|smoking|noisy|spoiled|gone\s+off|too\s+salty|"
    r"sikayet\w*|memnun\s+(?:degil|kalma)\w*|igrenc|iade|waiting|waited|(?<!too )(?<!how )(?<!so )late|cold|missing|wrong|dirty|nobody|no\s+one|complain\w*|awful|terrible|horrible|"
    r"disgusting|refund|disappointed|raw|burnt|burned|cracked|broken|overcharged|poison\w*|catlak|kirik|lekeli|overcooked|undercooked|rude|slow)\b"
)
_ALLERGIC = re.compile(
    r"\b(?:alerj\w*|allerg\w*|intoleran\w*|colyak\w*|coeliac|celiac|gluten\w*|laktoz\w*|lactose\w*|vegan\w*|vejetaryen\w*|vegetarian\w*)\b"
)
# What stands between words, and within them.
_MARKS, _QUOTES = re.compile(r"[^\w\s'’`´]+"), re.compile(r"['’`´]")
_DIETS = re.compile(r"\b(?:vegan|vejetaryen|vegetarian|veggie)\w*")
_CALLS = re.compile(
    r"\b(?:bakar\s*mi\w*|bakabilir\s*mi\w*|gelir\s*mi\w*|gelebilir\s*mi\w*|(?<!kolay )gelsin|birini\s+gonder\w*|birisi\s+gel\w*|biri\s+gel\w*|garson\w*|pecete\w*|"
    r"catal\w*|bicak\w*|kasik\w*|tuz\w*|karabiber\w*|islak\s+mendil\w*|servis\s+(?:acar|tabagi)\w*|paket(?:le\w*|\s+(?:yap|et)\w*)|waiter|waitress|napkin\w*|fork\w*|knife|knives|spoon\w*|salt|pepper|"
    r"bi(?:r)?\s*sey\s+(?:sor|soyle|isteye|rica)\w*|sorum\s+var|baksana\w*|bak(?:ar|abilir)\s*misin\w*|kul\s+tablasi|ask\s+(?:you\s+)?something|have\s+a\s+question|"
    r"(?:send|get)\s+(?:us\s+)?(?:someone|somebody|anyone)|(?:someone|somebody|anyone)\s+(?:come|over|help)|come\s+(?:here|over|to)|(?:can|could|would)\s+(?:someone|somebody|anyone))\b"
)
_WONDERS = re.compile(r"^(?:\w+\s+){0,2}(?:ne|neler|hangi\w*|nasil|what|which|how)\b")
# What somebody asks for in a dish.
_IN_IT = "sut|sutlu|yumurta|fistik|yer fistigi|findik|ceviz|badem|susam|gluten|bugday|soya|hardal|kereviz|laktoz|balik|nuts?|peanuts?|milk|dairy|eggs?|sesame|wheat|soy|mustard|celery|fish"
_TOPICS: tuple[tuple[Topic, re.Pattern[str]], ...] = (
    ("ways", re.compile(r"\b(?:(?:paket|eve|adrese|evlere)\s+(?:servis\w*|teslim\w*|getir\w*|gonder\w*)\s+(?:var|yapiyor|ediyor|oluyor|mumkun)\w*|gel\s+al\s+(?:var|oluyor|mumkun|yapiyor)\w*|(?:paket|kurye|teslimat)\w*\s+(?:var|yapiyor|ediyor|oluyor)\s*m\w*|do\s+you\s+(?:deliver|do\s+(?:delivery|deliveries|takeaway|take\s*away))|is\s+(?:delivery|takeaway)\s+(?:available|possible)|can\s+(?:i|we)\s+(?:pick\s+up|get\s+(?:it\s+)?delivered))\b")),
    ("paying", re.compile(r"\b(?:(?:kredi\s+)?kart\w*\s+(?:gec\w*|kabul\w*|oluyor\w*|var|odeyebilir\w*|odeme)|nasil\s+ode\w*|(?:kartla|nakit)\s+ode\w*\s+(?:mi\w*|yapabil\w*|yapiliyor|olur\w*|mumkun)|(?:nakit|pos)\s+(?:gec\w*|kabul\w*|olur\w*|var)|(?:accept|take)\s+(?:credit\s+)?(?:cards?|cash|visa)|pay\s+(?:by|with|in)\s+(?:card|cash)|(?:cards?|visa|mastercard)\s+accepted|how\s+can\s+(?:i|we)\s+pay)\b")),
    ("hours", re.compile(r"\b(?:acik\s*mi\w*|kapali\s*mi\w*|kaca\s+kadar|kacta\s+(?:ac|kapa|bit|basl)\w*|how\s+late|until\s+when|last\s+orders?|son\s+siparis\w*|saat\s+kac\w*|calisma\s+saat\w*|acilis|kapanis|kapaniyor\w*|what\s+time|opening\s+hours|when\s+do\s+you\s+(?:open|close)|are\s+you\s+open|open\s+(?:now|today|until)|closing)\b")),
    ("price", re.compile(r"\b(?:kac(?:ar)?\s+(?:para|lira|tl)|kaca|ne\s+kadar(?!\s+sur)|fiyat\w*|ucret\w*|how\s+much|cost\w*|price\w*)\b")),
    ("allergens", re.compile(rf"\b(?:icinde|icerigi|iceri\w*|icer\w+|(?:{_IN_IT})\s+(?:var\s+mi|yok\s+mu|olur\s+mu|iceriyor\w*)|(?:is|are)\s+there\s+(?:any\s+)?(?:{_IN_IT})\s+in|(?:is|are)\s+there\s+(?:any\s+)?\w+\s+in\s+(?:it|them|the|this|that|your)|alerj\w*|allerg\w*|contain\w*|ingredient\w*|vegan\w*|vejetaryen\w*|vegetarian\w*|gluten\w*|laktoz\w*|lactose\w*|nuts?|findik\w*|fistik\w*|ceviz\w*|susam\w*|sesame|dairy|milk)\b.*|.*\b(?:var\s+mi|is\s+there)\b.*\b(?:findik|fistik|gluten|sut)\b")),
    ("place", re.compile(r"\b(?:adresiniz\w*|neredesiniz|nerdesiniz|yeriniz(?!\s+(?:var|mi|olur))|konumunuz\w*|nasil\s+gel\w+|telefonunuz\w*|telefon\s+numara\w*|where\s+are\s+you|your\s+(?:address|location|phone|number)|how\s+do\s+(?:i|we)\s+get|located)\b")),
    ("menu", re.compile(r"\b(?:menu|menuyu|menunuz\w*|menuniz\w*|neler\s+var|ne\s+var|ne\s+(?:oner|tavsiye)\w*|oneri\w*|tavsiye\w*|recommend\w*|suggest\w*|what\s+do\s+you\s+have|what\s+have\s+you\s+got)\b")),
    ("has", re.compile(r"\b(?:var\s*mi\w*|bulunur\s*mu|yapiyor\s*mu\w*|satiyor\s*mu\w*|do\s+you\s+(?:have|serve|sell|do)|have\s+you\s+got|got\s+any|is\s+there|are\s+there|any)\b")),
)  # fmt: skip
_CONTENTS = re.compile(
    rf"\b(?:{_IN_IT}|icinde|icerir|iceriyor|var|yok|mi|mu|acaba|is|are|there|any|in|the|does|do|contain|contains|have|has)\b"
)
_PRICES = re.compile(
    r"\b(?:fiyat\w*|prices?|price\s+list|menu\w*)\b|^(?:kac\s+(?:para|lira|tl)|ne\s+kadar|how\s+much(?:\s+is\s+(?:it|that))?)$"
)
# Sold by weight: the menu's prices are by the portion.
_WEIGHS = re.compile(r"\b(?:\d+|yarim|ceyrek|bir|iki|bucuk|half\s+a|a|one|two)\s*(?:kilo|kg|gram|gr|kilos|pounds?)\b")
_BOOKS = re.compile(
    r"\b(?:dogum\s+gunu\w*\s+(?:icin\s+)?(?:yap|kutla|organiz|yer|pasta|sus)\w*|(?:kutlama|organizasyon|nisan|toplanti)\s+(?:yap|icin|duzenle)\w*|(?:birthday|company|private)\s+(?:party|dinner|event)|rezerv\w*|ayirt\w*|pre\s*order\w*|on\s+siparis\w*|yer\s+ayir\w*|kisilik\s+(?:bos\s+)?(?:yer|masa|fiyat|teklif|menu)\w*|(?:fiyat\s+)?teklif\w*|quote|catering|toplu\s+yemek|anlasma\w*|roportaj|interview|kiminle\s+(?:konus|gorus)\w*|reserv\w*|book(?:ing)?)\b"
)
_THANKS = re.compile(
    r"(?:(?:tamam|tmm|ok|okay|okey|peki|super|harika|great|perfect)\s+)*(?:cok\s+)?(?:tesekkur\w*|sagol\w*|saol\w*|eyvallah|tsk\w*|thanks?|thank\s+you|thx|cheers|ty)(?:\s+(?:ederim|ederiz|so\s+much|a\s+lot|very\s+much|you|cok|iyi\s+(?:aksamlar|gunler|geceler|calismalar)|kolay\s+gelsin|gorusuruz|bye|"
    r"good\s+night|see\s+you|hosca\s*kalin))*"
)
_PRAISES = re.compile(
    r"\b(?:(?:el(?:ler)?inize|eline|emeginize)\s+saglik|(?:cok|harika|muhtesem|nefis|enfes|super|guzel|lezzetli|mukemmel|efsane)\s*(?:guzeldi|lezzetliydi|iyiydi)|"
    r"(?:guzel|lezzetli|harika|nefis|muhtesem|mukemmel|enfes|efsane|super)(?:y?di|ti)|bayildi[mk]|cok\s+begendi[mk]|memnun\s+kaldi[mk]|(?:was|were)\s+(?:\w+\s+)?(?:great|perfect|delicious|amazing|lovely|excellent|good)|"
    r"(?:harika|super|muhtesem|efsane|mukemmel|cok\s+guzel|sahane)\s+(?:cik(?:ti|mis)|ol(?:du|mus)|gec(?:ti|mis))|loved\s+(?:it|everything)|delicious|(?:5|bes|five)\s+(?:yildiz\w*|stars?))\b"
)

# What people say to be kind, and about what.
_COURTESY = re.compile(
    r"\b(?:(?:cok\s+)?(?:tesekkur\w*|sagol\w*|saol\w*|thanks?|thank\s+you|thx)(?:\s+(?:eder\w+|so\s+much|a\s+lot|very\s+much))?|"
    r"(?:her\s*sey\w*|yemek\w*|servis\w*)(?:\s+icin)?|(?:for\s+)?(?:everything|all|(?:the|a)\s+(?:\w+\s+)?(?:food|meal|dinner|lunch|service|evening)))\b"
)
# Whoever sits at another table now; what they ordered has to follow them.
_MOVED = re.compile(
    r"\b(?:masa\w*|numara\w*|\d{1,3}\w{0,3})\s+(?:gec(?:ti[km]|iyoru[mz]|ecegi[mz]|elim|ebilir\w*)|tasin(?:di[km]|iyoru[mz]|abilir\w*))\b|"
    r"\bmasa(?:mi|mizi|yi)\s+degis\w+|\b(?:moved|switched|changed)\s+(?:to\s+)?(?:(?:another|a\s+different|our|the)\s+)?tables?\b"
)


_DAYS = tuple(
    frozenset(names.split())
    for names in (
        "pazartesi pazartesileri monday mondays", "sali salilari tuesday tuesdays", "carsamba carsambalari wednesday wednesdays",
        "persembe persembeleri thursday thursdays", "cuma cumalari friday fridays", "cumartesi cumartesileri saturday saturdays",
        "pazar pazarlari sunday sundays",
    )
)  # fmt: skip


# Somebody who sells to the house, or looks for work.
_FIRM = re.compile(
    r"\b(?:toptan\w*|tedarik\w*|firma(?:miz|m|si|dan)\w*|sirketimiz\w*|is\s*birligi\w*|reklam\w*|ajans\w*|is\s+basvuru\w*|eleman\s+ar\w+|is\s+ar\w+|"
    r"supplier\w*|wholesale\w*|partnership\w*|marketing|agency|our\s+company|job|vacanc\w+|hiring|followers|https?|www)\b"
)


def sells(text: str) -> bool:
    """Whether whoever writes is no guest: people answer them, or nobody."""
    return bool(_FIRM.search(_plain(text)))


# `iptal etmeyin`, `gecikirse iptal edin`: not, or not yet.
_KEEPS = re.compile(
    r"\biptal\s+(?:et|ed)me(?!k)\w*|\b(?:dont|do\s+not|never)\s+cancel|\b\w{2,}(?:[aeiu]rs[ae]|m[ae]zs[ae]|diys[ae]|miss[ae])\b|\b(?:if|unless|otherwise|yoksa)\b"
)


def books(text: str) -> bool:
    """Whether somebody wants a table for later, which people see to."""
    return bool(_BOOKS.search(_plain(text)))


# What was charged is not what was had.
_DISPUTES = re.compile(
    r"\b(?:hesa[pb]|adisyon|fis|fatura|bill|receipt)\w*\b.*\b(?:hata\w*|yanlis\w*|fazla\w*|yaziyor|gorunuyor|yazil\w+|yazmis\w*|cekil\w+|cekmis\w*|wrong|mistake|extra|twice|didnt|never)\b"
    r"|\b(?:overcharged|charged\s+(?:us|me)\s+(?:for|twice)|double\s+charged|fazla\s+(?:cek|yaz|al)(?:il)?mis\w*)\b"
)


# `su döküldü` wants no water.
_SPILT = re.compile(r"\b(?:dokul(?:du|mus)\w*|devril(?:di|mis)\w*|doktu[mk]?|spil(?:led|t)|knocked\s+over)\b")


# `would 2 adana be enough for 3 people`, `10 dakikada hazır olur mu`: nobody has ordered yet.
_ENOUGH = re.compile(
    r"\b(?:yet(?:er|erli|isir)\s+m[iu]\w*|doy(?:ar|urur)\s+m[iu]\w*|dakika(?:da|ya)\s+(?:hazir\s+)?(?:olur|cikar|gelir|yetisir)\s+mu?i?|^(?:would|will|is|are)\b.*\benough)\b"
)


def disputes(text: str) -> bool:
    """Whether somebody says that the bill is wrong, whatever dishes stand on it: people see to it."""
    return bool(_DISPUTES.search(_plain(text)))


def orders_ahead(text: str) -> bool:
    """Whether dishes are wanted for another day."""
    said = _plain(text)
    return bool(re.search(r"\b(?:ayirt\w*|pre\s*order\w*|on\s+siparis\w*)", said))


def is_for_people(text: str) -> bool:
    """Whether people see to it, whatever dishes are named."""
    said = _plain(text)
    return orders_ahead(text) or disputes(text) or bool(_SPILT.search(said) or _ENOUGH.search(said))


def weighs(text: str) -> bool:
    """Whether somebody buys by weight, which people see to."""
    return bool(_WEIGHS.search(_plain(text)))


def cancels(text: str) -> bool:
    said = _plain(text)
    return is_drop(text) or (len(text) <= MAX_WISH and bool(_CANCELS.search(said)) and not _KEEPS.search(said))


# `iptal et ya eşim yemek yapmış`: what is taken back stands before the verb, where it is a dish.
_ALL = re.compile(
    r"\b(?:baska\s+(?:gun|zaman)\w*\s+kalsin|bunlari\s+hazirlamayin|hazirlamayin\s+bunlari|everything|hepsini|her\s?seyi|tumunu|siparis\w*|order)\b|^(?:(?:ya|ay|yok|pardon|lutfen|abi|sorry|no)\s+)*iptal\s+e[dt]\w*\b"
)


def cancels_all(text: str) -> bool:
    """Whether it says that nothing of the order is wanted: `cancel everything, my kid is sick`."""
    return bool(_ALL.search(_plain(text)))


_EVERY = re.compile(
    r"\b(?:everything|both(?:\s+orders)?|all\s+(?:of\s+)?(?:it|them|(?:(?:my|our|the)\s+)?orders)|(?:my|our|the|these)\s+orders|hepsi(?:ni)?|her\s?sey[iı]?|tumu(?:nu)?|(?:butun|tum)\s+siparis\w*|siparisler\w*|ikisi(?:ni)?\s+de|iki\s+siparis\w*)\b"
)
_ORDER_NUMBER = re.compile(r"\b[A-Za-z]{2,5}-\d{8}-\d{3,}\b")
_CALLS_OFF = re.compile(r"\b(?:iptal|cancel|vazgec\w+)\b")


def calls_off(text: str) -> bool:
    return bool(_CALLS_OFF.search(_plain(text)))


def cancels_every(text: str) -> bool:
    """Whether all orders are meant, and not the last one alone: `hepsini iptal edin`, `cancel both orders`."""
    said = _plain(text)
    is_short = len(text) <= MAX_WISH and not _KEEPS.search(said)
    return is_short and bool(_EVERY.search(said)) and (cancels(text) or bool(_CALLS_OFF.search(said)))


def cancels_by_number(text: str) -> bool:
    return (
        bool(_CALLS_OFF.search(_plain(text))) and bool(_ORDER_NUMBER.search(text)) and not _KEEPS.search(_plain(text))
    )


def wants_again(text: str) -> bool:
    return len(text) <= MAX_WISH and bool(_AGAIN.search(_plain(text)))


def asks_for_news(text: str) -> bool:
    return len(text) <= MAX_WISH and bool(_NEWS.search(_plain(text)))


def asks_for_sum(text: str) -> bool:
    """What they owe so far; whoever asks for the bill wants somebody to come."""
    return len(text) <= MAX_WISH and bool(_SUM.search(_plain(text)))


def complains(text: str) -> bool:
    return bool(_COMPLAINS.search(_plain(text))) or disputes(text)


def is_allergic(text: str) -> bool:
    return bool(_ALLERGIC.search(_plain(text)))


def diet_of(text: str) -> Literal["vegan", "vegetarian"] | None:
    """What somebody eats who asks for it; whoever tells of an allergy besides is answered by people."""
    said = _plain(text)
    if re.search(r"\b(?:alerj|allerg|intoleran|colyak|coeliac|celiac)", said):
        return None
    found = _DIETS.search(said)
    return None if found is None else "vegan" if found[0].startswith("vegan") else "vegetarian"


def calls_somebody(text: str) -> bool:
    return len(text) <= MAX_WISH and bool(_CALLS.search(_plain(text)))


def wonders(text: str) -> bool:
    """Whether somebody asks something that happens to be about the past: `bugün ne pişti`, `bir şey soracaktım`."""
    return calls_somebody(text) or bool(_WONDERS.search(_plain(text)))


def thanks(text: str) -> bool:
    return bool(_THANKS.fullmatch(_plain(text).strip()))


def praises(text: str) -> bool:
    return bool(_PRAISES.search(_plain(text))) and not complains(text)


def without_courtesy(text: str) -> str:
    """What somebody wants besides being kind; the whole text of who complains as well."""
    said = _plain(text)
    return said if complains(text) else _COURTESY.sub(" ", _PRAISES.sub(" ", said)).strip()


def moved(text: str) -> bool:
    """Whether somebody tells that they sit elsewhere now, or would like to."""
    return len(text) <= MAX_WISH and bool(_MOVED.search(_plain(text)))


def topic_of(text: str) -> Topic | None:
    """What a question is about."""
    said = _plain(text)
    return next((topic for topic, pattern in _TOPICS if pattern.search(said)), None) if len(text) <= MAX_WISH else None


def without_topic(text: str) -> str:
    """A question without the words that tell what it is about."""
    said = _plain(text)
    if topic_of(text) == "allergens":
        return without_contents(text)
    pattern = next((pattern for topic, pattern in _TOPICS if pattern.search(said)), None)
    return said if pattern is None else pattern.sub(" ", said, count=1)


def asks_for_prices(text: str) -> bool:
    """Whether somebody asks what things cost here, and not what one of them does that the menu may not have."""
    return bool(_PRICES.search(_plain(text)))


def asks_for_phone(text: str) -> bool:
    return bool(re.search(r"\b(?:telefon|phone|numara)", _plain(text)))


def without_contents(text: str) -> str:
    """The words of a question about what is in a dish, without what is asked for."""
    return _CONTENTS.sub(" ", _plain(text)).strip()


def day_in(text: str, today: date) -> date | None:
    """The day that a question is about, from today on; nothing where none is named."""
    said = set(_plain(text).split())
    if said & {"yarin", "tomorrow"}:
        return today + timedelta(days=1)
    for day in (today + timedelta(days=ahead) for ahead in range(7)):
        if said & _DAYS[day.weekday()]:
            return day
    return None


# A text is asked many things while it is answered. Only the last few are kept: they are guests' words.
@lru_cache(maxsize=16)
def _plain(text: str) -> str:
    return _QUOTES.sub("", _MARKS.sub(" ", fold(text))).strip()
