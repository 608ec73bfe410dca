"""What a new order makes of a text, compared with the text: each dish, number and way that was named is in it, or is shown.

The rules say what a text may mean; this knows none of them. What does not come out is asked about or shown as not understood,
with the dish that it is likely about.
"""

from __future__ import annotations

import re
from collections.abc import Sized
from functools import lru_cache
from itertools import pairwise

import msgspec

from tablegram.restaurant.reading import Question, Reading, Vocabulary
from tablegram.restaurant.reading.dialogue.accounting import CHANGES, TAKES_BACK, atoms_of
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.sentences import places
from tablegram.restaurant.reading.sentences.additions import is_addition
from tablegram.restaurant.reading.sentences.addresses import take_out
from tablegram.restaurant.reading.sentences.plainer import plainer
from tablegram.restaurant.reading.sentences.seats import says_any
from tablegram.restaurant.reading.words.lexicon import PLACE_ENDINGS
from tablegram.values.folding import fold, fold_in_place

# Somebody takes back what they have just written.
MARK = re.compile(
    r"[\s,.;–-]*\b(?:(?:(?:ay\s+)?yanlis\s+(?:yazdi[mk]|yazmisi[mz]|oldu|soyledi[mk])|no(?=\s+(?:forget|cancel|drop|skip|remove|scrap|make|just|only)\b)|no wait|wait no|(?:no |oh |wait )?(?:hang|hold) on|(?:ay )?ters (?:soyledi[mk]|yazdi[mk]|oldu)|oh wait|no sorry|oh sorry|scratch that|yok yok|yok pardon|ay pardon|pardon|sorry|i mean|duzeltiyorum|"
    r"dur bir dakika|hayir hayir|hayir|yok ya|correction|aslinda|actually|make that|daha dogrusu|dogrusu|bi dakka|bi dakika|bir dakika|ay yanlis|"
    r"yanlis oldu|yanlis yazdim|duzeltme|or rather|oops|ups|dur|durun)\b[\s,.;:–-]*)+"
)
# One of them stands in each of these.
MARK_WORDS = (
    "yanlis", "no", "hang", "hold", "ters", "wait", "sorry", "scratch", "yok", "pardon", "mean", "duzelt", "dur", "hayir",
    "correction", "aslinda", "actually", "make that", "dogrusu", "dakka", "dakika", "rather", "ups", "oops",
)  # fmt: skip
CLAUSE = re.compile(r"[,;.\n]+\s*")
_OF_EACH = re.compile(r"\b(?:of\s+each|of\s+everything|ikiser|ucer|dorder|beser)\b")
OF_THEM = re.compile(r"\bof\s+(?:them|those|these)\b")
_ONE_OF = re.compile(
    r"\b(?:biri|birisi|bi(?:r)?\s+tanesi|ikisi|iki\s+tanesi)\s+(?:de\s+|da\s+)?\w+\s+(?:olsun|olacak\w*|yap\w*)"
)
# In English what is taken back stands behind the word.
_TAKES_NEXT = re.compile(
    r"\b(?:no|not|instead\s+of|without|cancel|drop|remove|forget|skip|scratch|rather\s+than|swap|change|replace)\b"
)
_OF_A_DISH = re.compile(
    r"\b(?:no|without|not|hold)\s+(?:the\s+|any\s+)?(\w+)|\b(\w+)\s+(?:olmasin|istem\w+|koyma\w*)\b"
)
_ENDINGS = PLACE_ENDINGS | {"deki", "daki", "teki", "taki"}
# In a longer text a correction is asked about: each try reads it once more.
MAX_CORRECTED = 300


# It is asked several times while a text is read. Only the last few are kept.
@lru_cache(maxsize=16)
def taken_back(said: str) -> re.Match[str] | None:
    """Where a folded text takes back what stands before it."""
    return MARK.search(said) if says_any(said, MARK_WORDS) else None


def accounted(text: str, heard: Reading, vocabulary: Vocabulary) -> Reading:
    """An order that holds all of its text; otherwise what is left of it is shown, or asked about."""
    if not heard.is_order or len(text) > MAX_CORRECTED:
        return heard
    if heard.address:
        # Its numbers count nothing.
        text = take_out(text, vocabulary)[0]
    heard = _with_overlooked(text, _counted(text, heard, vocabulary), vocabulary)
    is_doubtful = (
        _notes_correction(heard)
        or _loses_last_dish(text, heard, vocabulary)
        or _may_be_other(text, heard, vocabulary)
        or _notes_dish(heard, vocabulary)
        or _says_twice(text, heard, vocabulary)
        or _keeps_both(text, heard, vocabulary)
    )
    if heard.is_order and is_doubtful:
        return _asked(text, heard)
    return _with_neighbours(text, heard, vocabulary)


def _asked(text: str, heard: Reading) -> Reading:
    return msgspec.structs.replace(heard, questions=(Question("changed_mind", " ".join(text.split())[:60]),))


def _keeps_both(text: str, heard: Reading, vocabulary: Vocabulary) -> bool:
    """Whether something is taken back, and the dishes before and behind that are all in the order."""
    shown, said = fold_in_place(text)
    mark = taken_back(said)
    if mark is None or is_addition(shown[mark.end() :]):
        return False
    first, later = (
        {id_ for one in _named(places.without(part), vocabulary) if one.kind == "dish" for id_ in one.ids[:1]}
        for part in (shown[: mark.start()], shown[mark.end() :])
    )
    return bool(first and later) and first.isdisjoint(later) and first | later <= {line.item_id for line in heard.lines}


def _named(text: str, vocabulary: Vocabulary) -> list[Atom]:
    """The atoms of a text; what is a dish of its own, and an option of another, counts as the dish."""
    return [
        msgspec.structs.replace(one, kind="dish", ids=tuple(ids))
        if one.kind == "either" and (ids := [id_ for id_ in one.ids if id_ in vocabulary.items])
        else one
        for one in atoms_of(text, vocabulary)
    ]


def _notes_correction(heard: Reading) -> bool:
    """`two ayrans no wait one ayran`: who takes something back tells the kitchen nothing."""
    return any(MARK.fullmatch(fold(line.note)) for line in heard.lines if line.note)


def _loses_last_dish(text: str, heard: Reading, vocabulary: Vocabulary) -> bool:
    """`kazandibi değil revani diyecektim`: the dish that is named last is wanted, unless just that one is taken back."""
    said = fold(places.without(text))
    if not TAKES_BACK.search(said):
        return False
    dishes = [one for one in _named(said, vocabulary) if one.kind == "dish" and one.is_sure and len(one.ids) == 1]
    if len(dishes) < 2 or dishes[-1].ids[0] in {line.item_id for line in heard.lines}:
        return False
    before, found, after = said.rpartition(fold(dishes[-1].text))
    # `tea instead of the salep`.
    between = " ".join(before.split()[-4:])
    shown = fold(" ".join((heard.notes, *heard.missed)))
    is_back = TAKES_BACK.search(after) or taken_back(after) or _TAKES_NEXT.search(between)
    return bool(found) and not is_back and fold(dishes[-1].text) not in shown


def _may_be_other(text: str, heard: Reading, vocabulary: Vocabulary) -> bool:
    """`3 karışık pide, bi tanesi kaşarlı olsun`: with cheese, or another pide of the same page of the menu."""
    if not _ONE_OF.search(fold(text)):
        return False
    items = vocabulary.menu.items_by_id
    pages = {items[line.item_id].category_id for line in heard.lines if line.choices}
    ordered = {line.item_id for line in heard.lines}
    said = [fold(one.text) for one in atoms_of(text, vocabulary) if one.kind in ("option", "either")]
    firsts = {
        fold(one.name).split()[0]
        for one in items.values()
        if one.category_id in pages and one.id not in ordered and " " in one.name
    }
    return any(one in firsts for one in said)


def _notes_dish(heard: Reading, vocabulary: Vocabulary) -> bool:
    """`beytiyi çıkarın` on another dish: who names a dish of the order beside it wants something else than a note."""
    ordered = {line.item_id for line in heard.lines}
    named = [
        atom
        for line in heard.lines
        if line.note
        for atom in _named(line.note, vocabulary)
        if atom.kind == "dish" and atom.is_sure and line.item_id not in atom.ids
    ]
    return any(ordered & set(atom.ids) for atom in named)


def _with_neighbours(text: str, heard: Reading, vocabulary: Vocabulary) -> Reading:
    """`thre ayrn`, `lentil soup twice`: a word beside a dish that nobody counts may count it, and is shown with the dish."""
    if not heard.is_order or not heard.missed:
        return heard
    missed = list(heard.missed)
    atoms = [Atom("break", ""), *_named(places.without(text), vocabulary), Atom("break", "")]
    for far, one, other, farther in zip(atoms, atoms[1:], atoms[2:], atoms[3:], strict=False):
        word, beside = (one, far) if one.kind == "unknown" else (other, farther)
        is_pair = {one.kind, other.kind} == {"unknown", "dish"} and "number" not in (beside.kind, far.kind)
        # `won adana tow ayran`: what stands before a dish belongs to it.
        is_next = word is other and farther.kind == "dish"
        if is_pair and not is_next and word.text in missed:
            missed[missed.index(word.text)] = f"{one.text} {other.text}"
    return msgspec.structs.replace(heard, missed=tuple(missed))


def _says_twice(text: str, heard: Reading, vocabulary: Vocabulary) -> bool:
    """Whether a dish is named again among words that nobody understands: `2 urfa 1 ayran ay urfayı boşverin`."""
    if not heard.is_order or not heard.missed or heard.is_corrected:
        return False
    named: list[str] = []
    is_again = False
    for one, after in pairwise([*_named(places.without(text), vocabulary), Atom("break", "")]):
        if one.kind == "dish" and one.is_sure and len(one.ids) == 1:
            is_again = is_again or (one.ids[0] in named and after.kind == "unknown")
            named.append(one.ids[0])
    return is_again


def _counted(text: str, heard: Reading, vocabulary: Vocabulary) -> Reading:
    """A correction that leaves more out than it takes back, or counts a dish as nobody has, is asked about."""
    if not heard.is_corrected:
        return heard
    if _OF_EACH.search(fold(text)) and len({line.quantity for line in heard.lines}) == 1:
        return heard
    atoms = [one for one in _named(places.without(plainer(text)), vocabulary) if one.kind in ("number", "dish")]
    amounts = {line.item_id: 0 for line in heard.lines}
    for line in heard.lines:
        amounts[line.item_id] += line.quantity
    dishes = [one for one in atoms if one.kind == "dish" and one.is_sure and len(one.ids) == 1]
    lost = {one.ids[0] for one in dishes} - amounts.keys()
    # Numbers that stand before a dish, and those that stand by themselves.
    told: dict[str, list[float]] = {}
    free: list[float] = []
    for before, one, after in zip([None, *atoms], atoms, [*atoms[1:], None], strict=False):
        # `ayranlar 2 kalsın` counts what stands before it.
        dish = next((near for near in (after, before) if near is not None and near.kind == "dish"), None)
        if one.kind == "number" and dish is not None:
            told.setdefault(dish.ids[0], []).append(one.value)
        elif one.kind == "number":
            free.append(one.value)
    is_lost = _loses_last_way(text, heard, vocabulary)

    def rest(counts: list[float]) -> list[float]:
        """`3 urfa. Correction: one urfa should be a şiş`: as many as are left."""
        return [counts[0] - sum(counts[1:])] if taken_back(fold(text)) else []

    is_other = (
        not free
        and atoms[:1] != dishes[:1]
        and any(
            amount not in (*told[one], sum(told[one]), *rest(told[one]))
            for one, amount in amounts.items()
            if one in told
        )
    )
    return _asked(text, heard) if is_lost or (is_other and not lost) or _loses_more(text, lost) else heard


def _loses_more(text: str, lost: Sized) -> bool:
    """More dishes than there are words that take one back; one of them takes back one."""
    said = fold(text)
    return len(lost) > 1 and len(lost) > sum(1 for pattern in (TAKES_BACK, MARK) for _ in pattern.finditer(said))


def _loses_last_way(text: str, heard: Reading, vocabulary: Vocabulary) -> bool:
    """`sade, pardon orta`: the way that is said last is how it is to be."""
    mark = taken_back(fold(text))
    after = [] if mark is None else atoms_of(fold(text)[mark.end() :], vocabulary)
    ways = [{*one.ids, *one.part, *one.kin} for one in after if one.kind == "option" and (one.ids or one.part)]
    chosen = {choice.option_id for line in heard.lines for choice in line.choices}
    return bool(ways) and ways[-1].isdisjoint(chosen) and not any(line.note for line in heard.lines)


def _with_overlooked(text: str, heard: Reading, vocabulary: Vocabulary) -> Reading:
    """Clauses of which the order holds nothing are shown as not understood, also where each of their words is known."""
    if not heard.is_order or len(text) > MAX_CORRECTED or _takes_back(text, vocabulary) or taken_back(fold(text)):
        return heard
    shown = fold(" ".join((heard.notes, heard.address, *(line.note for line in heard.lines))))
    items = [line.item_id for line in heard.lines]
    amounts = {line.quantity for line in heard.lines} | {sum(line.quantity for line in heard.lines)}
    is_split = len(set(items)) < len(items) or any(line.note for line in heard.lines)
    chosen = {choice.option_id for line in heard.lines for choice in line.choices}
    named: set[str] = set()
    # The dish that was named last: what is said behind it, without a dish, is likely about that one.
    last = ""
    lost: list[str] = []
    for clause in CLAUSE.split(places.without(plainer(text))):
        atoms = _named(clause, vocabulary)
        dishes = [atom for atom in atoms if atom.kind == "dish" and atom.is_sure]
        says_of_them = OF_THEM.search(fold(clause)) is not None
        is_of_them = says_of_them or any(atom.kind == "number" and atom.bound == "part" for atom in atoms)
        other = {one for atom in dishes for one in atom.ids}
        # `iki ayran, biri büyük` in one clause is of its own dish.
        is_first = (
            bool(dishes) and not says_of_them and all(one.bound != "part" for one in atoms[: atoms.index(dishes[0])])
        )
        if is_of_them and not is_first and named and other and named.isdisjoint(other):
            # `four teas, one of them a linden tea`.
            return msgspec.structs.replace(heard, questions=(Question("changed_mind", clause.strip()),))
        is_lost = any(one.value not in amounts for one in _free_numbers(atoms)) or any(
            named.isdisjoint(one.ids) and set(items).isdisjoint(one.ids) for one in dishes
        )
        # `adanalar acısız olacaktı`: a way that no dish has.
        ways = [
            {*one.ids, *one.part, *one.kin} for one in atoms if one.kind == "option" and fold(one.text) not in shown
        ]
        is_lost = is_lost or (bool(named & other) and any(one and one.isdisjoint(chosen) for one in ways))
        if (is_lost or (is_of_them and not is_split)) and fold(clause.strip()) not in shown:
            lost.append(clause.strip() if named & other or not last else f"{last} … {clause.strip()}")
        named |= other
        last = dishes[-1].text if dishes else last
    if not lost:
        return heard
    missed = [
        one for one in heard.missed if not any(set(fold(one).split()) <= set(fold(clause).split()) for clause in lost)
    ]
    return msgspec.structs.replace(heard, missed=(*missed, *lost), is_corrected=True)


def _takes_back(text: str, vocabulary: Vocabulary) -> bool:
    """Whether something of the order is taken back; `no onions` and `soğan olmasın` are how a dish is to be."""

    def kept(found: re.Match[str]) -> str:
        word = found[1] or found[2]
        is_dish = vocabulary.alone.once(word, lambda: any(one.kind == "dish" for one in _named(word, vocabulary)))
        return found[0] if is_dish else " "

    return TAKES_BACK.search(_OF_A_DISH.sub(kept, fold(text))) is not None


def _free_numbers(atoms: list[Atom]) -> list[Atom]:
    """Numbers that count none of the dishes around them: `2 lahmacun olacaktı ama 3 yapalım`."""
    plain = [one for one in atoms if one.kind not in ("option", "note", "measure", "emoji")]
    has_dish = any(one.kind in ("dish", "either") for one in plain)
    around = zip([None, *plain], plain, [*plain[1:], None], strict=False)
    return [
        one
        for before, one, after in around
        if one.kind == "number"
        and not one.bound
        and not any(near is not None and near.kind in ("dish", "either") for near in (before, after))
        # `3 pizza 2 adana`: it counts what nobody understands, which is shown.
        and not (has_dish and after is not None and after.kind == "unknown" and _is_thing(after.key))
    ]


def _is_thing(word: str) -> bool:
    """No ending, as in `12'ye`, and no verb."""
    return len(word) > 2 and not CHANGES.fullmatch(word) and word not in _ENDINGS
