"""A guest's text as a whole: several places are several orders, and what is taken back in the same text is corrected.

What comes of it is read back to the guest, so that a likely correction is taken rather than asked about.
"""

from __future__ import annotations

import re

import msgspec

from tablegram.restaurant import reading
from tablegram.restaurant.lines import DishLine, join_same
from tablegram.restaurant.reading import MAX_TEXT, Question, Reading, Vocabulary
from tablegram.restaurant.reading.dialogue import phrases
from tablegram.restaurant.reading.dialogue.accounting import doubt
from tablegram.restaurant.reading.dialogue.changing.changes import amend, change, instead
from tablegram.restaurant.reading.dialogue.held import number_in
from tablegram.restaurant.reading.dialogue.likely import likely, may_be_likely
from tablegram.restaurant.reading.dialogue.overlooked import CLAUSE, MAX_CORRECTED, OF_THEM, accounted, taken_back
from tablegram.restaurant.reading.dialogue.paying import IN_ORDER
from tablegram.restaurant.reading.dialogue.unwanted import now_alone, told, wanted
from tablegram.restaurant.reading.dishes.chunks import MOST
from tablegram.restaurant.reading.sentences import places
from tablegram.restaurant.reading.sentences.additions import is_addition
from tablegram.restaurant.reading.sentences.people import signed
from tablegram.restaurant.reading.sentences.plainer import Aside, aside, goes_with, plainer, scoops, takes_table_back
from tablegram.restaurant.reading.sentences.seats import may_count, says_any
from tablegram.restaurant.reading.sentences.wishes import complains, is_allergic, praises, topic_of, without_courtesy
from tablegram.restaurant.reading.words.tokens import take_apart
from tablegram.values.folding import fold, fold_in_place

# How somebody means to pay says nothing of a dish; the house reads it.
_PAYS = re.compile(
    rf"\b(?:{IN_ORDER}|"
    r"kapida\s+(?:nakit|kredi\s+karti|kart(?:la)?|pos|odeme)(?:\s+ile)?|kredi\s+karti(?:\s+ile|yla)?|nakit(?:\s+odeyecegim|\s+odeme)?|"
    r"kartla(?:\s+odeyecegim|\s+odeme)?|card\s+on\s+delivery|cash\s+on\s+delivery|pay(?:ing)?\s+(?:by|with|in)\s+(?:card|cash))\b"
)
# Of what was ordered before, or has come of it.
_OF_AN_ORDER = re.compile(
    r"\b(?:istemist\w*|istedi[mk]|soylemist\w*|soyledi[mk]|dedi[mk]|demist\w*|yazmist\w*|siparis\w*\s+(?:ver|et)(?:di|mist)\w*|vermist\w*|etmist\w*|"
    r"gel(?:di|medi|memis)\w*|unut\w*|hala|halen|ordered|asked|wanted|got|received|came|arrived|forgot\w*|still|never|already|paid|yedi[mk]|aldi[mk])\b"
)
_ICED = re.compile(r"\b(?:buzlu|soguk|iced?)\b")
_HOT = re.compile(r"\b(?:buzlu|soguk|iced?)\s+(?:\w+\s+)?(?:cay|kahve|tea|coffee|latte|espresso|nescafe)\w*")
_WAITS = re.compile(r"\b(?:bekli\w+|waiting)\b")
_ALLERGY_CLAUSE = re.compile(
    r"[,;.!\n]+\s*|\s+(?:ama|yalnız|fakat|but|and)\s+(?=[^,;.]*(?:alerj|allerg|intoleran))", re.IGNORECASE
)
# Behind a dish that stands twice: so many of them are to be so.
_WISHES = re.compile(r"\b(?:olsun|should be|to be|be|yapin|yapilsin)\b")
_EACH = re.compile(r"(?<=\w)\s+birer(?:\s+(?:tane|adet|porsiyon))?(?=\s*(?:[.,!]|lutfen|olsun|alalim|$))")
# Nobody corrects themselves more often.
_MOST_CLAUSES = 6


def read_whole(text: str, vocabulary: Vocabulary) -> Reading:
    """What a text orders, by itself. No dish of it is left out in silence."""
    heard = _read_whole(text, vocabulary)
    if not heard.is_order and not heard.parts and praises(text) and len(text) <= MAX_CORRECTED:
        # `that was delicious, three more lahmacun`: the praise is no part of what is ordered.
        rest = _read_whole(without_courtesy(text), vocabulary)
        heard = msgspec.structs.replace(rest, is_corrected=True) if rest.is_order else heard
    heard = now_alone(text, accounted(text, heard, vocabulary))
    # `buzlu çay` is another drink than tea; whoever has none reads it back before somebody pours ice into a hot one.
    if heard.is_order and (takes_table_back(text) or may_count(text)):
        heard = msgspec.structs.replace(heard, is_corrected=True)
    is_iced = heard.is_order and any(_ICED.search(fold(line.note)) for line in heard.lines)
    return msgspec.structs.replace(heard, is_corrected=True) if is_iced and _HOT.search(fold(text)) else heard


def _read_whole(text: str, vocabulary: Vocabulary) -> Reading:
    if len(text) > MAX_TEXT:
        return reading.read(text, vocabulary)
    shown, said = fold_in_place(text)
    paid = _PAYS.search(said)
    if paid is not None:
        words, rest = shown[slice(*paid.span())], f"{shown[: paid.start()]} {shown[paid.end() :]}"
        heard = _read_whole(rest, vocabulary)
        notes = "; ".join(one for one in (heard.notes, words) if one)
        return msgspec.structs.replace(heard, notes=notes) if heard.lines else reading.read(text, vocabulary)
    if len(text) <= MAX_CORRECTED and (name := signed(text, vocabulary)) is not None:
        heard = _read_whole(name[0], vocabulary)
        if heard.lines and heard.order_type == "takeaway":
            return msgspec.structs.replace(heard, notes="; ".join(one for one in (heard.notes, name[1]) if one))
    text = plainer(text)
    if len(text) > MAX_CORRECTED:
        return _read_places(text, vocabulary)
    if (counted := scoops(text)) is not None:
        # Which flavours is asked of one portion too.
        return _without(counted, vocabulary) or _read_places(counted.rest, vocabulary)
    set_apart = _without(_allergy_apart(text), vocabulary)
    if set_apart is not None:
        return set_apart
    set_aside = _without(aside(text), vocabulary)
    if set_aside is not None:
        return set_aside
    heard = _read_places(text, vocabulary)
    return heard if heard.is_order or heard.parts else _without(goes_with(text), vocabulary) or heard


def _without(beside: Aside | None, vocabulary: Vocabulary) -> Reading | None:
    """What is ordered besides what was set aside, which becomes a note; nothing where that is no order by itself."""
    heard = Reading() if beside is None else _read_places(beside.rest, vocabulary)
    if beside is None or not heard.is_order:
        return None
    kind = "takeaway" if beside.comes and not (heard.order_type or heard.table) else heard.order_type
    notes = "; ".join(one for one in (heard.notes, *beside.notes) if one)
    return msgspec.structs.replace(heard, notes=notes, order_type=kind, is_corrected=True)


def _allergy_apart(text: str) -> Aside | None:
    """What somebody must not eat, told beside what they order: the kitchen reads it, and the guest sees both again."""
    if not is_allergic(text) or "?" in text:
        return None
    clauses = [one.strip() for one in _ALLERGY_CLAUSE.split(text) if one.strip()]
    told = [one for one in clauses if is_allergic(one)]
    if any(_counts(one) for one in told) or len(told) == len(clauses):
        return None
    return Aside(", ".join(one for one in clauses if one not in told), tuple(told), comes=False)


def _read_places(text: str, vocabulary: Vocabulary) -> Reading:
    rest = wanted(text, vocabulary) if len(text) <= MAX_CORRECTED else None
    if rest is not None and (heard := _read_places(rest, vocabulary)).is_order:
        return msgspec.structs.replace(heard, is_corrected=True)
    text = _placed_anew(text)
    parts = places.split(text)
    if not parts:
        heard = _despite_talk(text, _one_each(text, _read_corrected(text, vocabulary), vocabulary), vocabulary)
        return likely(text, heard, vocabulary) if may_be_likely(heard) and _counts(text) else heard
    read = tuple(_read_corrected(part, vocabulary) for part in parts)
    if len(read) > 1 and all(one.is_order for one in read):
        return Reading(parts=read, names_dish=True)
    whole = reading.read(text, vocabulary)
    if not whole.lines and not whole.names_dish:
        return whole
    return Reading(questions=(Question("which_place", " ".join(text.split())[:60]),), names_dish=True)


def _placed_anew(text: str) -> str:
    """`masa 2 pardon masa 12`: where it goes is taken back, and what is ordered stands."""
    shown, said = fold_in_place(text)
    mark = taken_back(said)
    if mark is None or not places.names_one(said[: mark.start()]) or not places.names_one(said[mark.end() :]):
        return text
    before, after = places.without(shown[: mark.start()]), shown[mark.end() :]
    is_all = not before or not places.without(after)
    return f"{before} {after}" if is_all else f"{before}{shown[slice(*mark.span())]}{after}"


def _despite_talk(text: str, heard: Reading, vocabulary: Vocabulary) -> Reading:
    """An order in which somebody tells something as well: `en son yediğimiz adana efsaneydi, yine 2 adana`.

    Whoever complains, speaks of what they have ordered, or of what they must not eat, is not taken at such words.
    """
    said = fold(text)
    if (
        "?" not in said
        and (heard.table or places.names_one(said))
        and any(one.kind == "asks" for one in heard.questions)
    ):
        # `is this recording, table one wants two coffees`: who counts dishes for a table has asked nothing.
        plain = reading.read(text, vocabulary, heeds=False)
        is_talk = plain.is_order and _counts(text) and topic_of(text) in (None, "has", "allergens")
        heard = msgspec.structs.replace(plain, is_corrected=True) if is_talk else heard
    if not any(question.kind == "tells" for question in heard.questions) or len(text) > MAX_CORRECTED:
        return heard
    if _OF_AN_ORDER.search(said) or is_allergic(text) or complains(_WAITS.sub(" ", said)):
        return heard
    clauses = [one for one in CLAUSE.split(text) if one.strip()]
    spoken = told([one for one in clauses if _counts(one)], vocabulary)
    clauses = [one for one in clauses if one.strip() not in spoken]
    counted = [one for one in clauses if _counts(one)]
    placing = [one for one in clauses if places.names_one(fold(one)) or _counts(one)]
    despite = reading.read(", ".join(placing), vocabulary, heeds=False)
    if not despite.is_order or not counted:
        return heard
    return msgspec.structs.replace(despite, is_corrected=True, missed=(*despite.missed, *spoken))


def _one_each(text: str, heard: Reading, vocabulary: Vocabulary) -> Reading:
    """`kıymalı pide, kaşarlı pide birer tane`: one of each that was named. Of one dish nobody knows how many people."""
    shown, said = fold_in_place(text)
    mark = _EACH.search(said)
    if mark is None or heard.is_order or len(text) > MAX_CORRECTED:
        return heard
    plain = reading.read(f"{shown[: mark.start()]} {shown[mark.end() :]}", vocabulary)
    is_clear = plain.is_order and len(plain.lines) > 1 and all(line.quantity == 1 for line in plain.lines)
    return msgspec.structs.replace(plain, is_corrected=True) if is_clear else heard


def _counts(clause: str) -> bool:
    return any(token.kind == "number" and token.bound != "article" for token in take_apart(places.without(clause)))


def _read_corrected(text: str, vocabulary: Vocabulary) -> Reading:
    heard = reading.read(text, vocabulary)
    if len(text) > MAX_CORRECTED:
        return heard
    shown, said = fold_in_place(text)
    mark = taken_back(said)
    if mark is not None and said[: mark.start()].strip():
        before = shown[: mark.start()]
        first = likely(before, reading.read(before, vocabulary), vocabulary)
        corrected = _corrected(before, first, shown[mark.end() :], vocabulary)
        if corrected is not None:
            return _accounted(shown[mark.end() :], first, corrected, vocabulary)
    items = [line.item_id for line in heard.lines]
    is_twice = heard.is_order and len(set(items)) < len(items) and not _is_shared_out(text, heard)
    if (
        is_twice
        or any(question.kind in ("changed_mind", "how_many", "which_line") for question in heard.questions)
        or (heard.lines and _is_of_each(text))
    ):
        changed = _changed(text, heard, vocabulary, is_twice=is_twice)
        if changed is not None:
            return changed
    return msgspec.structs.replace(heard, is_corrected=True) if is_twice and not _is_split(text) else heard


def _is_of_each(text: str) -> bool:
    """`beş lahmacun beş ayran, üçer olsun`."""
    may_be = says_any(fold(text), phrases.OF_EACH_WORDS)
    return may_be and any(phrases.OF_EACH.fullmatch(fold(one).strip()) for one in CLAUSE.split(text)[1:])


def _is_shared_out(text: str, heard: Reading) -> bool:
    """`3 lahmacun, biri acısız olsun, 1 ayran`: one of the three, which together are as many as were counted."""
    tokens = take_apart(text)
    counted = {token.value for token in tokens if token.kind == "number" and token.bound != "part"}
    sums: dict[str, int] = {}
    for line in heard.lines:
        sums[line.item_id] = sums.get(line.item_id, 0) + line.quantity
    twice = {line.item_id for line in heard.lines if line.quantity < sums[line.item_id]}
    return any(token.bound == "part" for token in tokens) and all(sums[item] in counted for item in twice)


def _is_split(text: str) -> bool:
    """`2 adana biri acısız` says how many of them are how, and nothing twice."""
    is_one = not CLAUSE.search(text.strip(" ,;.\n"))
    return is_one and any(token.bound == "part" for token in take_apart(text))


def _accounted(text: str, first: Reading, made: Reading, vocabulary: Vocabulary) -> Reading:
    """A correction that does not do all that was written is asked about."""
    shown = " ".join((made.notes, made.address, *made.missed))
    if not doubt(text, first.lines, made.lines, vocabulary, shown).things:
        return made
    return msgspec.structs.replace(made, questions=(Question("changed_mind", " ".join(text.split())[:60]),))


def _corrected(before: str, first: Reading, after: str, vocabulary: Vocabulary) -> Reading | None:
    """`1 adana no wait 1 urfa`: what comes later stands for the last dish before it, or for the same one."""
    second = reading.read(after, vocabulary)
    each = phrases.OF_EACH.fullmatch(fold(after).strip(" .!"))
    if each is not None and first.is_order and not second.names_dish:
        # `three shish and three ayran, sorry, there's four of us, so four of each`.
        number = phrases.EACH.get(each["count"] or "") or number_in(each["count"] or each["en"])
        is_even = len({line.quantity for line in first.lines}) == 1 and number is not None and 1 <= number <= MOST
        lines = [msgspec.structs.replace(line, quantity=number or 1) for line in first.lines]
        return _joined(first, Reading(table=second.table, order_type=second.order_type), lines) if is_even else None
    count = number_in(after)
    is_part = any(token.bound == "part" for token in take_apart(after))
    if first.is_order and not second.names_dish and not is_part and count is not None and 1 <= count <= MOST:
        # `one lentil soup, actually two`.
        last = msgspec.structs.replace(first.lines[-1], quantity=count)
        return _joined(first, second, [*first.lines[:-1], last])
    amended = amend(after, first.lines, vocabulary) if first.is_order else None
    if amended:
        # `actually make the urfa a chicken shish`.
        return _joined(first, Reading(table=second.table, order_type=second.order_type), list(amended))
    if not first.is_order or not second.is_order or is_addition(after):
        return None
    if OF_THEM.search(fold(after)):
        # `one of those should be a salep`: the others stay, and nobody has said how many of what.
        return msgspec.structs.replace(first, questions=(Question("changed_mind", " ".join(after.split())[:60]),))
    lines, held = list(first.lines), {line.item_id for line in first.lines}
    fresh = {line.item_id for line in second.lines}
    came = list(second.lines)
    if not fresh & held and first.missed and fold(before).rstrip(" ,.;").endswith(fold(first.missed[-1])):
        # `2 kola 1 fanta pardon 1 gazoz`: what is taken back is what nobody has understood.
        first = msgspec.structs.replace(first, missed=first.missed[:-1])
    elif not fresh & held:
        gone = lines.pop()
        if len(came) == 1 and count is None:
            # `2 künefe, yok ya katmer olsun`: as many.
            came = [msgspec.structs.replace(came[0], quantity=gone.quantity)]
    lines = [line for line in lines if line.item_id not in fresh]
    return _joined(first, second, [*lines, *came])


def _changed(text: str, heard: Reading, vocabulary: Vocabulary, *, is_twice: bool) -> Reading | None:
    """`2 adana 1 ayran, ayran olmasın`: the last clause changes what stands before it."""
    said = text.strip(" ,;.\n")
    doubtful: Reading | None = None
    for mark in list(CLAUSE.finditer(said))[-_MOST_CLAUSES:]:
        rest = places.without(said[mark.end() :])
        if not rest or (is_twice and not _WISHES.search(fold(rest))):
            continue
        before = places.without(said[: mark.start()])
        first = likely(before, reading.read(before, vocabulary), vocabulary)
        if not first.is_order:
            continue
        made = change(rest, first.lines, vocabulary)
        is_part = made is not None and made.is_accounted and bool(made.missed)
        if made is not None and made.lines and not made.questions and not is_part:
            second = Reading(
                table=heard.table, order_type=heard.order_type, address=heard.address, notes=made.notes,
                missed=made.missed,
            )  # fmt: skip
            corrected = _joined(first, second, list(made.lines))
            corrected = corrected if made.is_accounted else _accounted(rest, first, corrected, vocabulary)
            if corrected.is_order:
                return corrected
            doubtful = corrected
    # `2 lahmacun, 2 lahmacun`: how many is the better question.
    if doubtful is not None and not heard.is_order and [one.kind for one in heard.questions] != ["how_many"]:
        return doubtful
    wanted = None if is_twice else instead(places.without(said))
    fresh = Reading() if wanted is None else likely(wanted, reading.read(wanted, vocabulary), vocabulary)
    return _joined(fresh, heard, list(fresh.lines)) if fresh.is_order else None


def _joined(first: Reading, second: Reading, lines: list[DishLine]) -> Reading:
    return Reading(
        lines=join_same(lines),
        notes="; ".join(one for one in (first.notes, second.notes) if one),
        table=second.table or ("" if second.order_type else first.table),
        order_type=second.order_type or ("" if second.table else first.order_type),
        address=second.address or first.address,
        names_dish=True,
        missed=(*first.missed, *second.missed),
        is_corrected=True,
    )
