"""What couriers write, the links through their stops, and the steps of a delivery."""

from __future__ import annotations

import random
from itertools import product
from typing import get_args
from urllib.parse import parse_qs, urlsplit

from tablegram.delivery.tours.reading import Reply, read_reply, short_number
from tablegram.delivery.tours.routes import (
    MAX_WAYPOINTS,
    distance_km,
    nearest_first,
    point_of,
    stop_of,
    tour_links,
)
from tablegram.delivery.tours.states import ACTIONS, ENDED, TABLE, State, back_from, step
from tests.cases import cases

SAID = {
    "1": Reply("pick_up"),
    " 1. ": Reply("pick_up"),
    "aldım": Reply("pick_up"),
    "ALDIM": Reply("pick_up"),
    "Aldim 👍": Reply("pick_up"),
    "teslim aldım": Reply("pick_up"),
    "picked up": Reply("pick_up"),
    "1 42": Reply("pick_up", (42,)),
    "1 hepsi": Reply("pick_up", is_all=True),
    "hepsini aldım": Reply("pick_up", is_all=True),
    "2": Reply("deliver"),
    "teslim": Reply("deliver"),
    "TESLİM ETTİM": Reply("deliver"),
    "Delivered!": Reply("deliver"),
    "42 teslim": Reply("deliver", (42,)),
    "teslim 42 ve 43": Reply("deliver", (42, 43)),
    "2 0042 kart": Reply("deliver", (42,), paid="card_on_delivery"),
    "teslim nakit": Reply("deliver", paid="cash"),
    "2 ödenmedi": Reply("deliver", is_unpaid=True),
    "3": Reply("bring_back"),
    "gelmedi": Reply("bring_back"),
    "teslim edemedim 42": Reply("bring_back", (42,)),
    "brought back": Reply("bring_back"),
    "geri al": Reply("undo"),
    "0": Reply("undo"),
    "liste": Reply("list"),
    "3 kimse yok": Reply("bring_back"),
    "4 43": Reply("take", (43,)),
    "ben alırım 43": Reply("take", (43,)),
    "take back": Reply("undo"),
}
# Talk, two steps at once, and what says nothing.
UNSAID = ("", "   ", "42", "5", "merhaba", "aldım teslim", "1 teslim aldım gelmedi", "nakit kart teslim", "👍",
          "kolay gelsin bugün hava çok güzel yarın da çalışacağım belki görüşürüz o zaman sonra", "\x00", "٢")  # fmt: skip


def test_what_couriers_write_is_read() -> None:
    with cases() as tried:
        for text in [*SAID, *UNSAID]:
            with tried.case(text):
                assert read_reply(text) == SAID.get(text), read_reply(text)
    assert [short_number(one) for one in ("ORD-20261115-0042", "ORD-20261115-10042", "x", "")] == [42, 10042, 0, 0]


def test_a_link_leads_through_all_stops_and_a_second_one_goes_on() -> None:
    stops = [f"{41 + at / 100:.6f},29.000000" for at in range(23)]
    links = tour_links([*stops[:5], "", *stops[5:]])
    seen: list[str] = []
    for link in links:
        asked = parse_qs(urlsplit(link).query)
        between = asked.get("waypoints", [""])[0]
        waypoints = between.split("|") if between else []
        assert len(waypoints) <= MAX_WAYPOINTS
        assert asked["api"] == ["1"]
        seen += [*waypoints, asked["destination"][0]]
    assert seen == stops
    assert len(links) == 3
    assert tour_links([]) == []
    # An address may hold whatever people write into one.
    (link,) = tour_links(["Bağdat Cad. 5|6 & No=7, Kadıköy", "41.000000,29.000000"])
    asked = parse_qs(urlsplit(link).query)
    assert asked["waypoints"] == ["Bağdat Cad. 5|6 & No=7, Kadıköy"]
    assert "|" not in link


def test_stops_are_proposed_from_each_to_the_nearest() -> None:
    here = (41.0, 29.0)
    stops = [("far", (41.2, 29.0)), ("unknown", None), ("near", (41.01, 29.0)), ("middle", (41.1, 29.0))]
    assert nearest_first(here, stops) == ["near", "middle", "far", "unknown"]
    assert nearest_first(None, stops)[0] == "far"
    chance = random.Random(7)
    for _ in range(50):
        some = [(at, (chance.uniform(40.9, 41.1), chance.uniform(28.9, 29.1))) for at in range(chance.randrange(8))]
        found = nearest_first(here, some)
        assert sorted(found) == list(range(len(some)))
        places = dict(some)
        for at, one in enumerate(found):
            before = here if at == 0 else places[found[at - 1]]
            assert all(distance_km(before, places[one]) <= distance_km(before, places[later]) for later in found[at:])
    # Across the antimeridian it is near, and to the other side of the earth it is far.
    assert distance_km((0, 179.99), (0, -179.99)) < 3
    assert distance_km((0, 0), (0, 180)) > 20_000


def test_a_stop_is_its_place_or_its_address() -> None:
    link = "https://www.google.com/maps/dir/?api=1&destination=41.008200,28.978400"
    assert point_of(link) == (41.0082, 28.9784)
    assert stop_of(link, "words") == "41.008200,28.978400"
    for strange in ("", "https://example.com", "?destination=nan,1", "?destination=41,2", "?destination=1;2"):
        assert (point_of(strange) is None) == (strange != "?destination=41,2")
    assert stop_of("", "Moda Cad. 1") == "Moda Cad. 1"


def test_deliveries_only_go_forward_and_every_step_can_be_taken_back_once() -> None:
    rank = {"assigned": 0, "picked_up": 1, "delivered": 2, "brought_back": 2, "dropped": 2}
    for state, action in product(get_args(State), ACTIONS):
        outcome = step(state, action)
        if outcome is None:
            continue
        after, events = outcome
        assert rank[after] >= rank[state]
        assert (after == state) == ((state, action) not in TABLE)
        if after == state:
            assert events == ()
        if state in ENDED:
            assert after == state
        if events:
            assert back_from(state, after)
