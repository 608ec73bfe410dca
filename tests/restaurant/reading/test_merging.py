"""What is said of a dish that is ordered already: it comes to what was said before, and nothing else of it is lost."""

from __future__ import annotations

import pytest

from tablegram.restaurant.demo.house import demo_menu
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.reading import Vocabulary, read
from tablegram.restaurant.reading.dialogue.changing.changes import amend, change

VOCABULARY = Vocabulary(demo_menu())
ADANA = "bir adana bir buçuk acılı lavaşlı"
LOADED = {"Bir buçuk porsiyon", "Acılı", "Lavaş"}


def shown(lines: tuple[DishLine, ...]) -> list[tuple[int, str, set[str], str]]:
    names = {line.item_id: {o.id: o.name for _, o in VOCABULARY.options_of(line.item_id)} for line in lines}
    return [
        (
            line.quantity,
            VOCABULARY.items[line.item_id].name,
            {names[line.item_id][one.option_id] for one in line.choices},
            line.note,
        )
        for line in lines
    ]


@pytest.mark.parametrize(
    ("ordered", "said", "becomes"),
    [
        (ADANA, "adana soğansız olsun", LOADED | {"Soğansız"}),
        (ADANA, "adana soğansız", LOADED | {"Soğansız"}),
        (f"{ADANA} soğansız", "adana maydanozsuz da olsun", LOADED | {"Soğansız", "Maydanozsuz"}),
        # Without its name just so.
        (f"{ADANA} soğansız", "maydanozsuz da olsun", LOADED | {"Soğansız", "Maydanozsuz"}),
        (ADANA, "no onions on the adana please", LOADED | {"Soğansız"}),
        # Of a group of which one is chosen, another one.
        (ADANA, "adana acısız olsun", {"Bir buçuk porsiyon", "Acısız", "Lavaş"}),
        (ADANA, "make the adana mild", {"Bir buçuk porsiyon", "Acısız", "Lavaş"}),
        (ADANA, "adana duble olsun", {"Duble", "Acılı", "Lavaş"}),
        # What a dish is by itself may be said too.
        (ADANA, "adana tek porsiyon olsun", {"Tek porsiyon", "Acılı", "Lavaş"}),
        (ADANA, "tek porsiyon olsun", {"Tek porsiyon", "Acılı", "Lavaş"}),
        # An extra goes when the guest says so, and leaves no note.
        (ADANA, "adana lavaşsız olsun", {"Bir buçuk porsiyon", "Acılı"}),
        (ADANA, "no lavash on the adana please", {"Bir buçuk porsiyon", "Acılı"}),
        # Something comes to the dish, and not the dish to the order.
        (ADANA, "adanaya bulgur ekle", LOADED | {"Bulgur pilavı"}),
        (ADANA, "adanaya bulgur pilavı ekleyin lütfen", LOADED | {"Bulgur pilavı"}),
        (ADANA, "add rice to the adana too", LOADED | {"Pirinç pilavı"}),
        ("bir künefe kaymaklı", "künefe ekstra fıstıklı da olsun", {"Kaymak", "Ekstra fıstık"}),
        ("bir lahmacun köz patlıcanlı acılı", "lahmacuna soğan koymayın", {"Köz patlıcan", "Acılı", "Soğansız"}),
    ],
)
def test_what_is_said_of_a_dish_by_its_name_keeps_the_rest_of_it(ordered: str, said: str, becomes: set[str]) -> None:
    lines = read(ordered, VOCABULARY).lines
    made = change(said, lines, VOCABULARY)
    assert made is not None
    assert not made.questions
    assert not made.missed
    ((quantity, _, options, note),) = shown(made.lines)
    assert (quantity, options, note) == (1, becomes, "")
    # An order that the kitchen has is no different, where the same words change it.
    amended = amend(said, lines, VOCABULARY)
    assert amended is None or amended == made.lines


@pytest.mark.parametrize(
    ("ordered", "said", "becomes"),
    [
        (f"2 {ADANA[4:]}", "adanaların biri soğansız", [(1, LOADED | {"Soğansız"}), (1, LOADED)]),
        (f"2 {ADANA[4:]}", "bir adana soğansız olsun", [(1, LOADED), (1, LOADED | {"Soğansız"})]),
        (f"2 {ADANA[4:]}", "adanalar soğansız olsun", [(2, LOADED | {"Soğansız"})]),
        ("3 lahmacun", "lahmacunların biri acısız", [(1, {"Acısız"}), (2, set())]),
        # Another one is another one.
        (ADANA, "bir adana acısız daha", [(1, LOADED), (1, {"Tek porsiyon", "Acısız"})]),
        (ADANA, "adanaya ayran ekle", [(1, LOADED), (1, {"Bardak"})]),
    ],
)
def test_of_several_those_are_otherwise_that_are_meant(
    ordered: str, said: str, becomes: list[tuple[int, set[str]]]
) -> None:
    made = change(said, read(ordered, VOCABULARY).lines, VOCABULARY)
    assert made is not None
    assert [(quantity, options) for quantity, _, options, _ in shown(made.lines)] == becomes


def test_more_than_a_dish_may_have_takes_nothing_away() -> None:
    lines = read("bir künefe kaymaklı ekstra fıstıklı", VOCABULARY).lines
    assert [options for _, _, options, _ in shown(lines)] == [{"Kaymak", "Ekstra fıstık"}]
    for said in ("künefe maraş dondurması da olsun", "maraş dondurması da olsun"):
        made = change(said, lines, VOCABULARY)
        assert made is not None
        assert made.lines == lines, said
        assert made.missed or made.questions, said
