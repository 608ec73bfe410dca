"""The words of a menu: which dish or option stands at a place of a text, in every language the menu has."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import islice

import msgspec

from tablegram.restaurant.menu.model import Group, Menu, Option
from tablegram.restaurant.menu.pricing import asked_groups
from tablegram.restaurant.reading.effort import Effort
from tablegram.restaurant.reading.letters.spelling import is_near
from tablegram.restaurant.reading.letters.suffixes import is_form_of, pointing, with_
from tablegram.restaurant.reading.words.books import Book, Seen
from tablegram.restaurant.reading.words.lexicon import (
    FILLERS,
    GENERIC,
    KINDS,
    MEASURES,
    NAMES_OF_PEOPLE,
    OTHER_THINGS,
    REAL_FOOD,
)
from tablegram.restaurant.reading.words.likeness import Likeness
from tablegram.restaurant.reading.words.matches import Found, Judged, Match, best, says_something, telling, with_kin
from tablegram.restaurant.reading.words.names import (
    GLUE,
    NOT,
    Name,
    beside_words,
    by_word,
    dishes_by_category,
    names_of,
    sorts_of,
)
from tablegram.restaurant.reading.words.recent import Recent, Result
from tablegram.restaurant.reading.words.shelves import EMPTY, letter_of
from tablegram.restaurant.reading.words.tokens import Token, words_of

# Without the rest of its name none of these is a dish.
_NO_DISH_ALONE = NAMES_OF_PEOPLE | OTHER_THINGS | KINDS
_NOBODY: dict[str, tuple[Name, ...]] = {}
# So many are offered for a word that nobody understands.
_MOST_NEAR = 4


class Vocabulary:
    """A menu, prepared for reading. Make one for each version of a menu, not for each text."""

    def __init__(self, menu: Menu) -> None:
        self.menu = menu
        self.items = {item.id: item for item in menu.items if menu.is_shown(item)}
        sorts = sorts_of(self.items.values())
        self._dishes = {
            item.id: names_of(item, beside_words(menu, item), sorts[item.id]) for item in self.items.values()
        }
        self._offered = {item_id: self._reach(item_id) for item_id in self.items}
        self._option_ids = {
            one: frozenset(option.id for _, option in offered) for one, offered in self._offered.items()
        }
        reachable = {option.id: option for offered in self._offered.values() for _, option in offered}
        self._takers: dict[str, set[str]] = {}
        for item_id, option_ids in self._option_ids.items():
            for one in option_ids:
                self._takers.setdefault(one, set()).add(item_id)
        self._options = {option.id: names_of(option) for option in reachable.values()}
        self._named = by_word(self._dishes)
        self._categories = dishes_by_category(menu, self.items.values(), GENERIC | GLUE | FILLERS)
        every = (*self._dishes.values(), *self._options.values())
        self._words = {word for names in every for name in names for word in name.words}
        self._option_words = {word for names in self._options.values() for name in names for word in name.words}
        self._likeness = Likeness(self._words, self._option_words)
        self.pointing = lru_cache(maxsize=4_096)(self._find_pointing)
        self._near = lru_cache(maxsize=1_024)(self._find_near)
        self._category = lru_cache(maxsize=4_096)(self._find_category)
        beside = {word for names in every for name in names for word in (*name.beside, *name.sorts)}
        is_beside = lru_cache(maxsize=4_096)(partial(self._likeness.is_any, words=tuple(beside)))
        self._dish_book = Book(self._dishes, self._likeness, self._words, is_beside)
        self._option_book = Book(self._options, self._likeness, self._words, is_beside)
        self._dishes_in = lru_cache(maxsize=2_048)(self._judge_dishes)
        self._options_in = lru_cache(maxsize=2_048)(self._judge_options)
        self._silent = lru_cache(maxsize=4_096)(self._find_silent)
        self.asked_groups = lru_cache(maxsize=2_048)(self._find_groups)
        self.asked_options = lru_cache(maxsize=2_048)(self._find_options)
        self.recent = Recent()
        # What single words come to, which stand alone.
        self.alone = Recent(1_024)
        # What each dish comes with where nothing is said of it.
        self.usual = Recent(1_024)
        # Whose reading it is; nobody counts until somebody asks for it.
        self._effort = Effort()

    def within(self, effort: Effort) -> Vocabulary:
        """The same vocabulary for the reading of one text, which may take so much effort and no more."""
        bounded = Vocabulary.__new__(Vocabulary)
        bounded.__dict__.update(self.__dict__, _effort=effort)
        return bounded

    def once(self, key: Hashable, make: Callable[[Vocabulary], Result]) -> Result:
        """What was made of one of the last few texts; otherwise it is made. It always costs the same effort."""
        made, steps = self.recent.once(key, lambda: self._count(make))
        self._effort.spend(steps)
        return made

    def _count(self, make: Callable[[Vocabulary], Result]) -> tuple[Result, int]:
        effort = Effort(self._effort.most)
        return make(self.within(effort)), effort.steps

    def options_of(self, item_id: str) -> Sequence[tuple[Group, Option]]:
        """Every option that a dish may have, those that others open included."""
        return self._offered[item_id]

    def option_ids(self, item_id: str) -> frozenset[str]:
        """The same, by their ids."""
        return self._option_ids[item_id]

    def takers_of(self, option_ids: Iterable[str]) -> frozenset[str]:
        """The dishes that may have one of these options."""
        return frozenset().union(*(self._takers.get(one, ()) for one in option_ids))

    def _find_groups(self, item_id: str, chosen: frozenset[str]) -> tuple[Group, ...]:
        """The groups that a dish asks for once these options are chosen."""
        return tuple(asked_groups(self.menu, self.items[item_id], set(chosen)))

    def _find_options(self, item_id: str, chosen: frozenset[str]) -> frozenset[str]:
        """The options of these groups."""
        return frozenset(option.id for group in self.asked_groups(item_id, chosen) for option in group.options)

    def _reach(self, item_id: str) -> tuple[tuple[Group, Option], ...]:
        waiting = list(self.items[item_id].group_ids)
        seen: set[str] = set()
        found: list[tuple[Group, Option]] = []
        while waiting:
            group = self.menu.groups_by_id.get(waiting.pop(0))
            if group is None or group.id in seen:
                continue
            seen.add(group.id)
            for option in group.options:
                found.append((group, option))
                waiting.extend(option.opens)
        return tuple(found)

    def is_known(self, key: str) -> bool:
        """Whether a word is one of the menu's, spelt right."""
        return self._likeness.is_known(key)

    def is_silent(self, key: str) -> bool:
        """Whether a word begins no name of a dish or an option, whatever follows. It costs what looking for both does."""
        steps = self._silent(key)
        self._effort.spend(steps or 0)
        return steps is not None

    def _find_silent(self, key: str) -> int | None:
        starts = self._dish_book.start(key), self._option_book.start(key)
        may_name = any(one.begins or one.joins for one in starts)
        is_category = key not in FILLERS and len(self._category(key)) > 1
        return None if may_name or is_category else sum(one.steps for one in starts)

    def dish_at(self, tokens: Sequence[Token], start: int) -> Found | None:
        """The dish that is named from this token on; the longest name that fits, and every dish it may be."""
        seen = self._look(self._dish_book, tokens, start)
        if seen is None:
            return self._category_at(tokens, start)
        judged = self._dishes_in(seen) if seen.is_short else self._judge_dishes(seen)
        found, offered = judged.part, judged.offered
        # A shorter whole name wins over a longer part of another where what is left over are its options.
        if (whole := judged.whole) is not None and (
            found is None or offered is None or self._are(offered, tokens, start + whole.end, start + found.end)
        ):
            found = whole
        return self._category_at(tokens, start) if found is None else found.behind(start)

    def _judge_dishes(self, seen: Seen) -> Judged:
        matches = self._dish_book.matches(seen)
        whole = [(item_id, match) for item_id, match in matches if match.is_whole]
        some = [(item_id, match) for item_id, match in matches if not match.is_whole]
        part = [(item_id, match) for item_id, match in some if self._says_enough(match)]
        hint = [(item_id, match) for item_id, match in some if says_something(match)]
        end_whole = max((match.end for _, match in whole), default=0)
        end_part = max((match.end for _, match in part), default=0)
        sure = likely = offered = None
        if whole:
            is_doubtful = all(match.is_doubtful for _, match in whole if match.end == end_whole)
            sure = msgspec.structs.replace(best(whole, end_whole, is_whole=True, rivals=part), is_sure=not is_doubtful)
            if end_part > end_whole:
                offered = frozenset(
                    one for key, match in whole if match.end == end_whole for one in self.option_ids(key)
                )
        if part:
            found = best(part, end_part, is_whole=False, rivals=())
            # A burger may be each of the burgers, whatever word leads its name.
            others = [item_id for item_id, match in hint if match.end == end_part and match.cost <= found.cost]
            likely = msgspec.structs.replace(found, ids=tuple(dict.fromkeys((*found.ids, *others))))
        elif hint:
            found = best(hint, max(match.end for _, match in hint), is_whole=False, rivals=())
            likely = msgspec.structs.replace(found, is_sure=False)
        return Judged(sure, likely, offered)

    def option_at(self, tokens: Sequence[Token], start: int) -> tuple[Found | None, Found | None]:
        """The options that are named from this token on: those in whole, and those in part."""
        seen = self._look(self._option_book, tokens, start)
        if seen is None:
            return None, None
        judged = self._options_in(seen) if seen.is_short else self._judge_options(seen)
        whole, part = judged.whole, judged.part
        if whole is not None and judged.kin:
            whole = with_kin(whole, judged.kin, tokens[start : start + whole.end])
        return None if whole is None else whole.behind(start), None if part is None else part.behind(start)

    def _judge_options(self, seen: Seen) -> Judged:
        matches = self._option_book.matches(seen)
        whole = [(key, m) for key, m in matches if m.is_whole or set(m.missing) <= MEASURES]
        part = [(key, m) for key, m in matches if not m.is_whole and not set(m.said) <= MEASURES]
        named = best(whole, max(m.end for _, m in whole), is_whole=True, rivals=()) if whole else None
        likely = best(part, max(m.end for _, m in part), is_whole=False, rivals=()) if part else None
        kin = () if named is None else tuple((key, m.end) for key, m in whole if m.cost < 1 and key not in named.ids)
        return Judged(named, likely, kin=kin)

    def _look(self, book: Book, tokens: Sequence[Token], start: int) -> Seen | None:
        token = tokens[start]
        begin = book.start(token.key)
        self._effort.spend(begin.steps)
        begins = begin.begins if token.kind != "number" else token.key in self._words
        return book.look(begin, tokens, start) if begins or begin.joins else None

    def are_same(self, item_id: str, option_id: str) -> bool:
        """Whether a dish and an option have the same name: the fries beside a burger, and the fries alone."""
        names = {name.words for name in self._dishes[item_id] if not name.is_short}
        return bool(names & {name.words for name in self._options[option_id]})

    def holders(self, key: str, ids: Iterable[str]) -> list[str]:
        """Which of these dishes and options have a word in a name of theirs."""
        names = {one: (*self._dishes.get(one, ()), *self._options.get(one, ())) for one in ids}
        whole = [one for one, known in names.items() if any(self._likeness.is_any(key, name.words) for name in known)]
        if whole or len(key) < 3:
            return whole
        # `ezo` is enough where there are only a few to choose from.
        words = {one: [word for name in known for word in name.words] for one, known in names.items()}
        return [one for one, known in words.items() if any(word.startswith(key) for word in known)]

    def named_by(self, text: str) -> tuple[str, ...]:
        """Dishes that have every one of these words in a name, where they are more than `large` or `hot`."""
        words = set(words_of(text))
        if words <= GENERIC:
            return ()
        # Those with the rarest of the words: the others need not be looked at.
        likely = min((self._named.get(word, _NOBODY) for word in words), key=len)
        return tuple(item_id for item_id, names in likely.items() if any(words.issubset(name.words) for name in names))

    def _find_pointing(self, key: str, item_id: str) -> str:
        """How a word points at a dish, by its ending."""
        return pointing(key, {word for name in self._dishes[item_id] for word in name.words})

    def near(self, key: str) -> tuple[str, ...]:
        """Dishes that an unknown word may have meant; only ever offered, never taken."""
        if key in REAL_FOOD:
            # Bread is no bream.
            return ()
        self._effort.spend(1 + len(self._dish_book.shelves.get(letter_of(key), EMPTY).things))
        return self._near(key)

    def _find_near(self, key: str) -> tuple[str, ...]:
        shelf = self._dish_book.shelves.get(letter_of(key), EMPTY)
        # Names share their words, and each is compared once.
        words = frozenset(word for word in shelf.words if is_near(key, word))
        if not words:
            return ()
        near = (one for one, names in shelf.things.items() if any(not words.isdisjoint(name.words) for name in names))
        return tuple(islice(near, _MOST_NEAR))

    def _says_enough(self, match: Match) -> bool:
        """A part of a name stands for it only with the word that leads it, and not one that goes with anything.

        What is left out may only be what kind of dish it is: `adana` is the kebab, but `deniz` is no samphire, nor are
        cigarettes a pastry.
        """
        if not match.is_led or not match.is_told:
            return False
        words = telling(match)
        if match.missing and all(word in _NO_DISH_ALONE for word in words):
            return False
        return any(
            word not in self._option_words and with_(word) is None and not word.startswith(NOT) for word in words
        )

    def _are(self, offered: frozenset[str], tokens: Sequence[Token], place: int, until: int) -> bool:
        """Whether there is nothing but these options from one token up to another."""
        while place < until:
            found, _ = self.option_at(tokens, place)
            if found is None or offered.isdisjoint(found.ids):
                return False
            place = found.end
        return True

    def _category_at(self, tokens: Sequence[Token], start: int) -> Found | None:
        """`a soup` names no dish; it may be each of the soups."""
        token = tokens[start]
        if token.kind != "word" or token.key in FILLERS:
            return None
        ids = self._category(token.key)
        return Found(ids, start + 1, is_whole=False) if len(ids) > 1 else None

    def _find_category(self, key: str) -> tuple[str, ...]:
        """The dishes of the first category that a word names."""
        named = (ids for words, ids in self._categories if any(is_form_of(key, word) or key == word for word in words))
        return next(named, ())
