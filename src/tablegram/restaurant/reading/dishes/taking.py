"""A text as the atoms that count in it.

Every word is accounted for. A word that is none of these, nor mere politeness, is kept as unknown, and is asked about.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import msgspec

from tablegram.restaurant.reading.dishes.about import BEGIN_ABOUT, About
from tablegram.restaurant.reading.dishes.atoms import Atom, Taken
from tablegram.restaurant.reading.letters.suffixes import with_
from tablegram.restaurant.reading.sentences.denials import mark_denials
from tablegram.restaurant.reading.words import lexicon
from tablegram.restaurant.reading.words.manners import asks_politely, is_open, is_past, is_polite, is_wished
from tablegram.restaurant.reading.words.matches import Found
from tablegram.restaurant.reading.words.names import NOT
from tablegram.restaurant.reading.words.phrases import by_first_word
from tablegram.restaurant.reading.words.tokens import Token, take_apart
from tablegram.restaurant.reading.words.vocabulary import Vocabulary

_FILLING, _ASKING, _WISHING = (
    by_first_word(phrases) for phrases in (lexicon.PHRASES_FILLER, lexicon.PHRASES_ASK, lexicon.WISHES)
)
_BEGIN_PHRASES = frozenset({*_FILLING, *_ASKING, *_WISHING})
# Every other word is one of a dish or of an option, or stands by itself.
_BEGIN_MORE = BEGIN_ABOUT | _BEGIN_PHRASES | lexicon.ASKS_FIRST | lexicon.DEGREES
# What they are depends on what stands around them.
_BY_NEIGHBOURS = lexicon.EXCUSES | lexicon.TELLS | lexicon.WARMTHS | {"var", "make", "too"}
_WITH_NAMES = lexicon.EXTRA | lexicon.COUNTERS
# A longer word with a slip is hardly ever another one.
_LONG = 7
# Before a question.
_GREETS = frozenset({"hi", "hello", "hey", "so", "and", "ok", "okay", "btw"})
_KEBABS = frozenset({"kebap", "kebabi", "kebab", "kebabs", "pidesi"})
_OF_FOOD = frozenset({"suyu", "corbasi", "salatasi", "kebabi", "pidesi", "tatlisi", "juice", "soup", "salad"})


def take_atoms(tokens: Sequence[Token], vocabulary: Vocabulary) -> Taken:
    """What is denied is marked first."""
    return _Reader(mark_denials(tokens, vocabulary), vocabulary).read()


def atoms_of(text: str, vocabulary: Vocabulary) -> Taken:
    """The same for a text with everything in it. It is read in several ways, and taken once."""
    taken = vocabulary.once(text, lambda bounded: take_atoms(take_apart(text), bounded))
    return Taken([*taken.atoms], [*taken.notes], taken.table, taken.order_type)


# People write the same few thousand words.
@lru_cache(maxsize=4_096)
def _kind_of(key: str) -> str | None:
    """What a word stands for that names nothing: `` for mere politeness, nothing where the words around it tell."""
    if key in lexicon.MORE:
        return "more"
    if key in lexicon.ALL:
        return "all"
    if key.startswith(NOT):
        return "note"
    if key in lexicon.CHANGES_MIND or key in lexicon.DENIES_BEFORE or key in lexicon.DENIES_AFTER or is_open(key):
        return "mind"
    if key in _BY_NEIGHBOURS or key in lexicon.ASKS or (key not in lexicon.FILLERS and is_past(key)):
        return None
    return _kind_alone(key)


def _kind_alone(key: str) -> str:
    if key in lexicon.SIZES:
        return "option"
    is_said_kindly = is_polite(key) or asks_politely(key)
    return "" if key in lexicon.COUNTERS or key in lexicon.WAITER_WORDS or is_said_kindly else "unknown"


class _Reader(About):
    def read(self) -> Taken:
        place = 0
        while place < len(self._tokens):
            place = self._read_at(place)
        return self._taken

    def _read_at(self, place: int) -> int:
        token = self._tokens[place]
        if token.kind == "word" and token.key not in _BEGIN_MORE and not self._is(place + 1, "number"):
            # As most of them.
            return self._read_menu(place) or self._read_single(place)
        if token.kind in ("break", "and", "note", "doubt", "emoji"):
            return self._add(Atom(token.kind, token.text, key=token.key), place + 1)
        if token.kind not in ("word", "number"):
            self._depth = max(0, self._depth + (token.kind == "open") - (token.kind == "close"))
            return place + 1
        return (
            self._read_about_order(place)
            or self._read_phrase(place)
            or self._read_menu(place)
            or self._read_degree(place)
            or self._read_single(place)
        )

    def _read_phrase(self, place: int) -> int:
        if self._said[place] not in _BEGIN_PHRASES:
            # Most words begin none of them.
            token = self._tokens[place]
            asks = token.key in lexicon.ASKS_FIRST and self._asks_first(place)
            return self._add(Atom("asks", token.text), place + 1) if asks else 0
        size = self._longest(_FILLING, place)
        if size:
            return place + size
        question = self._longest(_ASKING, place)
        if not question and self._asks_first(place):
            question = 1
        if question:
            return self._add(Atom("asks", self._text(place, place + question)), place + question)
        wish = self._longest(_WISHING, place)
        if not wish:
            return 0
        whole, _ = self._vocabulary.option_at(self._tokens, place)
        dish = self._vocabulary.dish_at(self._tokens, place)
        # `ortaya` is for all to share; only the very word is the medium one.
        is_option = whole is not None and whole.end >= place + wish and whole.cost == 0
        if is_option or (dish is not None and dish.is_whole):
            return 0
        return self._add(Atom("note", self._text(place, place + wish)), place + wish)

    def _asks_first(self, place: int) -> bool:
        """`is the adana spicy` asks; `this is for table 5` and `will have two` do not."""
        if self._key(place) not in lexicon.ASKS_FIRST or self._tokens[place].kind != "word":
            return False
        begins = place == 0 or self._tokens[place - 1].kind == "break" or self._key(place - 1) in _GREETS
        return begins and not (self._key(place) == "will" and self._key(place + 1) in lexicon.WISHES_AFTER_WILL)

    def _read_menu(self, place: int) -> int:
        token = self._tokens[place]
        if token.bound in ("pre", "post", "part"):
            return 0
        if token.kind == "word" and len(token.key) == 1:
            return 0  # `D:3` is a door.
        if token.kind == "word" and token.key not in _WITH_NAMES and self._vocabulary.is_silent(token.key):
            return 0
        dish = self._vocabulary.dish_at(self._tokens, place)
        whole, part = self._vocabulary.option_at(self._tokens, place)
        if token.key in lexicon.EXTRA and (end := self._read_extra(place, dish, whole)):
            return end
        if whole is None and token.key in lexicon.COUNTERS and self._is_counter(place, dish):
            return place + 1
        if token.kind == "number" and not (dish is not None and dish.is_whole):
            return self._read_numbered_option(place, whole, part)
        if dish is not None and dish.is_whole and dish.end > place + 1:
            extras, is_led = self._read_extras(place, dish)
            if extras and is_led:
                for at, found in extras:
                    self._add_option(at, found, None)
                return dish.end
            dish = msgspec.structs.replace(dish, is_sure=dish.is_sure and not extras)
        is_dish = dish is not None and (dish.is_sure or (whole is None and part is None))
        if dish is not None and is_dish and not self._option_wins(dish, whole):
            return self._add_dish(place, dish, whole)
        option = whole or part
        if dish is not None and option is not None and dish.end == option.end and with_(token.key) is None:
            # A word that is a part of dishes and of options, as the salad is.
            is_sure = all(self._vocabulary.are_same(one, other) for one in dish.ids for other in option.ids)
            text, key = self._text(place, dish.end), "part" if whole is None else "whole"
            return self._add(Atom("either", text, ids=dish.ids, part=option.ids, key=key, is_sure=is_sure), dish.end)
        if whole is not None:
            return self._add_option(place, whole, part)
        if not is_dish and part is not None and token.key not in lexicon.DEGREES:
            return self._add(Atom("option", self._text(place, part.end), part=part.ids), part.end)
        return 0

    def _read_extras(self, place: int, dish: Found) -> tuple[list[tuple[int, Found]], bool]:
        """`cheese pide with egg and sucuk`: the words of a dish that may be additions to the one before it.

        After a `with` they are; otherwise that is asked, unless a joint and the dish's own words make it a dish.
        """
        joint = next(
            (at for at, atom in enumerate(reversed(self._taken.atoms)) if atom.kind not in ("and", "break")), 0
        )
        before = self._taken.atoms[-1 - joint] if self._taken.atoms else None
        joints = self._taken.atoms[len(self._taken.atoms) - joint :]
        if before is None or before.kind != "dish" or len(before.ids) != 1:
            return [], False
        is_led = [atom.key for atom in joints] in (["with"], ["ile"])
        if joints and not is_led and dish.cost == 0:
            return [], False
        offered = self._vocabulary.option_ids(before.ids[0])
        found: list[tuple[int, Found]] = []
        at = place
        while at < dish.end:
            if self._is(at, "and"):
                at += 1
                continue
            whole, _ = self._vocabulary.option_at(self._tokens, at)
            if whole is None or not offered & {*whole.ids, *whole.kin}:
                return [], False
            found.append((at, whole))
            at = whole.end
        # The fries alone are the same as those beside a burger.
        return (found if len(found) > 1 else []), is_led

    def _is_counter(self, place: int, dish: Found | None) -> bool:
        """`2 şişe su` has no shish in it."""
        return (
            self._is(place - 1, "number") and self._is(place + 1, "word") and not (dish is not None and dish.is_whole)
        )

    def _read_extra(self, place: int, dish: Found | None, whole: Found | None) -> int:
        """`ekstra lavaş` is the lavaş of a menu that calls it so, and `ekstra ayran` an ayran."""
        after = place + 1
        if (dish is not None and dish.is_whole) or not self._is(after, "word"):
            return 0
        plain, part = self._vocabulary.option_at(self._tokens, after)
        if plain is not None and (whole is None or whole.end == plain.end):
            named = whole or plain
            both = msgspec.structs.replace(named, kin=tuple(dict.fromkeys((*named.kin, *plain.ids, *plain.kin))))
            return self._add_option(place, both, part)
        if whole is not None:
            return 0
        if part is not None:
            return self._add(Atom("option", self._text(place, part.end), part=part.ids), part.end)
        following = self._vocabulary.dish_at(self._tokens, after)
        if following is not None and following.is_sure:
            return after
        # Nobody offers it, and the guest is told so in their own words.
        return self._add(Atom("option", self._text(place, after + 1)), after + 1)

    def _read_numbered_option(self, place: int, whole: Found | None, part: Found | None) -> int:
        """`1,5 porsiyon` is an option where the menu has it; a plain number is a quantity."""
        is_half = self._tokens[place].value % 1 != 0
        if whole is not None and (is_half or whole.end > place + 1):
            return self._add_option(place, whole, None)
        if is_half and part is not None:
            value = self._tokens[place].value
            return self._add(Atom("option", self._text(place, part.end), ids=part.ids, value=value), part.end)
        return 0

    def _option_wins(self, dish: Found, whole: Found | None) -> bool:
        if whole is None:
            return False
        if whole.end != dish.end:
            return whole.end > dish.end
        return not dish.is_whole and whole.cost <= dish.cost

    def _add_dish(self, place: int, dish: Found, whole: Found | None) -> int:
        text, form = self._text(place, dish.end), self._form(place, dish)
        if self._is_of_other_food(place, dish):
            return self._add(Atom("unknown", text), dish.end)
        if whole is not None and whole.end == dish.end and dish.is_whole:
            return self._add(Atom("either", text, ids=dish.ids, part=whole.ids, form=form), dish.end)
        # One word nearly like a dish is one where it is counted; by itself it may be any word, as `salon` and salmon.
        beside = [*self._tokens[max(0, place - 2) : place], *self._tokens[dish.end : dish.end + 2]]
        is_counted = any(token.kind == "number" for token in beside)
        is_sure = dish.is_sure and (dish.cost < 1 or is_counted or dish.end > place + 1)
        is_near = dish.cost >= 1 and dish.end == place + 1 and len(self._key(place)) < _LONG
        return self._add(Atom("dish", text, ids=dish.ids, is_sure=is_sure, form=form, is_near=is_near), dish.end)

    def _is_of_other_food(self, place: int, dish: Found) -> bool:
        """`portakal suyu` where the menu has no oranges: that is no water."""
        before = self._taken.atoms[-1] if self._taken.atoms and self._is(place - 1, "word") else None
        if before is None or before.kind != "unknown" or dish.end != place + 1:
            return False
        # `cağ kebabı`: a kind of dish that the menu has others of.
        is_kind = not dish.is_whole and self._key(place) in _KEBABS and before.key not in lexicon.REAL_FOOD
        return is_kind or (before.key in lexicon.REAL_FOOD and self._key(place) in _OF_FOOD)

    def _form(self, place: int, dish: Found) -> str:
        """`my adana` is one that they have; but `can I have my adana spicy` orders it."""
        if len(dish.ids) != 1 or dish.cost >= 1:
            return ""
        if self._key(place - 1) in ("my", "our") and not lexicon.ASKS_KINDLY & set(self._said):
            return "owned"
        said = [token.key for token in reversed(self._tokens[place : dish.end]) if token.kind == "word"]
        # `kolalar soğuk`: the word that points need not be the last.
        return next((form for key in said if (form := self._vocabulary.pointing(key, dish.ids[0]))), "")

    def _add_option(self, place: int, whole: Found, part: Found | None, *, is_spare: bool = False) -> int:
        longer = part.ids if part is not None and part.end == whole.end else ()
        keys = [token.key for token in self._tokens[place : whole.end]]
        if is_spare or all(key in lexicon.COUNTERS for key in keys):
            otherwise = "spare"
        else:
            # `açık` is a glass of ayran, and how somebody likes their tea.
            is_wish = all(key.startswith(NOT) for key in keys) or tuple(keys) in lexicon.WISHES
            otherwise = "denied" if is_wish else ""
        text = self._text(place, whole.end)
        first = self._tokens[place]
        # How much of a portion it is: where the dish has no such portion, it is a number that nobody can cook.
        half = first.value if first.kind == "number" and first.value % 1 else 0
        return self._add(
            Atom("option", text, ids=whole.ids, part=longer, kin=whole.kin, key=otherwise, value=half), whole.end
        )

    def _read_degree(self, place: int) -> int:
        """`bol soğanlı`, `az acılı`, `less salt`: an option where there is one, and the words themselves as a note."""
        if self._tokens[place].key not in lexicon.DEGREES:
            return 0
        if (end := self._read_degree_behind(place)) or not self._is(place + 1, "word"):
            return end
        following = self._tokens[place + 1]
        if following.key in lexicon.FILLERS or following.key in lexicon.CHANGES_MIND or following.key in lexicon.ASKS:
            return 0
        dish = self._vocabulary.dish_at(self._tokens, place + 1)
        whole, part = self._vocabulary.option_at(self._tokens, place + 1)
        if whole is not None and not following.key.startswith(NOT):
            # Where the dish has no such option, the note says it all.
            self._add(Atom("note", self._text(place, whole.end)), 0)
            return self._add_option(place + 1, whole, part, is_spare=True)
        if dish is not None and (dish.is_whole or whole is None):
            return self._add(Atom("unknown", self._text(place, place + 1)), place + 1)
        is_judged = self._key(place) in lexicon.JUDGES and not is_wished(following.key)
        if is_judged or is_past(following.key) or following.key in lexicon.TELLS:
            # `çok güzeldi` is no wish for the kitchen.
            return self._add(Atom("tells", self._text(place, place + 2)), place + 2)
        return self._add(Atom("note", self._text(place, place + 2)), place + 2)

    def _read_degree_behind(self, place: int) -> int:
        """`soğanı bol olsun` is `bol soğanlı`."""
        said = self._taken.atoms[-1] if self._taken.atoms and self._is(place - 1, "word") else None
        closes = place + 1 >= len(self._tokens) or not self._is(place + 1, "word") or self._key(place + 1) == "olsun"
        if said is None or said.kind not in ("option", "unknown") or self._key(place) != "bol" or not closes:
            return 0
        self._taken.atoms.pop()
        if said.kind == "option":
            self._taken.atoms.append(msgspec.structs.replace(said, key="spare"))
        return self._add(Atom("note", f"{said.text} {self._tokens[place].text}"), place + 1)

    def _read_single(self, place: int) -> int:
        token = self._tokens[place]
        end = place + 1
        if token.kind == "number":
            counted = self._key(end)
            if counted in lexicon.SITTING:
                return end + 1
            if counted in lexicon.MEASURED and not token.bound:
                return self._add(Atom("measure", self._text(place, end + 1)), end + 1)
            counter = counted if counted in lexicon.COUNTERS else ""
            return self._add(Atom("number", token.text, value=token.value, bound=token.bound, form=counter), end)
        key = token.key
        if (kind := _kind_of(key)) is not None:
            return self._add_word(kind, place)
        if key == "var" and self._is(end, "word") and not self._key(end).startswith(("mi", "mu")):
            # `doğum günümüz var, 2 künefe` asks nothing.
            return self._add(Atom("unknown", token.text, key=key), end)
        if key in lexicon.ASKS:
            return self._add(Atom("asks", token.text), end)
        is_correction = key == "make" and self._key(end) in ("it", "that", "them") and self._is(end + 1, "number")
        is_too_much = key == "too" and self._is(end, "word") and self._key(end) not in lexicon.FILLERS
        if is_correction or is_too_much:
            return self._add(Atom("mind" if is_correction else "tells", token.text), end)
        if key in lexicon.EXCUSES:
            return end if self._is_excuse(place) else self._add(Atom("mind", token.text), end)
        if key in lexicon.TELLS or (key not in lexicon.FILLERS and is_past(key) and self._is_far(key)):
            return self._add(Atom("tells", token.text), end)
        if key in lexicon.WARMTHS and self._is_before_dish(end):
            return self._add(Atom("note", token.text), end)
        return self._add_word(_kind_alone(key), place)

    def _add_word(self, kind: str, place: int) -> int:
        if not kind:
            return place + 1
        token = self._tokens[place]
        return self._add(Atom(kind, token.text, key=token.key if kind == "unknown" else ""), place + 1)

    def _is_before_dish(self, place: int) -> bool:
        dish = self._vocabulary.dish_at(self._tokens, place) if self._is(place, "word") else None
        return dish is not None and dish.is_whole

    def _is_far(self, key: str) -> bool:
        return not self._vocabulary.near(key)

    def _is_excuse(self, place: int) -> bool:
        """`Pardon, 2 çay alabilir miyiz`; but `2 çay pardon 3 çay` takes something back."""
        leads = not any(atom.kind in ("dish", "either", "number") for atom in self._taken.atoms)
        return leads and any(token.key in lexicon.REQUESTS for token in self._tokens[place:])
