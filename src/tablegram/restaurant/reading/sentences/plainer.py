"""A text in plainer words: how people say where they sit and what else they need, as the reader knows it.

What changes is only how it is said. What somebody needs besides dishes, and when they come, is set aside as a note.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from tablegram.restaurant.reading.letters.spelling import distance
from tablegram.restaurant.reading.sentences.seats import says_any, seated
from tablegram.restaurant.reading.words.lexicon import NUMBERS, TENS
from tablegram.values.folding import fold_in_place

_COUNTED = {**NUMBERS, **TENS}
_NUMBER = (
    rf"(?:\d{{1,3}}|{'|'.join(word for word, value in _COUNTED.items() if value and word.isalpha() and len(word) > 2)})"
)
# `8. masa` at the end of a clause; before a number it is read as it stands.
_ORDINAL = re.compile(r"(?<![\w.,])(\d{1,3})\s*\.\s*masa\b(?!\s*\d)")
# `8 numara 4 çay`: nobody orders eight of a number.
_FIRST = re.compile(
    rf"^(?:\W*(?:selam\w*|slm|merhaba\w*|mrb|iyi|gunaydin|gunler|aksamlar|hocam|abi|usta\w*|kolay|gelsin|pardon|burasi|biz|hey|hi|hello)\b)*\W*(\d{{1,3}})\s*numara\s+(?:burasi\s+|buras[iı]\W+)?(?=.*\b(?:{_NUMBER}|uc)\b)",
    re.DOTALL,
)
# `2 çay 8 numara`, at the end of what is ordered.
_LAST = re.compile(r"(?<=[a-z]{2}[\s,.;])\s*(\d{1,3})\s*numara(?=\s*(?:[,.;!\n]|lutfen|$))")
# `masa 4 değil 5`, `masa dört pardon altı`, and then nothing that could be counted by it.
OTHER_TABLE = re.compile(
    rf"\b(?:masa|table)\s*{_NUMBER}[\s,.]*(?:(?:degil\w*|yok|pardon|hayir|yanlis\w*|sorry|not|no|wait|i\s+mean|actually|aslinda|dur)[\s,.]+)+(?:masa|table)?\s*({_NUMBER})(?:\s*['’]?\s*(?:mis|ymis|ydi|idi|di)\b|\s*numara\w*)?(?:\s+(?:biz|bizimki|bizim))?(?=\s*(?:[,.;\n]|olacak\w*|$))"
)
OTHER_TABLE_WORDS = (
    "degil", "yok", "pardon", "hayir", "yanlis", "sorry", "not", "no", "wait", "mean", "actually", "aslinda", "dur",
)  # fmt: skip
# `2 çay, sonra bir tane de künefe` goes on counting; what is wanted in an hour, or will be taken later, does not.
_THEN = re.compile(
    rf"(?<!saat )(?<!dakika )(?<!dk )(?<!daha )\bsonra(?:\s+da)?\s+(?={_NUMBER}\b(?!\s*(?:saat|dakika|dk))(?!.*\b(?:al[ia]ri[zm]|alaca\w+|alica\w+|soyleri[zm]|soyleye\w+|isteri[zm]|isteye\w+|yeri[zm]|geli\w+)\b))",
    re.DOTALL,
)

# When somebody comes for it.
_COMES = (
    rf"(?:(?:yarim|bir|1)\s+saat(?:e|te)?|{_NUMBER}\s*(?:dakika|dakka|dk)\s*(?:ya|da|ye)?)(?:\s+(?:sonra|icinde|kadar))*\s+"
    r"(?:gelip\s+al\w+|gelirim|geliriz|geliyorum|geliyoruz|gelecegim|gelecegiz|gelicem|alirim|aliriz|alacagim|alacagiz|oradayi[mz]|ordayi[mz])"
    rf"|(?:ill|i will|well|we will|will)?\s*(?:pick\s+(?:it|them)\s+up|collect\s+(?:it|them)|come|be\s+there)\s+in\s+(?:half\s+an\s+hour|an\s+hour|{_NUMBER}\s*min(?:ute)?s?)"
)
# What lies beside the plate.
_BESIDE = rf"(?:{_NUMBER}\s+(?:tane\s+)?)?(?:catal|kasik|bicak|pecete|pipet|kurdan|islak\s+mendil|spoons?|forks?|napkins?|straws?)\b"
# What whoever brings it does at the door, and why.
_AT_THE_DOOR = (
    r"(?:(?:kapi(?:yi|da)?\s+|kapinin\s+)?zil(?:e|i|ini)\s+(?:lutfen\s+)?(?:bas\w+|cal\w+)|kapiyi\s+(?:lutfen\s+)?(?:cal\w+|tikla\w+|vur\w+)|"
    r"(?:kapiya|kapinin\s+onune|guvenlige|danismaya|resepsiyona)\s+(?:lutfen\s+)?(?:birak\w*|as\w+|koy\w*)|gelince\s+(?:lutfen\s+)?ara\w*|"
    r"(?:please\s+)?(?:do\s+not|don.?t)\s+(?:ring|use)\s+the\s+(?:door\s*)?bell|(?:please\s+)?(?:ring|knock)\s+(?:on\s+)?the\s+(?:door\s*bell|bell|door)|"
    r"(?:please\s+)?leave\s+it\s+(?:at|by|in\s+front\s+of)\s+the\s+door)"
    r"(?:\s+lutfen)?(?:[\s,]+(?:cunku\s+)?(?:bebe\w+|cocu\w+|kope\w+|kedi\w*|anne\w+|baba\w+)\s+(?:uyu\w+|hasta|kork\w+|havl\w+|rahatsiz\s+ol\w+)"
    r"|[\s,]+(?:(?:as|because)\s+)?(?:the|my|our)\s+(?:baby|kids?|children|dog)\s+(?:is|are)\s+(?:sleeping|asleep|ill|scared|afraid)|[\s,]+(?:baby|dog)\s+(?:is\s+)?(?:sleeping|asleep))?"
)
ASIDE = re.compile(rf"(?:\b(?:ve|bir de|and)\s+)?\b(?P<note>(?P<comes>{_COMES})|{_BESIDE}|{_AT_THE_DOOR})")
ASIDE_WORDS = (
    "saat", "dakika", "dakka", "dk", "pick", "collect", "come", "there", "catal", "kasik", "bicak", "pecete", "pipet",
    "kurdan", "mendil", "spoon", "fork", "napkin", "straw", "zil", "kapi", "guvenlige", "danismaya", "resepsiyona",
    "gelince", "ring", "use", "knock", "leave",
)  # fmt: skip
# What stands on the table anyway and may be a dish or an option of this house: set aside only where it is neither.
GOES_WITH = re.compile(
    rf"(?:\b(?:ve|bir de|and)\s+)?\b(?P<note>(?:(?:yanina|yaninda|birkac|biraz|bol|extra|ekstra|some|(?<!masa )(?<!masa no )(?<!table ){_NUMBER})\s+)+(?:(?:tane|adet|dilim|parca|slices?\s+of|pieces?\s+of)\s+)?"
    r"(?:limon|buz|ketcap|mayonez|hardal|tuz|karabiber|pul\s*biber|nar\s+eksisi|aci\s+sos|lemons?|ice(?:\s+cubes?)?|ketchup|mayo(?:nnaise)?|mustard|hot\s+sauce)"
    r"(?:\s+dilimi)?(?:\s+(?:da|de))?)(?=\s*(?:[,.;!\n]|$|lutfen|please|alalim|alabilir|olsun|gelsin|koyun|koyar|getirin|var|masa|table))"
)
GOES_WITH_WORDS = (
    "limon", "lemon", "buz", "ice", "ketcap", "ketchup", "mayo", "hardal", "mustard", "tuz", "biber", "eksisi", "sos", "sauce",
)  # fmt: skip

_FIGURE = re.compile(r"\d")
# Nobody needs more of it.
_MOST_ASIDE = 4


# A text is made plainer each time it is looked at. Only the last few are kept.
@lru_cache(maxsize=16)
def plainer(text: str) -> str:
    text = seated(text)
    shown, folded = fold_in_place(text)
    has_figure = _FIGURE.search(folded) is not None
    for rule in RULES:
        may_be = (has_figure or not rule.has_figure) and says_any(folded, rule.words)
        match = rule.pattern.search(folded) if may_be else None
        if match is not None:
            text = f"{shown[: match.start()]}{rule.said(match)}{shown[match.end() :]}"
            shown, folded = fold_in_place(text)
            has_figure = _FIGURE.search(folded) is not None
    asks = _ASKS_TO.search(folded) if says_any(folded, _ASKS_TO_WORDS) and _COUNTS.search(folded) else None
    return text if asks is None else f"{shown[: asks.start()]}lütfen{shown[asks.end() :]}"


def takes_table_back(text: str) -> bool:
    """`masa 8 yok pardon 9`: what comes behind could be how many as well."""
    folded = fold_in_place(seated(text))[1]
    if not (says_any(folded, OTHER_TABLE_WORDS) and says_any(folded, ("masa", "table", "numara"))):
        return False
    return OTHER_TABLE.search(fold_in_place(_LAST.sub(r" masa \1", folded))[1]) is not None


def _table(word: str) -> str:
    is_table = len(word) >= 4 and word != "tables" and distance(word, "table", 1) == 1
    is_masa = len(word) > 4 and set(word) == set("masa")
    return "table" if is_table else "masa" if is_masa else word


class Aside(NamedTuple):
    """The text without what is no dish, that as notes, and whether somebody comes for the order."""

    rest: str
    notes: tuple[str, ...]
    comes: bool


def aside(text: str) -> Aside | None:
    return _set_aside(text, ASIDE, ASIDE_WORDS)


def _set_aside(text: str, pattern: re.Pattern[str], words: tuple[str, ...]) -> Aside | None:
    shown, folded = fold_in_place(text)
    found = list(islice(pattern.finditer(folded), _MOST_ASIDE)) if says_any(folded, words) else []
    if not found:
        return None
    rest = shown
    for match in reversed(found):
        rest = f"{rest[: match.start()]} {rest[match.end() :]}"
    notes = tuple(shown[slice(*match.span("note"))].strip() for match in found)
    return Aside(rest.strip(" ,;."), notes, pattern is ASIDE and any(match["comes"] for match in found))


def goes_with(text: str) -> Aside | None:
    """The same for what goes with dishes, which only somebody who knows the menu can tell from one."""
    return _set_aside(text, GOES_WITH, GOES_WITH_WORDS)


def scoops(text: str) -> Aside | None:
    """`3 top dondurma` is one dish, and how many scoops it has is a note."""
    shown, folded = fold_in_place(text)
    is_ice = says_any(folded, ("dondurma", "cream")) and re.search(r"\b(?:dondurma|ice\s*cream)", folded)
    found = _SCOOPS.search(folded) if is_ice else None
    if found is None:
        return None
    dish = shown[slice(*found.span("dish"))] if found["dish"] else ""
    # Behind the dish it counts nothing else.
    number = "1" if dish else ""
    rest = f"{shown[: found.start()]}{number}{dish}{shown[found.end() :]}".strip()
    return Aside(rest if dish else f"1 {rest}", (shown[slice(*found.span("note"))],), comes=False)


def _figure(said: str) -> str:
    return said if said.isdigit() else str(_COUNTED[said])


# `şu an masa 5'teyiz`: an article stands in no Turkish sentence. Everything that is ordered is for today.
_NOW = re.compile(
    r"\b(?:su an(?:da)?|bugun|today|(?:ogle|aksam|sabah)\s+yemegi(?:miz)?(?:\s+(?:icin|olarak))?\s*:?|(?:for\s+)?(?:our\s+)?(?:lunch|dinner)\s*:)(?!\w)(?!\s*(?:lik|ica|var|ne|kac))"
)
# `3 adana üçü de acılı biri soğansız`: what all of them are is said of the dish, and then what some are.
_ALL_SO = re.compile(
    r"\b(?:(?:ikisi|ucu|dordu|besi|altisi)\s*(?:de|da)|hepsi(?:\s*de)?|tumu(?:\s*de)?|all(?:\s+of\s+them)?)\s+(?=\w+[\s,]+(?:ama\s+|ve\s+|but\s+|and\s+)?(?:biri(?:si|nin)?|bir\s+tanesi|ikisi|one|two)\b)"
)
# `we're at 12`, at the end.
_SITS_AT = re.compile(
    r"\b(?:we.?re|we\s+are|i.?m|i\s+am|we\s+sit|i\s+sit|sitting|seated)\s+at\s+(?:table\s+)?(?:number\s+|no\s+)?(\d{1,3})(?=[\s.!]*$)"
)
# `içecek olarak iki gazoz`, `to drink two teas`: which course it is says the dish itself.
_COURSE = re.compile(
    r"[\s,]*\b(?:(?:icecek|tatli|corba|baslangic|ana yemek|meze|yemek|salata)\s+olarak|(?:and\s+)?(?:to drink|for (?:dessert|drinks|starters?|mains?)|as (?:a )?(?:starter|main|dessert)))\b[\s,:]*(?=\w)"
)
# What is decided later is not ordered now.
_SEES_LATER = re.compile(
    r"[\s,]*\b(?:sonra(?:sina|sini)?\s+(?:yine\s+)?bakar(?:iz|im)|(?:we.?ll|i.?ll)\s+see\s+(?:later|after\w*))\b"
)
# Whoever writes English counts no tens by `on`; it is a `one` with a letter less.
_ON = re.compile(
    r"(?<=[a-z\d] )on(?=\s+(?!top\b|the\b|side\b|a\b|my\b|it\b|its\b|our\b|table\b|tables\b)[a-z]{3,})(?=.*\b(?:and|please|the|with)\b)(?!.*\b(?:masa|ve|lutfen)\b)"
)
# `yan masaya (2) 1 salep`: whoever says which one it is speaks of that table.
_NEIGHBOUR = re.compile(
    r"\b(?:yan|karsi|arka|diger|obur)(?:daki|taki|imizdaki)?\s+masa(?:(?:ya|da|daki)?\s*[(:]\s*(?P<in>\d{1,3})\b\s*\)?|(?:miz)?\s*(?P<to>\d{1,3})\s*['’]?\s*(?:y?[ae]|[dt][ae](?:ki\w*)?)\b(?:\s+d[ae]\b)?)"
)
# Whoever counts dishes and asks for something to be done with them asks for them: `4 lahmacun patlatır mısın`.
_COUNTS = re.compile(rf"(?<!masa )(?<!table ){_NUMBER}\s+[^\W\d]")
_ASKS_TO_WORDS = ("misin", "misun", "musin", "musun")
_ASKS_TO = re.compile(
    r"\b(?!bakar|gelir|olur|bilir|ayirir|sever|oner|getir|ver|gonder|yolla|al[ai]|yap|hazirla|yaz|ekle|ulastir|birak|iste|ayarla|soyle)\w{3,}[aeiu]r\s+m[iu]s[iu]n(?:[iu]z)?\b"
)
# A kitchen calls it by one name.
_WELL_DONE = re.compile(r"\b(?:cok\s+(?:iyi\s+)?pismis|iyi(?:ce)?\s+pi(?:ssin|ssinler|sirin|sirilsin|sir))\b")
# `8deyiz`, `sekiz numarada oturuyorum`, `masa numaramız 12`.
_AT_NUMBER = re.compile(
    rf"(?<!masa )(?<!masa no )(?<![\w.,])({_NUMBER})(?:\s*['’]?\s*[dt][ea]yi[zm]|\s+numarada\s+otur(?:uyoru[mz]|makta\w+))\b"
)
_OUR_NUMBER = re.compile(rf"\bmasa\s+numara(?:miz|m)\s*[:=]?\s*({_NUMBER})\b")
# `6 numaradakiler de üç çay istiyor`.
_THOSE_AT = re.compile(
    r"(?<![\w.,])(\d{1,3})\s*(?:\.|numarali|nolu)?\s*(?:numara|masa)daki(?:ler\w{0,3}|ne)?(?:\s+d[ea])?\b"
)
# How many people there are counts no dish.
_OF_US = re.compile(
    rf"\b(?:there\s+are\s+|we\s+are\s+|we.?re\s+)?{_NUMBER}\s+of\s+us\b|\b(?:we\s+are|we.?re)\s+{_NUMBER}(?=\s+(?:at|on)\s+table)|\b(?:(?:we\s+are|we.?re)\s+)?(?:the\s+|a\s+)?(?:family|party|group|table)\s+(?:of|for)\s+{_NUMBER}\b(?:\s+people)?(?:\s+(?:on|at)(?=\s+table))?"
    # How old somebody is counts none either.
    rf"|\b{_NUMBER}\s*yas(?:inda\w*|li)?\b|\b{_NUMBER}[\s-]*years?[\s-]*olds?\b"
    rf"|\b(?:somos|estamos|wir\s+sind|nous\s+sommes|on\s+est|siamo(?:\s+in)?)\s+(?:zu\s+)?{_NUMBER}\b"
)
_OF_US_WORDS = (
    "us", "table", "family", "party", "group", "yas", "year", "somos", "estamos", "sind", "sommes", "est", "siamo",
)  # fmt: skip
# It adds, and is no way to make a dish.
_AS_WELL = re.compile(r"\s+as\s+well\b(?!\s+as\b|\s+done\b)")
# Ice cream is counted by its scoops, and is one portion.
_SCOOPS = re.compile(
    rf"\b(?P<note>{_NUMBER}\s+(?:top\b|scoops?\b))(?:\s+of\b)?(?P<dish>\s+(?:maras\s+)?(?:dondurma|ice\s*cream)\w*)?"
)

# `çayım bitti, 1 çay daha`: what they had is no order.
_RAN_OUT = re.compile(
    r"\b(?:cay|kahve|ayran|kola|su|limonata|gazoz|soda|salgam|ekmek|tea|coffee)(?:y?[iu]?m|y?[iu]?m[iu]z|l[ae]r[iu]m(?:[iu]z)?)\s+"
    r"(?:bitti|bitmis|sogudu|sogumus|kalmadi|tukendi)\b(?=.*\b(?:daha|tane|\d|bir|iki|uc)\b)[\s,.;]*"
)

# `no onions in one of them`: of that one alone.
_SOME_WITHOUT = re.compile(
    r"\b(?:no|without)\s+(?P<what>[^\d,;]+?)\s+(?:in|on|for|with)\s+(?P<some>one|two|three|four|\d)\s+of\s+(?:them|those|these)\b"
)
# Who comes by for it takes it away, by whatever words.
_COMES_BY = re.compile(
    r"\b(?:(?:ben|biz|kendim|kendimiz|sonra|birazdan)\s+)*(?:ugra(?:r|yip|yarak)|gecerken|donuste|yoldan)\s+(?:ben\s+|biz\s+|kendim\s+|oradan\s+)?(?:al(?:ir[iı][mz]|acag[iı][mz]|[iı]ca[mz]|ay[iı]m|al[iı]m|[iı]yoru[mz]))\b"
    r"|\bgelip\s+(?:ben|biz|kendim|kendimiz)\s+al(?:acag|ica|iri)\w*"
    r"|\b(?:(?:i|we)(?:['’]?ll|\s+will|['’]?m\s+going\s+to|['’]?re\s+going\s+to)\s+)?(?:swing|come|pop|drop|stop|pass)\s+(?:by|in|over|round|around|past)\s+(?:and|to)\s+(?:grab|get|pick|collect|take|fetch)(?:\s+(?:it|them))?(?:\s+up)?\b"
)
# `kızlar 1'de oturuyor onlara iki çay`.
_THEY_SIT_AT = re.compile(r"(?<![\w.,])(\d{1,3})\s*['’]?\s*[dt][ea]\s+otur(?:uyor\w*|an\w*)(?:\s+onlar\w*)?")
# `an Tisch 4`: no article.
_TISCH = re.compile(r"\b(?:an|am|fur)\s+(?=tisch\b)")
# `tabble 9`, `massa 4`: misspelt before its number.
_TABLES = re.compile(r"(?<!\w)(?P<word>[tm][a-z]{2,5})\s*(?P<number>\d{1,3})\b")


class Rule(NamedTuple):
    """How something is said plainer."""

    pattern: re.Pattern[str]
    said: Callable[[re.Match[str]], str]
    # One of them stands in whatever the pattern finds, and a figure as well where it needs one. Most texts have none.
    words: tuple[str, ...]
    has_figure: bool = False


_BY_WORDS = ("ugra", "gecerken", "donuste", "yoldan", "gelip", "swing", "come", "pop", "drop", "stop", "pass")

RULES = (
    Rule(_RAN_OUT, lambda match: "", ("bitti", "bitmis", "sogu", "kalmadi", "tukendi")),
    Rule(_SOME_WITHOUT, lambda match: f"{match['some']} of them without {match['what']}", ("of th",)),
    Rule(_COMES_BY, lambda match: " gel al ", _BY_WORDS),
    Rule(_TISCH, lambda match: "", ("tisch",)),
    Rule(_THEY_SIT_AT, lambda match: f"masa {match[1]}", ("otur",), has_figure=True),
    Rule(_TABLES, lambda match: f"{_table(match['word'])} {match['number']}", ("t", "m"), has_figure=True),
    Rule(_ORDINAL, lambda match: f"masa {match[1]}", ("masa",), has_figure=True),
    Rule(_FIRST, lambda match: f"masa {match[1]} ", ("numara",), has_figure=True),
    Rule(_LAST, lambda match: f" masa {match[1]}", ("numara",), has_figure=True),
    Rule(OTHER_TABLE, lambda match: f"masa {_figure(match[1])}", ("masa", "table")),
    Rule(_THEN, lambda match: ", ", ("sonra",)),
    Rule(_NOW, lambda match: " ", ("su an", "bugun", "today", "yemegi", "lunch", "dinner")),
    Rule(_ALL_SO, lambda match: "", ("ikisi", "ucu", "dordu", "besi", "altisi", "hepsi", "tumu", "all")),
    Rule(_ON, lambda match: "one", (" on",)),
    Rule(_COURSE, lambda match: ", ", ("olarak", "drink", "dessert", "starter", "main")),
    Rule(_SEES_LATER, lambda match: " ", ("bakar", "see")),
    Rule(_SITS_AT, lambda match: f"table {match[1]}", ("at",), has_figure=True),
    Rule(_WELL_DONE, lambda match: "iyi pişmiş", ("pis",)),
    Rule(_AS_WELL, lambda match: " too", ("well",)),
    Rule(_AT_NUMBER, lambda match: f"masa {_figure(match[1])}", ("eyi", "ayi", "numarada")),
    Rule(_OUR_NUMBER, lambda match: f"masa {_figure(match[1])}", ("numara",)),
    Rule(_THOSE_AT, lambda match: f"masa {match[1]} ", ("numaradaki", "masadaki"), has_figure=True),
    Rule(_OF_US, lambda match: " ", _OF_US_WORDS),
    Rule(_NEIGHBOUR, lambda match: f"masa {match['in'] or match['to']} ", ("masa",), has_figure=True),
)
