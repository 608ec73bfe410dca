"""Whether a change does all that a guest has written, and nothing else: each word, each number, each dish is looked for in it.

The rules say what a text may mean; this knows none of them, and only compares the text with what became of the lines.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence, Set

import msgspec

from tablegram.restaurant.lines import DishLine, tidy
from tablegram.restaurant.reading import Reading, read
from tablegram.restaurant.reading.dialogue.held import HeldChange
from tablegram.restaurant.reading.dialogue.phrases import plainer
from tablegram.restaurant.reading.dishes import taking
from tablegram.restaurant.reading.dishes.atoms import Atom
from tablegram.restaurant.reading.sentences import places, wishes
from tablegram.restaurant.reading.sentences.additions import is_addition
from tablegram.restaurant.reading.words.tokens import take_apart
from tablegram.restaurant.reading.words.vocabulary import Vocabulary
from tablegram.values.folding import fold, words

# They say that something is to be otherwise, and the change itself shows how.
CHANGES = re.compile(
    r"olmasin\w*|istemi?y\w+|istemem|bosver\w*|bos|cik(?:ar|sin)\w*|iptal\w*|ed\w+|et|sil\w*|alma\w+|gerek|vazgec\w+|gelmesin|git(?:sin)?"
    r"|dur(?:sun|un)?|eksi[kl]\w*|azal\w+|dus\w+|kal(?:sin|abilir)\w*|yerine|degil|degis\w+|cevir\w*|dondur\w*|yap\w*|olacak\w*|olsa\w*|olabilir|demek|demis\w+|iste(?:mis)?ti[mk]|istedi[mk]"
    r"|diyecek\w+|yaz(?:di|mis|acak)\w+|soyle\w+|fikrim\w*|bastan|sifirdan|indir\w*|tamamla\w*|yukselt\w*|cogalt\w*|arttir\w*|yet(?:er|ecek)\w*|gec|kalmadiy\w+|degilse|olmus|onu[n]?|onlari?n?|bunu|hersey\w*"
    r"|remove|cancel|drop|delete|skip|without|no|not|take|off|out|leave|minus|forget|lose|less|fewer|dont|want|need|anymore|after|instead|of|change[ds]?|swap|switch"
    r"|exchange|replace|with|into|for|to|but|make|mean|meant|only|just|rather|actually|scratch|wait|sorry|pardon|mind|enough|do|keep|stay|stays|put|the|those|these|them|one|said|should|be"
    r"|yanlis|hayir|yok|aslinda|ay|aa|hmm|oh|sey|ise|artik|tekrar|bi|boyle|o|ki|mi|mu|miyiz|misiniz|musunuz|then|well|as|let|lets|us|in|place|scrap|everything|start|over|from|add|ekle\w*|ilave|eklen\w+|koy\w*|up|down|total|toplam\w*|toplamda"
)
_KEEPS = re.compile(r"\b(?:kal\w+|dursun|ayni|keep|stays?|leave|degil|not|no|sadece|only|just)\b")
_ALL = re.compile(
    r"\b(?:hep\w*|tum\w*|her|all|everything|both|sadece|yalniz\w*|only|just|each|bastan|sifirdan|scratch|over|herkes\w*|s?[ae]r|birer|ikiser|ucer|dorder)\b"
)
_DENIES = re.compile(
    r"\b(?:olmasin|istemi?yor\w*|cikar\w*|iptal|sil(?:in|elim)?|yerine|vazgec\w+|remove|cancel|drop|instead|swap|replace)\b"
)
# It depends on something, or leaves something open.
_OPEN = frozenset(
    [
        "varsa",
        "yoksa",
        "olmazsa",
        "eger",
        "veya",
        "yahut",
        "yada",
        "or",
        "if",
        "unless",
        "except",
        "maybe",
        "belki",
        "galiba",
        "sanirim",
    ]
)
# Somebody else wants something too: what was ordered before stands.
_FOR_ANOTHER = re.compile(
    r"\b(?:(?:arkadasim|esim|kizim|oglum|annem|babam|kardesim|friend|wife|husband|son|daughter|mum|mom|dad)\s+(?:\w+\s+)?(?:ist(?:iyor|er|edi)\w*|wants?|would\s+like)|(?:arkadasim|esim|kizim|oglum|annem|babam|kardesim)[ae]\s+(?:de|da))\b"
)
# A guest who has written something wrong complains of nobody.
_OWN_FAULT = re.compile(r"\byanlis\s+(?:yaz|soyle|ol)\w+|\bmy\s+(?:bad|mistake)\b")
_OF_THE = re.compile(r"\bof\s+(?:the|them|those|these|my|our)\b")
_SO_MANY_OF = re.compile(r"\b(?P<number>one|two|three|four|\d{1,2})\s+of\s+(?:the|my|our)\s+(?P<dish>\w+)")
_CLAUSE = re.compile(r"[,;.\n]+\s*|\s+(?:ve|and|ama|but)\s+")
_IN_ALL = re.compile(r"\b(?:olsun|yap|yapin|yapalim)\b")
# Something of what was just said does not count.
TAKES_BACK = re.compile(
    r"\b(?:degil|yerine|iptal|vazgec\w*|yok|olmasin|no|not|instead|cancel|wait|hayir|without|istem\w+|haric|koyma\w*|except|change|swap|replace|remove|drop|scratch|forget|sil(?:in|elim)?|cikar\w*)\b"
)
# They say that something of an order is to be otherwise.
_ALTERS = re.compile(
    r"\b(?:yerine|degil|degis\w+|cevir\w*|iptal|cikar\w*|ters\w*|katla\w*|azalt\w*|artir\w*|fazla|eksi(?:k|lt)\w*|daha|instead|swap|change|replace|remove|cancel|double|other way|less|more|without|off|karistir\w+)\b"
)


def checked(
    text: str, before: Sequence[DishLine], made: HeldChange, vocabulary: Vocabulary, missed: Sequence[str] = ()
) -> HeldChange:
    """The change, with the words that it does nothing about; or none, where it may well be another one.

    What was missed of dishes before is shown until something is said of them.
    """
    shown = " ".join((made.notes, made.table, made.address, *made.missed))
    asked = {one for question in made.questions for one in (question.item_id, *question.candidates)}
    found = Doubt() if made.is_accounted else doubt(text, before, made.lines, vocabulary, shown, asked)
    if found.things:
        return nothing_changed(text, before)
    open_still = still_open(missed, text, vocabulary)
    return msgspec.structs.replace(made, missed=(*made.missed, *found.words, *open_still))


def nothing_changed(text: str, before: Sequence[DishLine]) -> HeldChange:
    return HeldChange(tuple(before), missed=(tidy(text),))


def may_change(text: str, heard: Reading) -> bool:
    """Whether a text that was not understood may be about the dishes of an order, and is no question and no complaint."""
    said = fold(text)
    is_talk = wishes.complains(_OWN_FAULT.sub(" ", said)) or wishes.is_allergic(text) or wishes.books(text)
    is_talk = is_talk or (wishes.calls_somebody(text) and not _counts(text))
    if is_talk or any(one.kind == "asks" for one in heard.questions) or wishes.topic_of(text) is not None:
        return False
    return heard.names_dish or _ALTERS.search(said) is not None or _counts(text)


def names_any(text: str, lines: Sequence[DishLine], vocabulary: Vocabulary) -> bool:
    """Whether a text names one of these dishes, however it is meant."""
    held = {line.item_id for line in lines}
    return any(
        held & set(atom.ids) for atom in atoms_of(places.without(text), vocabulary) if atom.kind in ("dish", "either")
    )


def atoms_of(text: str, vocabulary: Vocabulary) -> list[Atom]:
    return taking.atoms_of(text, vocabulary).atoms


def alters(text: str) -> bool:
    """Whether a text says that something is to be otherwise."""
    return _ALTERS.search(fold(text)) is not None


def still_open(missed: Sequence[str], text: str, vocabulary: Vocabulary) -> tuple[str, ...]:
    """What was not understood of a dish before, and this text says nothing of."""
    said = {word[:4] for word in words(text) if len(word) > 2}
    return tuple(
        one for one in missed if read(one, vocabulary).names_dish and said.isdisjoint(word[:4] for word in words(one))
    )


def _counts(text: str) -> bool:
    return any(token.kind == "number" and token.bound != "article" for token in take_apart(places.without(text)))


def accounts_for(text: str, before: Sequence[DishLine], after: Sequence[DishLine], vocabulary: Vocabulary) -> bool:
    """Whether lines that have become others do all that was written, with no word left."""
    return doubt(text, before, after, vocabulary) == Doubt()


class Doubt(msgspec.Struct, frozen=True):
    """What of a text is not found in the change."""

    # Words that say something else; the change may stand all the same.
    words: tuple[str, ...] = ()
    # Dishes and numbers that the change has nothing of, and conditions: it may be another one.
    things: tuple[str, ...] = ()


def doubt(
    text: str,
    before: Sequence[DishLine],
    after: Sequence[DishLine],
    vocabulary: Vocabulary,
    shown: str = "",
    asked: Set[str] = frozenset(),
) -> Doubt:
    """`shown` is what else the guest sees of it: notes, and what was not understood. `asked`: what they are asked about."""
    return _Account(plainer(text), before, after, vocabulary, shown, asked).settle()


class _Account:
    def __init__(
        self,
        text: str,
        before: Sequence[DishLine],
        after: Sequence[DishLine],
        vocabulary: Vocabulary,
        shown: str,
        asked: Set[str],
    ) -> None:
        self._text, self._said, self._vocabulary = text, fold(text), vocabulary
        self._before, self._after = _amounts(before), _amounts(after)
        changed = [line for line in (*before, *after) if self._before[line.key] != self._after[line.key]]
        self._asked, self._items = asked, vocabulary.items
        self._touched = {line.item_id for line in changed}
        self._held = {line.item_id for line in before}
        self._choices = {choice.option_id for line in changed for choice in line.choices}
        self._is_other = any(_ways(before, one) != _ways(after, one) for one in self._touched & self._held)
        names = [vocabulary.items[one].name for one in self._touched | asked if one in vocabulary.items]
        self._shown = " ".join(fold(one) for one in (shown, *names, *(line.note for line in changed)) if one)
        self._sums = {one: (_sum(before, one), _sum(after, one)) for one in self._touched}
        self._numbers = {0, *(line.quantity for line in changed)}
        self._numbers |= {n for was, now in self._sums.values() for n in (was, now, abs(now - was))}
        self._atoms = atoms_of(places.without(text), vocabulary)

    def settle(self) -> Doubt:
        strange = [one.text for one in self._atoms if not self._is_known(one)]
        things = [one.text for one in self._atoms if not self._is_done(one)]
        things += [name for name in self._unnamed() if name]
        if _DENIES.search(self._said) and self._touched and not self._is_less() and not self._is_other:
            things.append(self._said)
        if self._is_miscounted() or self._is_doubled() or self._loses_more() or self._is_added_up():
            things.append(self._said)
        if self._is_uneven() or (not self._asked and not is_addition(self._text) and self._is_namesake()):
            things.append(self._said)
        is_more = is_addition(self._text) or _FOR_ANOTHER.search(self._said) is not None
        if is_more and not self._asked and self._touched and not self._is_more():
            things.append(self._said)
        return Doubt(tuple(dict.fromkeys(strange)), tuple(dict.fromkeys(things)))

    def _is_known(self, atom: Atom) -> bool:
        if atom.kind in ("unknown", "tells", "asks", "mind"):
            return all(CHANGES.fullmatch(word) or word in self._shown for word in fold(atom.text).split())
        if atom.kind in ("option", "note"):
            said = {*atom.ids, *atom.part, *atom.kin}
            # `ayran instead, a big one`: of what comes new the guest has said how it is to be.
            is_told = not self._is_same() and (atom.kind == "note" or self._touched <= self._held)
            return bool(said & self._choices) or fold(atom.text) in self._shown or is_told
        return True

    def _is_done(self, atom: Atom) -> bool:
        if fold(atom.text) in self._shown:
            return True
        if atom.kind in ("dish", "either"):
            ids = set(atom.ids)
            is_kept = bool(ids & self._held) and _KEEPS.search(self._said) is not None
            return bool(ids & (self._touched | self._asked)) or bool({*atom.part} & self._choices) or is_kept
        if atom.kind == "number" and atom.bound != "article" and atom.value >= 0:
            return atom.value in self._numbers or bool(self._asked)
        if atom.kind == "mind":
            return fold(atom.text) not in _OPEN
        return atom.kind != "doubt" or _ALL.search(self._said) is not None

    def _unnamed(self) -> list[str]:
        """Dishes that the change touches and nobody has named, where others are named; one in the place of another is."""
        named = {one for atom in self._atoms for one in (*atom.ids, *atom.part)}
        if not named & self._touched or _ALL.search(self._said):
            return []
        strange = self._touched - named
        is_more = any(self._sums[one][1] > self._sums[one][0] for one in strange)
        return [self._said] if len(strange) > 1 or is_more else []

    def _is_miscounted(self) -> bool:
        """`pideyi iki yap ayranı üç yap`: each number counts the dish before it."""
        told = [
            one
            for one in self._atoms
            if one.kind in ("dish", "either") or (one.kind == "number" and one.bound != "article")
        ]
        pairs = list(zip(told[::2], told[1::2], strict=False))
        if len(pairs) < 2 or len(told) % 2 or any(a.kind == "number" or b.kind != "number" for a, b in pairs):
            return False
        return any(
            number.value not in (now, now - was, was - now)
            for dish, number in pairs
            for one, (was, now) in self._sums.items()
            if one in dish.ids and one in self._held
        )

    def _is_doubled(self) -> bool:
        """`fasulye pilavsız gelsin, yanına cacık ekleyelim`: of a dish that nobody counts there are more, and another one comes."""
        more = {one for one, (was, now) in self._sums.items() if now > was}
        told = [one for one in self._atoms if one.kind not in ("option", "note", "measure")]
        around = zip([None, *told], told, [*told[1:], None], strict=False)
        counted = {
            id_
            for before, one, after in around
            if one.kind in ("dish", "either")
            and any(near is not None and near.kind in ("number", "doubt") for near in (before, after))
            for id_ in one.ids
        }
        named = {id_ for one in told if one.kind in ("dish", "either") for id_ in one.ids}
        return bool((more & self._held & named) - counted) and len(self._touched) > 1

    def _is_added_up(self) -> bool:
        """`bir lahmacun daha ekleyin, ayran da dört olsun`: four in all, whatever comes to the other dish."""
        clauses = [one for one in _CLAUSE.split(self._said) if _IN_ALL.search(one) and not is_addition(one)]
        told = [
            [one for one in atoms_of(clause, self._vocabulary) if one.kind in ("dish", "either", "number")]
            for clause in clauses
        ]
        return any(
            two[0].kind != "number" and two[1].kind == "number" and two[1].value != now and now > was
            for two in told
            if len(two) == 2
            for one, (was, now) in self._sums.items()
            if one in two[0].ids
        )

    def _loses_more(self) -> bool:
        """`kahvelerin birini orta yapın`: one of three, and not two of them gone."""
        parts = {one.value for one in self._atoms if one.kind == "number" and one.bound == "part" and one.value > 0}
        return bool(parts) and any(
            (now < was and now and was - now not in parts) or (now > was and not is_addition(self._text))
            for one, (was, now) in self._sums.items()
            if one in self._held
        )

    def _is_uneven(self) -> bool:
        """`one of the urfa should be an adana`: as many come as go, where some of the former stay."""
        less = [was - now for was, now in self._sums.values() if now < was]
        more = [now - was for was, now in self._sums.values() if now > was]
        stays = any(0 < now < was for was, now in self._sums.values())
        is_part = any(one.kind == "number" and one.bound == "part" for one in self._atoms) or _OF_THE.search(self._said)
        is_all = any(one.kind == "number" and one.bound == "part" for one in self._atoms)
        is_uneven = len(less) == len(more) == 1 and (stays or is_all) and bool(is_part) and less != more
        return is_uneven or any(map(self._goes_otherwise, _SO_MANY_OF.finditer(self._said)))

    def _goes_otherwise(self, found: re.Match[str]) -> bool:
        """`can one of the teas be a coffee`: of the teas one goes, or none."""
        number = next((one.value for one in atoms_of(found["number"], self._vocabulary) if one.kind == "number"), None)
        ids = {id_ for one in atoms_of(found["dish"], self._vocabulary) for id_ in one.ids}
        gone = [was - now for one, (was, now) in self._sums.items() if one in ids and one in self._held]
        return number is not None and any(one not in (0, number) for one in gone)

    def _is_namesake(self) -> bool:
        """`lahmacunu on tane yapın` to somebody who has ordered small lahmacuns: that may be those."""
        held, fresh = self._held, {one for one, (was, _) in self._sums.items() if not was}
        names = {one: set(words(fold(self._items[one].name))) for one in held | fresh if one in self._items}
        return any(names[one] < names[other] for one in fresh & names.keys() for other in held & names.keys())

    def _is_more(self) -> bool:
        return any(now > was for was, now in self._sums.values()) or self._is_other

    def _is_less(self) -> bool:
        return any(now < was for was, now in self._sums.values())

    def _is_same(self) -> bool:
        return self._before == self._after


def _ways(lines: Sequence[DishLine], item_id: str) -> set[tuple[object, ...]]:
    """How a dish is to be, however many of it."""
    return {line.key for line in lines if line.item_id == item_id}


def _sum(lines: Sequence[DishLine], item_id: str) -> int:
    return sum(line.quantity for line in lines if line.item_id == item_id)


def _amounts(lines: Sequence[DishLine]) -> Counter[tuple[object, ...]]:
    found: Counter[tuple[object, ...]] = Counter()
    for line in lines:
        found[line.key] += line.quantity
    return found
