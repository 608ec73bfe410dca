"""What a guest is asked when his text leaves something open."""

from __future__ import annotations

from typing import Literal

import msgspec

from tablegram.restaurant.menu.model import Menu, named

Kind = Literal[
    "unknown",  # words that are on no menu
    "which_item",  # several dishes may be meant
    "which_option",  # a choice that must be made, or two that exclude each other
    "unknown_option",  # the dish cannot be had that way
    "which_line",  # it is not clear which of the dishes it goes with
    "how_many",
    "changed_mind",  # a dish is denied, exchanged, or depends on something
    "asks",  # the guest wants to know something
    "not_an_order",
]


class Question(msgspec.Struct, frozen=True):
    """One thing to ask: what about, in the guest's own words, and what the answer may be."""

    kind: Kind
    fragment: str = ""
    item_id: str = ""
    group_id: str = ""
    # Ids of dishes (`which_item`, `unknown`) or of options (`which_option`, `unknown_option`).
    candidates: tuple[str, ...] = ()


_WORDS: dict[str, dict[str, str]] = {
    "en": {
        "unknown": "I could not find “{fragment}” on the menu.{choices}",
        "which_item": "Which one do you mean by “{fragment}”?{choices}",
        "which_option": "{item}: {group}?{choices}",
        "unknown_option": "{item} cannot be had with “{fragment}”.{choices}",
        "which_line": "Which of the dishes is “{fragment}” for?",
        "how_many": "How many of {item} would you like?",
        "how_many_of": "How many would you like: “{fragment}”?",
        "changed_mind": "I am not sure about “{fragment}”. Please write once more what you would like to have.",
        "asks": "A colleague will answer your question. To order, write the dishes with their quantities.",
        "not_an_order": "To order, write the dishes with their quantities, or choose them on the menu.",
        "choices": " Is it one of these: {names}?",
        "which_one": "Did you mean {names} by “{fragment}”?",
    },
    "tr": {
        "unknown": "“{fragment}” menümüzde bulunamadı.{choices}",
        "which_item": "“{fragment}” ile hangisini istersiniz?{choices}",
        "which_option": "{item}: {group}?{choices}",
        "unknown_option": "{item} “{fragment}” olarak hazırlanmıyor.{choices}",
        "which_line": "“{fragment}” hangi ürün için?",
        "how_many": "{item}: kaç adet istersiniz?",
        "how_many_of": "Kaç adet istersiniz: “{fragment}”?",
        "changed_mind": "“{fragment}” kısmını anlayamadık. Ne istediğinizi bir kez daha yazar mısınız?",
        "asks": "Sorunuzu bir arkadaşımız yanıtlayacak. Sipariş için ürünleri adetleriyle yazabilirsiniz.",
        "not_an_order": "Sipariş için ürünleri adetleriyle yazabilir ya da menüden seçebilirsiniz.",
        "choices": " Şunlardan biri mi: {names}?",
        "which_one": "“{fragment}” derken şunu mu istediniz: {names}?",
    },
}
_MOST_FRAGMENT = 80


def ask(question: Question, menu: Menu, language: str) -> str:
    """The question in words, in the guest's language; English where we have not his."""
    spoken = language.partition("-")[0].lower()
    words = _WORDS.get(spoken, _WORDS["en"])
    item = menu.items_by_id.get(question.item_id)
    group = menu.groups_by_id.get(question.group_id)
    kind: str = "how_many_of" if question.kind == "how_many" and item is None else question.kind
    names = [name for one in question.candidates if (name := _name(menu, one, spoken))]
    if kind == "which_item" and len(names) == 1:
        kind = "which_one"
    return words[kind].format(
        names=", ".join(names),
        fragment=" ".join(question.fragment.split())[:_MOST_FRAGMENT],
        item="" if item is None else named(item, spoken),
        group="" if group is None else named(group, spoken),
        choices=words["choices"].format(names=", ".join(names)) if names else "",
    )


def _name(menu: Menu, thing_id: str, language: str) -> str:
    item = menu.items_by_id.get(thing_id)
    if item is not None:
        return named(item, language)
    known = menu.options_by_id.get(thing_id)
    return "" if known is None else named(known[1], language)
