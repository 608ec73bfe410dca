"""Questions that the menu and the venue can answer: prices, what is in a dish, opening hours, where it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from tablegram.restaurant import hours
from tablegram.restaurant.menu.allergens import ALLERGENS, allergen_name
from tablegram.restaurant.menu.model import Item, Menu, named
from tablegram.restaurant.orders.methods import payment_methods
from tablegram.restaurant.reading import Reading, Vocabulary, read
from tablegram.restaurant.reading.dialogue.leftovers import left_over
from tablegram.restaurant.reading.letters.suffixes import stems, with_
from tablegram.restaurant.reading.sentences import places
from tablegram.restaurant.reading.sentences.wishes import (
    Topic,
    asks_for_phone,
    asks_for_prices,
    day_in,
    diet_of,
    sells,
    topic_of,
    without_contents,
)
from tablegram.restaurant.reading.words.lexicon import (
    ASKS,
    COUNTERS,
    FILLERS,
    GENERIC,
    LATER,
    NO_FOOD,
    REAL_FOOD,
    WARMTHS,
)
from tablegram.restaurant.reading.words.manners import is_past
from tablegram.restaurant.reading.words.tokens import take_apart, words_of
from tablegram.restaurant.texts.words import on_day, speak
from tablegram.restaurant.venues import Venue
from tablegram.values.clock import DAY_MS
from tablegram.values.figures.writing import clock
from tablegram.values.folding import fold
from tablegram.values.money import written
from tablegram.values.opening_hours import DAYS, OpeningHours, local_day, zone

# More dishes than that are not asked about; the menu tells.
MOST_DISHES = 6
# Of what somebody eats, as many as a message holds well.
MOST_NAMES = 10
# A dish has a shorter name; whoever writes more tells something.
MOST_WORDS = 3
# With more words that the answer has nothing of, it answers something else.
MOST_LEFT = 2
# Who asks for a kind of dishes looks at the menu.
_KINDS = frozenset({"dishes", "dish", "food", "yemek", "yemekler", "yemekleri", "yemeginiz", "cesit", "cesitleri"})
# Around what is asked for.
_AROUND = (
    FILLERS | ASKS | COUNTERS | frozenset({"do", "you", "u", "got", "any", "there", "are", "serve", "sell", "acaba"})
)

_PART_OF = re.compile(r"\b(?:half|halves|yarim|bucuk|ceyrek|small(?:er)?|kucuk)\b")
# From midnight to midnight.
_WHOLE_DAY = "00:00–00:00"
_IS_OPEN = re.compile(r"\b(?:acik|kapali)\s+m[iu]\b")


class FactsTold(NamedTuple):
    """What the menu and the venue know; and whether that is all that was asked, as far as we can tell."""

    text: str
    is_whole: bool = True


def answer(
    text: str, heard: Reading, venue: Venue, vocabulary: Vocabulary, language: str, now: int, menu_url: str,
    online: bool = False,
) -> FactsTold | None:  # fmt: skip
    """The answer; nothing where people have to give it. Where words are left over, the guest hears that people read it too."""
    told = _find(text, heard, venue, vocabulary, language, now, menu_url, online)
    strange = () if told is None else left_over(text, told, vocabulary)
    if told is None or len(strange) > MOST_LEFT:
        return None
    return FactsTold(f"{told}\n{speak(language)['read_too']}", is_whole=False) if strange else FactsTold(told)


def _find(
    text: str, heard: Reading, venue: Venue, vocabulary: Vocabulary, language: str, now: int, menu_url: str,
    online: bool,
) -> str | None:  # fmt: skip
    topic = topic_of(text)
    if topic is None or sells(text):
        return None
    menu, wanted = vocabulary.menu, _wanted(text)
    roots = [with_(one) or one for one in words_of(wanted)]
    is_strange = not _KINDS & set(roots) and any(one in REAL_FOOD and not vocabulary.is_known(one) for one in roots)
    if is_strange and topic in ("has", "price"):
        # `peach ice tea` is no tea.
        return speak(language)["fact_unknown_dish"].format(fragment=wanted, menu=menu_url)
    words, dishes = speak(language), _dishes(heard, menu, vocabulary.named_by(wanted) if wanted else ())
    if topic == "allergens" and not dishes:
        # `humusta süt var mı` is about the humus.
        dishes = _dishes(read(without_contents(text), vocabulary), menu, ())
    if (diet := diet_of(text)) is not None:
        return _of_diet(diet, dishes, venue, menu, language, now, menu_url)
    if topic == "has" and dishes and _PART_OF.search(fold(text)):
        # Of which dishes there are halves, people know.
        return None
    if topic == "has" and dishes and _is_of_another(wanted, vocabulary):
        return None
    if topic in ("price", "allergens", "has") and dishes:
        return _of_dishes(topic, dishes, venue, menu, language, now)
    if topic in ("hours", "ways", "paying", "place"):
        return _of_venue(topic, text, heard, menu, venue, language, now, online=online)
    if topic == "menu" or (topic == "price" and asks_for_prices(text)):
        return words["fact_menu"].format(menu=menu_url)
    if topic in ("has", "price"):
        # Whether there is a car park, and what bringing it costs, the menu does not tell.
        if _KINDS & set(words_of(wanted)):
            return words["fact_menu"].format(menu=menu_url)
        is_food = any(word in REAL_FOOD for word in words_of(wanted))
        is_ours = any(vocabulary.is_known(word) for word in words_of(wanted))
        return words["fact_unknown_dish"].format(fragment=wanted, menu=menu_url) if is_food and not is_ours else None
    return None


def _of_venue(
    topic: Topic, text: str, heard: Reading, menu: Menu, venue: Venue, language: str, now: int, *, online: bool
) -> str | None:
    words = speak(language)
    if topic == "hours" and heard.names_dish and _IS_OPEN.search(fold(text)):
        # `ayran açık mı`: of a drink that is another question.
        return None
    if topic == "hours":
        day = day_in(text, local_day(now, venue.time_zone))
        served = _served(text, menu, venue, language, day or local_day(now, venue.time_zone))
        return served or (_hours(venue, language, now) if day is None else _hours_on(day, venue, words))
    if topic == "ways":
        return words["fact_ways"].format(ways=", ".join(words[f"fact_{one}"] for one in venue.order_types))
    if topic == "paying":
        methods = dict.fromkeys(
            method for one in venue.order_types for method in payment_methods(venue, one, online=online)
        )
        return words["fact_paying"].format(ways=", ".join(words[f"fact_{one}"] for one in methods))
    if asks_for_phone(text) and not venue.details.phone:
        return None
    told = [words[f"fact_{name}"].format(**{name: getattr(venue.details, name)})
            for name in ("address", "phone") if getattr(venue.details, name)]  # fmt: skip
    return "\n".join(told) or None


def allergens(dishes: Sequence[Item], language: str) -> str:
    """What the menu says of dishes that somebody orders who has told of an allergy."""
    told = [_allergens_of(item, language) for item in dishes]
    return "\n".join([*dict.fromkeys(told), speak(language)["fact_tell_staff"]])


def unknown_dish(text: str, vocabulary: Vocabulary, language: str, menu_url: str) -> FactsTold | None:
    """`2 hamburger`: food is ordered that the menu does not have. Whatever else somebody counts is left to people."""
    tokens = take_apart(places.without(text))
    words = [
        token for token in tokens if token.kind == "word" and token.key not in FILLERS and token.key not in COUNTERS
    ]
    is_counted = any(token.kind == "number" and token.bound != "article" for token in tokens)
    if (
        not is_counted
        or not 1 <= len(words) <= MOST_WORDS
        or not any(stem in REAL_FOOD for token in words for stem in stems(token.key))
        or any(
            token.key in NO_FOOD | ASKS | LATER or is_past(token.key) or vocabulary.is_known(token.key)
            for token in words
        )
    ):
        return None
    fragment = " ".join(token.text for token in words)
    return FactsTold(speak(language)["fact_unknown_dish"].format(fragment=fragment, menu=menu_url))


def _wanted(text: str) -> str:
    """The thing that somebody asks for, as it was written; nothing where it is not one."""
    asked = text.partition("?")[0] or text
    words = [token for token in take_apart(asked) if token.kind == "word" and token.key not in _AROUND]
    return " ".join(token.text for token in words) if 1 <= len(words) <= MOST_WORDS else ""


def _is_of_another(wanted: str, vocabulary: Vocabulary) -> bool:
    """`bubble tea` is no tea: a word before the dish that neither the menu nor any kitchen of ours knows."""
    words = words_of(wanted)
    known = [
        any(vocabulary.is_known(stem) for stem in (word, *stems(word))) or word in _AROUND | GENERIC | WARMTHS
        for word in words
    ]
    return len(words) > 1 and known[-1] and not known[-2]


def _dishes(heard: Reading, menu: Menu, named: Sequence[str]) -> list[Item]:
    ids = [*(line.item_id for line in heard.lines), *named]
    for question in heard.questions:
        if question.kind == "unknown":
            # `minimum` is no mini lahmacun.
            continue
        ids += [one for one in (question.item_id, *question.candidates) if one in menu.items_by_id]
    found = [menu.items_by_id[one] for one in dict.fromkeys(ids) if one in menu.items_by_id]
    return found if len(found) <= MOST_DISHES else []


def _of_diet(
    diet: str, dishes: Sequence[Item], venue: Venue, menu: Menu, language: str, now: int, menu_url: str
) -> str | None:
    """What is marked on the menu: of the dishes that are named, or among those that can be had now."""
    words = speak(language)
    marks = ("vegan",) if diet == "vegan" else ("vegan", "vegetarian")

    def has(item: Item) -> bool:
        return any(mark in item.tags for mark in marks)

    if dishes:
        told = [
            words["fact_diet_yes" if has(item) else "fact_diet_no"].format(
                name=named(item, language), diet=words[f"diet_{diet}"]
            )
            for item in dishes
        ]
        return "\n".join(told)
    found = [
        named(item, language)
        for item in menu.items
        if has(item)
        and not item.is_sold_out(now)
        and item.availability.holds(now, venue.time_zone)
        and menu.categories_by_id[item.category_id].availability.holds(now, venue.time_zone)
    ]
    if not found:
        return None
    return words["fact_diet"].format(
        diet=words[f"diet_{diet}"], names=", ".join(found[:MOST_NAMES]) + (" …" if len(found) > MOST_NAMES else ""),
        menu=menu_url,
    )  # fmt: skip


def _of_dishes(topic: Topic, dishes: list[Item], venue: Venue, menu: Menu, language: str, now: int) -> str:
    words = speak(language)
    parts = [_told(topic, item, venue, menu, language, now) for item in dishes]
    parts.append(words["fact_tell_staff"] if topic == "allergens" else words["fact_order"])
    return "\n".join(parts)


def _told(topic: Topic, item: Item, venue: Venue, menu: Menu, language: str, now: int) -> str:
    words, name = speak(language), named(item, language)
    if topic == "allergens":
        return _allergens_of(item, language)
    if item.is_sold_out(now):
        return words["fact_sold_out"].format(name=name)
    category = menu.categories_by_id[item.category_id]
    if not (item.availability.holds(now, venue.time_zone) and category.availability.holds(now, venue.time_zone)):
        return words["fact_not_now"].format(name=name)
    kind = "fact_price_from" if any(menu.groups_by_id[one].required for one in item.group_ids) else "fact_price"
    return words[kind].format(name=name, price=written(item.price, venue.currency, language))


def _allergens_of(item: Item, language: str) -> str:
    words, name = speak(language), named(item, language)
    known = [allergen_name(one, language) for one in item.allergens if one in ALLERGENS]
    if not known:
        return words["fact_no_allergens"].format(name=name)
    return words["fact_allergens"].format(name=name, allergens=", ".join(known))


def _served(text: str, menu: Menu, venue: Venue, language: str, day: date) -> str:
    """`kahvaltı kaça kadar`: a category with hours of its own."""
    said = set(words_of(text))
    for category in menu.categories:
        name, span = named(category, language), category.availability.hours
        if span and all(any(one.startswith(word) for one in said) for word in words_of(name)):
            spans = _spans(OpeningHours(venue.time_zone, span), day)
            return speak(language)["fact_served"].format(name=name, spans=spans) if spans else ""
    return ""


def _spans(hours: OpeningHours, day: date) -> str:
    there = zone(hours.time_zone)
    return ", ".join("–".join(clock(at, there) for at in span) for span in hours.intervals(day))


def _hours_on(day: date, venue: Venue, words: dict[str, str]) -> str:
    spans = _spans(venue.hours, day)
    name = words[f"day_{DAYS[day.weekday()]}"]
    if spans == _WHOLE_DAY:
        return words["fact_day_whole"].format(day=name)
    return words["fact_day" if spans else "fact_day_closed"].format(day=name, spans=spans)


def _hours(venue: Venue, language: str, now: int) -> str:
    words = speak(language)
    standing = hours.look(venue.hours, now)
    at = standing.until_ms if standing.is_open else standing.opens_ms
    kind = "fact_open" if standing.is_open else "fact_closed"
    if at is None:
        return words[kind]
    time = clock(at, zone(venue.time_zone))
    # Within a day, the time alone says which.
    shown = time if at - now < DAY_MS else on_day(local_day(at, venue.time_zone), time, language)
    return words[f"{kind}_until"].format(time=shown)
