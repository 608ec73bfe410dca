"""The words of a menu: which dish or option stands at a place of a text, in every language the menu has."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import islice

import msgspec

from tablegram.restaurant.menu.model import Group, Menu, Option
from tablegram.restaurant.reading.effort import Effort
from tablegram.restaurant.reading.letters.spelling import is_near, slip
from tablegram.restaurant.reading.letters.suffixes import bases, is_form_of, pointing, stems, with_
from tablegram.restaurant.reading.words.everyday import is_everyday
from tablegram.restaurant.reading.words.lexicon import (
    FILLERS,
    GENERIC,
    KINDS,
    MEASURES,
    NAMES_OF_PEOPLE,
    NO_FOOD,
    NUMBERS,
    OTHER_THINGS,
    REAL_FOOD,
    SAME_AS,
)
from tablegram.restaurant.reading.words.manners import is_past
from tablegram.restaurant.reading.words.matches import FORM, KIN, Found, Match, best, says_something, telling, with_kin
from tablegram.restaurant.reading.words.names import (
    GLUE,
    NOT,
    Name,
    beside_words,
    dishes_by_category,
    names_of,
    sorts_of,
)
from tablegram.restaurant.reading.words.recent import Recent, Result
from tablegram.restaurant.reading.words.shelves import EMPTY, Shelf, Things, letter_of, match_joined, shelves
from tablegram.restaurant.reading.words.tokens import Token, words_of

# Without the rest of its name none of these is a dish.
_NO_DISH_ALONE = NAMES_OF_PEOPLE | OTHER_THINGS | KINDS
# A word or a number as it was said: its kind and its key.
Said = tuple[str, str]
# Longer runs of a menu's words are not remembered.
_LONGEST_KEPT = 8
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
        self._options = {option.id: names_of(option) for option in reachable.values()}
        self._dish_shelves, self._option_shelves = shelves(self._dishes), shelves(self._options)
        self._categories = dishes_by_category(menu, self.items.values(), GENERIC | GLUE | FILLERS)
        every = (*self._dishes.values(), *self._options.values())
        self._words = {word for names in every for name in names for word in name.words}
        self._option_words = {word for names in self._options.values() for name in names for word in name.words}
        self._cost = lru_cache(maxsize=8_192)(self._find_cost)
        self.pointing = lru_cache(maxsize=4_096)(self._find_pointing)
        self._is_known = lru_cache(maxsize=4_096)(self._look_up)
        self._near = lru_cache(maxsize=1_024)(self._find_near)
        self._category = lru_cache(maxsize=4_096)(self._find_category)
        self._dishes_begun = lru_cache(maxsize=4_096)(partial(self._begun, self._dish_shelves))
        self._options_begun = lru_cache(maxsize=4_096)(partial(self._begun, self._option_shelves))
        self._dishes_said = lru_cache(maxsize=2_048)(partial(self._begin, self._dish_shelves, self._dishes_begun))
        self._options_said = lru_cache(maxsize=2_048)(partial(self._begin, self._option_shelves, self._options_begun))
        beside = {word for names in every for name in names for word in (*name.beside, *name.sorts)}
        self._is_beside = lru_cache(maxsize=4_096)(partial(self._is_any, words=tuple(beside)))
        self.recent = Recent()
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
        return self._is_known(key)

    def dish_at(self, tokens: Sequence[Token], start: int) -> Found | None:
        """The dish that is named from this token on; the longest name that fits, and every dish it may be."""
        matches = self._matches(self._dish_shelves, self._dishes_begun, tokens, start)
        if not matches:
            return self._category_at(tokens, start)
        whole = [(item_id, match) for item_id, match in matches if match.is_whole]
        some = [(item_id, match) for item_id, match in matches if not match.is_whole]
        part = [(item_id, match) for item_id, match in some if self._says_enough(match)]
        hint = [(item_id, match) for item_id, match in some if says_something(match)]
        end_whole = max((match.end for _, match in whole), default=0)
        end_part = max((match.end for _, match in part), default=0)
        if whole and (end_part <= end_whole or self._rest_is_options(whole, end_whole, tokens, end_part)):
            found = best(whole, end_whole, is_whole=True, rivals=part)
            is_doubtful = all(match.is_doubtful for _, match in whole if match.end == end_whole)
            return msgspec.structs.replace(found, is_sure=not is_doubtful)
        if part:
            found = best(part, end_part, is_whole=False, rivals=())
            # A burger may be each of the burgers, whatever word leads its name.
            others = [item_id for item_id, match in hint if match.end == end_part and match.cost <= found.cost]
            return msgspec.structs.replace(found, ids=tuple(dict.fromkeys((*found.ids, *others))))
        if hint:
            found = best(hint, max(match.end for _, match in hint), is_whole=False, rivals=())
            return msgspec.structs.replace(found, is_sure=False)
        return self._category_at(tokens, start)

    def option_at(self, tokens: Sequence[Token], start: int) -> tuple[Found | None, Found | None]:
        """The options that are named from this token on: those in whole, and those in part."""
        matches = self._matches(self._option_shelves, self._options_begun, tokens, start)
        if not matches:
            return None, None
        whole = [(key, m) for key, m in matches if m.is_whole or set(m.missing) <= MEASURES]
        part = [(key, m) for key, m in matches if not m.is_whole and not set(m.said) <= MEASURES]
        named = best(whole, max(m.end for _, m in whole), is_whole=True, rivals=()) if whole else None
        return (
            None if named is None else with_kin(named, whole, tokens),
            best(part, max(m.end for _, m in part), is_whole=False, rivals=()) if part else None,
        )

    def are_same(self, item_id: str, option_id: str) -> bool:
        """Whether a dish and an option have the same name: the fries beside a burger, and the fries alone."""
        names = {name.words for name in self._dishes[item_id] if not name.is_short}
        return bool(names & {name.words for name in self._options[option_id]})

    def holders(self, key: str, ids: Iterable[str]) -> list[str]:
        """Which of these dishes and options have a word in a name of theirs."""
        names = {one: (*self._dishes.get(one, ()), *self._options.get(one, ())) for one in ids}
        whole = [one for one, known in names.items() if any(self._is_any(key, name.words) for name in known)]
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
        return tuple(
            item_id
            for item_id, names in self._dishes.items()
            if any(words.issubset(name.words) for name in names if not name.is_short)
        )

    def _find_pointing(self, key: str, item_id: str) -> str:
        """How a word points at a dish, by its ending."""
        return pointing(key, {word for name in self._dishes[item_id] for word in name.words})

    def near(self, key: str) -> tuple[str, ...]:
        """Dishes that an unknown word may have meant; only ever offered, never taken."""
        if key in REAL_FOOD:
            # Bread is no bream.
            return ()
        self._effort.spend(1 + len(self._dish_shelves.get(letter_of(key), EMPTY).things))
        return self._near(key)

    def _find_near(self, key: str) -> tuple[str, ...]:
        likely = self._dish_shelves.get(letter_of(key), EMPTY).things.items()
        near = (one for one, names in likely if any(is_near(key, word) for name in names for word in name.words))
        return tuple(islice(near, _MOST_NEAR))

    def _matches(
        self, known: dict[str, Shelf], begun: Callable[[str], Things], tokens: Sequence[Token], start: int
    ) -> list[tuple[str, Match]]:
        """Every name that fits from this token on, in the menu's order."""
        first = tokens[start]
        shelf = known.get(letter_of(first.key), EMPTY)
        self._effort.spend(1 + len(shelf.things))
        if shelf is EMPTY:
            return []
        found: list[tuple[str, Match]] = []
        # Most words begin no name.
        if first.key in self._words if first.kind == "number" else begun(first.key):
            said = self._run(begun, tokens, start)
            begins = self._dishes_said if begun is self._dishes_begun else self._options_said
            matches = begins(said) if len(said) <= _LONGEST_KEPT else self._begin(known, begun, said)
            found = [(thing, msgspec.structs.replace(match, end=start + match.end)) for thing, match in matches]
        joined = match_joined(shelf, tokens, start)
        return sorted(found + joined, key=lambda one: shelf.order[one[0]]) if joined else found

    def _run(self, begun: Callable[[str], Things], tokens: Sequence[Token], start: int) -> tuple[Said, ...]:
        """From this token on what may be words of one name; most words of a text end it."""
        run: list[Said] = []
        for token in islice(tokens, start, None):
            if token.bound in ("pre", "post", "part"):
                break
            if token.kind == "word":
                goes_on = not run or bool(begun(token.key)) or self._is_beside(token.key)
            else:
                goes_on = token.kind == "and" or (token.kind == "number" and (not run or token.key in self._words))
            if not goes_on:
                break
            run.append((token.kind, token.key))
        return tuple(run)

    def _begin(
        self, known: dict[str, Shelf], begun: Callable[[str], Things], run: tuple[Said, ...]
    ) -> tuple[tuple[str, Match], ...]:
        """The names that such a run of words begins with."""
        if not run:
            return ()
        kind, key = run[0]
        likely = known.get(letter_of(key), EMPTY).things if kind == "number" else begun(key)
        every = ((thing, self._match(name, run)) for thing, names in likely.items() for name in names)
        return tuple((thing, match) for thing, match in every if match is not None)

    def _begun(self, known: dict[str, Shelf], key: str) -> Things:
        """The names that a typed word may be a word of. Most words are none of the menu's."""
        likely = {
            thing: tuple(name for name in names if self._is_any(key, name.words))
            for thing, names in known.get(letter_of(key), EMPTY).things.items()
        }
        return {thing: names for thing, names in likely.items() if names}

    def _match(self, name: Name, run: Sequence[Said]) -> Match | None:
        used: list[int] = []
        end, cost = 0, 0.0
        is_doubtful = False
        for index, (kind, key) in enumerate(run, start=1):
            if kind == "and" and name.has_glue and used:
                continue
            if kind == "and":
                break
            step = self._step(name, kind, key, used)
            if step is None:
                beside = self._cost_beside(kind, key, name)
                if beside is None or not used:
                    break
                cost += beside
                is_doubtful = is_doubtful or key in name.sorts
            else:
                used.append(step[0])
                cost += step[1]
            end = index
        if not used:
            return None
        missing = tuple(word for place, word in enumerate(name.words) if place not in used)
        lead = next((word for word in name.words if word not in GENERIC), name.words[0])
        said = tuple(name.words[place] for place in used)
        is_told = all(self._is_kind(word, name) for word in missing)
        return Match(end, cost, not missing and not name.is_short, said, missing, lead in said, is_told, is_doubtful)

    def _cost_beside(self, kind: str, key: str, name: Name) -> float | None:
        """Of a word that may be said with a name, as the category's; numbers never are."""
        known = (*name.beside, *name.sorts) if kind == "word" else ()
        return min((cost for word in known if (cost := self._cost(key, word)) is not None), default=None)

    def _is_kind(self, word: str, name: Name) -> bool:
        """Whether it says no more than what kind of thing a dish is, as its category does."""
        return word in GENERIC or word in KINDS or any(is_form_of(beside, word) for beside in name.beside)

    def _is_any(self, key: str, words: tuple[str, ...]) -> bool:
        """Whether a typed word may be one of these."""
        return any(self._cost(key, word) is not None for word in words)

    def _step(self, name: Name, kind: str, key: str, used: list[int]) -> tuple[int, float] | None:
        """The word of the name that this one is. Numbers stand where the name has them, other words anywhere."""
        best: tuple[int, float] | None = None
        for place, word in enumerate(name.words):
            if place in used:
                continue
            if kind == "number":
                in_order = place == (used[-1] + 1 if used else 0)
                cost = 0.0 if in_order and key == word else None
            else:
                cost = self._cost(key, word)
            if cost is not None and (best is None or cost < best[1]):
                best = (place, cost)
        return best

    def _find_cost(self, typed: str, word: str) -> float | None:
        """How unlike a typed word is to one of the menu's; nothing where it is another word."""
        if typed == word:
            return 0.0
        if any(word in SAME_AS.get(stem, ()) for stem in stems(typed) if stem == typed or len(stem) >= 4):
            return KIN
        if typed[:1] != word[:1]:
            # Neither endings nor typing errors change it, and most words differ in it.
            return None
        if typed.startswith(NOT) or word.startswith(NOT):
            if typed.startswith(NOT) and word.startswith(NOT):
                return self._find_kin(typed[1:], word[1:])
            return None
        if typed in NO_FOOD or is_form_of(typed, word):
            return None if typed in NO_FOOD else FORM
        kin = self._find_kin(typed, word) if word in self._option_words else None
        if kin is not None:
            return kin
        root = with_(typed)
        if root is not None and (self.is_known(root) or root in REAL_FOOD):
            # `pilavlı` comes with rice, and is none.
            return None
        if self.is_known(typed) or typed in REAL_FOOD or typed in NUMBERS or is_past(typed) or is_everyday(typed):
            return None
        if any(stem in REAL_FOOD for stem in stems(typed) if len(stem) >= 4):
            # `danadan` is veal; but `lemonde` is no lemon where a letter more makes it a lemonade.
            return 1.0 if len(typed) >= 7 and slip(typed, word) == 1 else None
        slips = [slip(stem, base) for stem in stems(typed) if len(stem) >= 4 for base in bases(word) if len(base) >= 5]
        return min((float(one) for one in slips if one), default=None)

    def _find_kin(self, typed: str, word: str) -> float | None:
        """With and without their -lı: what is `acılı` has `acı`."""
        roots = {typed, with_(typed) or typed}
        if any(is_form_of(root, base) for root in roots for base in {word, with_(word) or word}):
            return KIN
        return None

    def _look_up(self, key: str) -> bool:
        return key in self._words or any(is_form_of(key, word) for word in self._words if word[:2] == key[:2])

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

    def _rest_is_options(self, whole: list[tuple[str, Match]], end: int, tokens: Sequence[Token], until: int) -> bool:
        """A shorter whole name wins over a longer part of another where what is left over are its options."""
        offered = {one for item_id, match in whole if match.end == end for one in self.option_ids(item_id)}
        place = end
        while place < until:
            found, _ = self.option_at(tokens, place)
            if found is None or not offered & set(found.ids):
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
