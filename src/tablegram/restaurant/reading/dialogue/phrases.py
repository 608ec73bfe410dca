"""How people say that something of an order is to be otherwise, in folded words."""

from __future__ import annotations

import re

from tablegram.restaurant.reading.sentences import places
from tablegram.values.folding import fold_in_place

ENDS = r"(?:\s+(?:lutfen|olsun|yap|yapin|yapalim|yap(?:ar|abilir) mi\w+|olabilir mi|olur mu|alayim|alalim|istiyorum|istiyoruz|please|then|pls|ver|verin|diyecekti[mk]|yazacakti[mk]|demek\s+iste(?:mis)?ti[mk]|olacakti))*"
# `leave the onion out of the salad`, `beytiyi ikiye düşür`: the same in words that are read.
_APART = re.compile(
    r"^(?:leave|take|keep|hold)\s+(?:the\s+)?(?P<what>(?!out\b|off\b)\w(?:(?!\s+and\b)[\w\s'’])*?)\s+(?:out|off|away)(?:\s*(?:of|from|on)?\s+(?:the\s+|my\s+|our\s+)?(?P<dish>(?!and\b|then\b)\w(?:(?!\s+and\b)[\w\s'’])*?))?(?P<end>\s+please)?$|^hold\s+the\s+(?P<held>[\w\s]+)$"
)
# `put oat milk in the coffee`; what is added to an order is a dish of its own.
_INTO = re.compile(
    r"^(?:please\s+)?(?:put|add|pour|stick)\s+(?:some\s+|an?\s+)?(?P<what>[^\d]+?)\s+(?:in|on|to|into|onto)\s+(?:the|my|our|their)\s+(?P<dish>(?!order|bill|list|table|tab)\w[\w\s]*?)(?:\s+please)?$"
)
# `no garlic on the manti`: of the dish, which stays.
_NONE_ON = re.compile(
    r"^(?:please\s+)?(?:no|without|skip|minus|forget)\s+(?:the\s+|any\s+)?(?P<what>[^\d,;]+?)\s+(?:on|in|with|for|inside)\s+(?:the|my|our|their|that|this)\s+(?P<dish>(?!order|bill|list|table|tab)\w[\w\s'’]*?)(?:\s+please)?$"
)
ON_A_DISH = re.compile(r"\w\s+(?:on|in|with|inside)\s+(?:the|my|our|their|that|this)\s+\w")
_TO_COUNT = re.compile(
    r"^(?P<what>.+?)\s+(?P<count>bire|ikiye|uce|dorde|bese|altiya|yediye|sekize|dokuza|ona|\d{1,2}\s*['’]?\s*(?:[ea]|y[ea]))\s+(?:dusur|dussun|indir|insin|ciksin|cikar|tamamla|yukselt|cogalt|art?tir)\w*(?:\s+mi\w+)?(?:\s+lutfen)?$"
    r"|^(?:please\s+)?(?:reduce|lower|cut|drop|bring|bump|up|raise|increase)\s+(?:the\s+|my\s+|our\s+)?(?P<en>[\w\s]+?)\s+(?:down\s+|up\s+)?to\s+(?:just\s+)?(?P<number>\w+)(?:\s+please)?$"
)
_COUNTS = {"bire": 1, "ikiye": 2, "uce": 3, "dorde": 4, "bese": 5, "altiya": 6, "yediye": 7, "sekize": 8, "dokuza": 9, "ona": 10}  # fmt: skip


_NOT_SO_MANY = re.compile(
    r"^(?P<what>[^\d,;]+?)\s+(?:\d{1,2}|bir|iki|uc|dort|bes|alti)\s+(?:tane\s+)?(?:olmasin|degil)[\s,]+(?P<count>\d{1,2}|bir|iki|uc|dort|bes|alti)(?:\s+tane)?\s+(?:olsun|yap\w*|olacak\w*)$"
)
# `çorba kalsın gerisi iptal`.
_KEEPS_ALONE = re.compile(
    r"^(?P<kept>[^,;]+?)\s+kalsin(?:lar)?[\s,]+(?:ama\s+)?(?:gerisi|gerisini|geri\s+kalan\w*|digerleri\w*|kalani|kalanlar\w*|oburleri\w*)\s+(?:iptal|olmasin|gitsin|cikar|sil|kalmasin|gerek)\w*.{0,15}$"
    r"|^(?:just\s+)?(?:keep|leave)\s+(?:the\s+|my\s+)?(?P<en>[^,;]+?)[\s,]+(?:and\s+)?(?:cancel|drop|remove|forget|scrap)\s+(?:the\s+rest|everything\s+else|the\s+others?)(?:\s+please)?$"
)
# `kolaların hepsi şekersiz`.
_ALL_OF = re.compile(
    r"^(?P<dish>\S{4,}?)(?:larin|lerin|nin|lar|ler|in|un)?\s+(?:hepsi|tumu|tamami)(?:ni)?\s+(?:de\s+|da\s+)?(?=\w)"
)
_EXTRA = re.compile(
    r"^(?P<what>(?:bir|iki|uc|dort|bes|\d{1,2})\s+.+?)\s+fazla(?:dan)?(?:\s+(?:olsun|ver(?:in)?|yap(?:in)?|getirin|alalim))?$"
)
_COOKED = re.compile(r"\b(?P<how>(?:cok\s+)?iyi(?:ce)?|az|orta)\s+pi(?:ssin|ssinler|sirin|sirilsin|siriniz)\b")


def plainer(said: str) -> str:
    shown, folded = fold_in_place(said.strip())
    cooked = _COOKED.search(folded)
    if cooked is not None:
        how = "iyi" if "iyi" in cooked["how"] else cooked["how"]
        return plainer(f"{shown[: cooked.start()]}{how} pişmiş olsun{shown[cooked.end() :]}")
    kept = _KEEPS_ALONE.fullmatch(folded)
    if kept is not None:
        name = "kept" if kept["kept"] else "en"
        return f"sadece {shown[slice(*kept.span(name))]} kalsın"
    both = _ALL_OF.match(folded)
    if both is not None:
        return plainer(f"{shown[: both.end('dish')]} {shown[both.end() :]}")
    other = _NOT_SO_MANY.fullmatch(folded)
    if other is not None:
        return f"{shown[slice(*other.span('what'))]} {other['count']} olsun"
    extra = _EXTRA.fullmatch(folded)
    if extra is not None:
        return f"{shown[slice(*extra.span('what'))]} daha"
    apart = _APART.fullmatch(folded)
    if apart is not None:
        what, dish = (shown[slice(*apart.span(name))] if apart[name] else "" for name in ("what", "dish"))
        what = what or shown[slice(*apart.span("held"))]
        return f"{dish} without {what}" if dish else f"no {what}"
    none = _NONE_ON.fullmatch(folded)
    if none is not None:
        return f"{shown[slice(*none.span('dish'))]} without {shown[slice(*none.span('what'))]}"
    into = _INTO.fullmatch(folded)
    if into is not None:
        return f"{shown[slice(*into.span('dish'))]} with {shown[slice(*into.span('what'))]}"
    found = _TO_COUNT.fullmatch(folded)
    if found is None:
        return said
    if found["en"]:
        return f"make it {found['number']} {shown[slice(*found.span('en'))]}"
    count = _COUNTS.get(found["count"]) or re.sub(r"\D", "", found["count"])
    return f"{shown[slice(*found.span('what'))]} {count} olsun"


# What is exchanged, and for what. `old` or `new` may be a mere number.
EXCHANGES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?P<old>.+?)\s+(?:iptal(?:\s+ed\w+)?|vazgectim|kalsin|olmasin)\b[\s,.;]*(?:onun\s+)?yerine\s+(?P<new>.+?){ENDS}",
        rf"(?P<old>.+?)\s+yerine\s+(?P<new>.+?){ENDS}",
        rf"(?P<old>.+?)\s+degil[\s,;:]+(?P<new>.+?){ENDS}",
        rf"(?P<old>.+?)\s+(?:de|iste|soyle|yaz)mist(?:ik|im)[\s,;:]+(?P<new>.+?){ENDS}",
        rf"(?P<new>.+?)\s+instead\s+of\s+(?:the\s+)?(?P<old>.+?){ENDS}",
        rf"instead\s+of\s+(?:the\s+)?(?P<old>.+?)(?:,|\s+(?:i|we)(?:['’]?(?:d|ll)|\s+(?:would|will))?(?:\s+(?:take|have|want|like|prefer|rather))*\b|\s+make\b|\s+give\b)\s*(?P<new>.+?){ENDS}",
        rf"not\s+(?P<old>.+?)(?:,|\s+but)\s+(?P<new>.+?){ENDS}",
        rf"(?:change|swap|switch|exchange|replace)\s+(?:the\s+|my\s+)?(?P<old>.+?)\s+(?:to|for|with|into)\s+(?:an?\s+)?(?P<new>.+?){ENDS}",
        rf"(?P<old>.+?)\s+(?:no\s+wait|scratch\s+that|yok\s+yok|yok\s+pardon|dur\s+pardon|pardon|sorry)[\s,.;]+(?P<new>.+?){ENDS}",
        rf"(?P<new>.+?),?\s+not\s+(?P<old>.+?){ENDS}",
        rf"(?:can|could|may)\s+(?P<old>(?:\d{{1,2}}|one|two|three|four|five)\s+of\s+(?:the|my|our)\s+[^\d,;]+?)\s+be\s+(?:an?\s+)?(?P<new>.+?){ENDS}",
        # `one urfa should be a chicken shish`.
        rf"(?:make\s+)?(?P<old>(?:\d{{1,2}}|an?|one|two|three|four|five)\s+(?:of\s+(?:the|my|our)\s+)?[^\d,;]+?)\s+(?:should|must|needs?\s+to|has\s+to|have\s+to|(?:was|were)\s+(?:meant|supposed)\s+to|is\s+to|are\s+to)\s+(?:be|have\s+been)\s+(?:an?\s+)?(?P<new>.+?){ENDS}",
        # `kolaları ayran yapalım`, `kolayı ayranla değiştirelim`, `make the urfa a chicken shish`.
        r"(?P<old>\S{3,}(?:[iu]|[iu]n[iu]))\s+(?P<new>.+?)\s+(?:yap|yapin|yapalim|yap(?:ar|abilir) mi\w+)(?:\s+lutfen)?",
        r"(?P<old>\S{3,}(?:[iu]|[iu]n[iu]))\s+(?P<new>.+?)(?:\s+ile|y?l[ae])\s+degistir\w*(?:\s+mi\w+)?(?:\s+lutfen)?(?:\s+(?:ikisi|ucu|dordu|hepsi)n[iu](?:\s+d[ea])?)?",
        rf"make\s+(?:the|my)\s+(?P<old>\w+)\s+(?:an?\s+)?(?P<new>[^\d]+?){ENDS}",
        # `kolalar ayran olsun`.
        r"(?P<old>\S{3,}l[ae]r)\s+(?:da\s+|de\s+)?(?P<new>[^\d,;]+?)\s+olsun(?:\s+lutfen)?",
    )
)
# `birini ezogelin yapalım`: so many of what is ordered.
PART_OF = re.compile(
    r"(?P<part>tek(?:i|ini)|bir(?:i|ini|isi|isini|\s+tanesi|\s+tanesini)|iki(?:si|sini|\s+tanesi|\s+tanesini)|uc(?:u|unu)|(?:one|two|three)\s+of\s+(?:them|those|these))"
    r"\s+(?:de\s+|da\s+)?(?P<new>.+?)\s+(?:olsun|olacak|olacakti|yap|yapin|yapalim|yap(?:ar|abilir) mi\w+)(?:\s+lutfen)?"
    r"|(?P<some>one|two|three)\s+of\s+(?:them|those|these)\s+(?:should|could|can|must|to)\s+be\s+(?:an?\s+)?(?P<instead>[^\d]+?)(?:\s+(?:please|instead))*"
    r"|(?:make|change)\s+(?P<en>one|two|three)(?:\s+of\s+(?:them|those|these))?\s+(?:to\s+|into\s+)?(?:an?\s+)?(?P<other>[^\d]+?)(?:\s+(?:please|instead))*"
)
LESS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?!sadece|yalniz)(?P<old>.+?)\s+(?:olmasin|istemiyorum|istemiyoruz|istemem|istemeyelim|bosver|bosverin|bos ver|eksik olsun|cikar|ciksin|cikarin|cikart|cikartin|cikaralim|cikarir misiniz|iptal eder mi\w+|(?:cikar|cikart|iptal ed|sil)[ae]bilir m[iu]\w+|"
        r"iptal(?: et| edin| edelim| olsun| edelim mi)?|kalsin|sil|silin|silelim|almayayim|almayalim|gerek yok|vazgectim|vazgectik|"
        r"gelmesin|gitsin|dursun|eksilt|eksiltin|azalt|azaltin|dusun)(?:\s+(?:lutfen|artik|please|pardon|sorry))*",
        r"(?:remove|cancel|drop|delete|scrap|scratch|ditch|skip|without|no|take off|take out|leave out|leave off|minus|forget|lose)\s+"
        r"(?:the\s+|my\s+|that\s+|those\s+)?(?P<old>[^,;.]+?)(?:\s+(?:please|pls|then|sorry|anymore|any more|after all))*",
        r"vazgec(?:ti[mk]|iyoru[mz])\s+(?P<old>\S{3,}?)[dt][ae]n(?:[\s,;.].*)?",
        r"(?P<old>[^,;.]+?)\s+(?:less|fewer)(?:\s+please)*",
        r"(?:i|we)?\s*(?:dont|do not|don't|no longer)\s+(?:want|need)\s+(?:the\s+|any\s+|that\s+)?(?P<old>.+?)(?:\s+(?:please|anymore|any more))*",
    )
)
# What is taken back first, and what is wanted then.
TWICE = re.compile(
    r"(?P<first>.+?\b(?:olmasin|istemiyor\w+|cikar\w*|iptal(?: et| edin| edelim| olsun| ed(?:er|ebilir) mi\w+)?|kalsin|vazgec\w+|almayalim|almayayim|bosver\w*|sil(?:in|elim)?))\b"
    r"(?:[\s,.;]|\b(?:onun yerine|yerine|ve|sonra)\b)+(?P<then>.+)"
)
TWICE_EN = re.compile(
    r"(?P<first>(?:no|remove|cancel|drop|without|skip|forget|leave out|take off)\s+[^,;.]+?)(?:[\s,.;]|\b(?:and|but)\b)+(?P<then>(?:\d|an?|one|two|three|four|five|six|add|make|just|only)\b.+)"
)
# What was said before does not count any more; what is wanted comes behind it.
RETHINKS = re.compile(
    r"(?:(?:yok|hayir|dur|ya|ay|aa|no|oh|wait|sorry|pardon)[\s,]+)*(?:vazgectim|vazgectik|fikrimi degistirdim|i changed my mind|changed my mind|i meant?|we meant?|demek istedim|yani|make\s+(?:it|that))[\s,.;:]+(?:the\s+)?"
    rf"(?P<new>.+?){ENDS}"
)
MEANT = re.compile(
    r"(?P<new>.+?)\s+(?:demek\s+iste(?:mis)?ti[mk]|demek\s+istedi[mk]|diyecekti[mk]|olacakti(?:\s+on(?:lar|un|u))?)"
)
# `masa 7 değil 8`: where it goes, and where not.
OTHER_TABLE = re.compile(
    r"(?:masa\s*)?\d{1,3}\s*(?:\.\s*masa\s*)?(?:degil|yerine)[\s,]*(?:masa\s*)?(?P<new>\d{1,3})\b.{0,20}|not\s+(?:table\s+)?\d{1,3},?\s+(?:but\s+)?(?:table\s+)?(?P<en>\d{1,3})"
)
COUNTS = tuple(
    re.compile(pattern)
    for pattern in (
        r"(?:make|change)\s+(?:it|that|them|the)\s+(?:to\s+)?(?P<new>.+?)(?:\s+(?:please|instead|then))*",
        r"(?:only|just|sadece|yalnizca|i\s+said|we\s+said)\s+(?P<new>.+?)(?:\s+(?:please|pls|kalsin|olsun|lutfen))*",
        r"(?P<new>.+?)\s+(?:yeter|yeterli|yetecek|is\s+enough|will\s+do)(?:\s+(?:lutfen|please))*",
        # `iki tane`, and nothing else.
        r"(?P<new>\S+\s+(?:tane|adet|tanesi))(?:\s+(?:lutfen|pls|please|istiyorum|istiyoruz))*",
        r"(?P<new>.+?)\s+(?:olsun|yap|yapin|yapalim|yapar misiniz|yaparsaniz|yapabilir misiniz|olacak|olacakti)(?:\s+(?:lutfen|pls|please))*",
    )
)
# `6 şar olsun`: of everything.
OF_EACH = re.compile(
    r"(?:.*\s)?(?P<count>\d{1,2}(?=\s*['’]?(?:s?er|s?ar)\b)|birer|ikiser|ucer|dorder|beser)\b.*"
    r"|(?:.*\s)?(?P<en>\d{1,2}|one|two|three|four|five|six|seven|eight|ten)\s+(?:of\s+)?(?:each|everything|both)\b.*"
)
OF_EACH_WORDS = ("er", "ar", "each", "everything", "both")
EACH = {"birer": 1, "ikiser": 2, "ucer": 3, "dorder": 4, "beser": 5}
# `sadece adana kalsın`: nothing else.
ALONE = re.compile(
    r"(?:only|just|sadece|yalnizca)\s+(?:the\s+)?(?P<new>.+?)(?:\s+(?:please|pls|kalsin|olsun|yeter|lutfen))*"
)
# Everything is said anew.
ANEW = re.compile(
    r"(?:(?:hepsini|tumunu|her\s?seyi|onlari|everything|all\s+of\s+(?:it|them))\s+(?:iptal|sil)\w*(?:\s+(?:et|edin|edelim|edip))?|(?:cancel|scrap|forget)\s+(?:everything|all\s+(?:of\s+)?(?:it|that)|that|it)"
    r"|(?:en\s+)?bastan(?:\s+(?:alalim|yaziyorum|soyleyeyim|soyluyorum|yazayim))?|sifirdan|from\s+scratch|start(?:ing)?\s+over)[\s,.;:]+(?:and\s+|ve\s+|yerine\s+)*(?P<new>.+)"
)
# What is left of `büyük yapalım` without the verb.
VERB = re.compile(r"\s+(?:yap|yapin|yapalim|yap(?:ar|abilir) mi\w+|olabilir mi|olur mu)(?:\s+lutfen)?$")
MORE = re.compile(rf"(?P<new>\S+(?:\s+(?:tane|adet))?)\s+(?:daha|more){ENDS}")
# Endings that only point at what is ordered: `ayranı`, `çaylardan`, `çay sayısını`.
POINTS = re.compile(r"\b(?:sayisini|sayisi|adedini|adedi|olan|olani|tane|tanesi|tanesini|adet)\b")


# `ayranı şalgamla değiştirelim acısız`, `çayı kahve yap sade`: what is wanted goes on behind the verb.
MAKES = re.compile(
    r"(?P<old>\S{3,}(?:[iu]|[iu]n[iu]))\s+(?:da\s+|de\s+)?(?P<new>.+?)(?:(?:\s+ile|y?l[ae])\s+degistir\w*|\s+(?:yap|yapin|yapalim|olarak degistir\w*|olarak degisebilir\w*|yap(?:ar|abilir)))(?:\s+m[iu]\w+)?"
    r"(?P<more>[\s,]+.+)"
)
MAKE = re.compile(r"^\s*(?:please\s+|can you\s+|could you\s+)*make\s+(?:(?:the|my|our)\s+)?", re.IGNORECASE)
OF_THEM = re.compile(r"\s+of\s+(?:the|my|our|these|those)\s+", re.IGNORECASE)
# How something is to be that is ordered already.
PREPARES = re.compile(
    r"\b(?:olsun|olmasin|olabilir|olur mu|olacak|olacakti|yap(?:in|alim|ar|abilir|ilsin)?|make|should be|must be|to be|can be|could be|koy(?:un|ar|alim|arsaniz)?)\b|^(?:no|without|extra)\b"
)
THATS_ALL = re.compile(
    r"\b(?:that.?s|that\s+is|that\s+will\s+be)\s+all|hepsi\s+(?:bu|o)(?:\s+kadar)?|bu\s+kadar\b|\b\d{1,2}\s+kisiyi[zk]\b|\bwe(?:\s+are|['’]?re)\s+\w+\s+people\b"
)
AT_TABLE = re.compile(places.TABLE)
# `ayran yerine kola, ikisine de`: of all that are meant.
BOTH = re.compile(
    r"[\s,]*\b(?:her\s+)?(?:(?:ikisi|ucu|dordu|besi|altisi)(?:n[iu]n?|n[ea])?\s*(?:de|da)|hepsi(?:ni|ne|nin)?(?:\s+de)?|both(?:\s+of\s+(?:them|the))?|all\s+of\s+them)\b"
)
