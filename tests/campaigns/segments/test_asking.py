"""Counting a segment is one statement, and comes to what going through everybody by hand comes to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.campaigns.rows import SegmentRow
from tablegram.campaigns.segments import keeping
from tablegram.campaigns.segments.reasons import reasons
from tablegram.campaigns.segments.tree import leaves, parse
from tablegram.restaurant.figures.store.segments import Class
from tablegram.storage.database import Tx
from tests.campaigns.segments.world import AUDIENCE, CAMPAIGNS, DAYS, DISHES, POINTS, RULES, SHOPS, TAGS, World
from tests.databases import Databases
from tests.long import many
from tests.restaurant.carts.books import Books

SAVED = {
    "regulars": {"all": [{"rule": "orders", "at_least": 3}, {"rule": "last_order", "within_days": 90}]},
    "others": {"not": {"rule": "segment", "is": "regulars"}},
}
_DAYS = st.sampled_from(DAYS)
_TIMES = st.sampled_from([1, 2, 3, 10])
_MONEY = st.sampled_from([0, 20, 60, 110, 250, 300.5])


def _rule(name: str, **gaps: Any) -> Any:
    return st.fixed_dictionaries({"rule": st.just(name), **{key.rstrip("_"): gap for key, gap in gaps.items()}})


def _both(name: str, keys: Any) -> Any:
    some = st.sampled_from([*keys, "nothing"] if name != "order_type" else list(keys))
    return _rule(name, ordered=some) | _rule(name, favourite=some)


CLASSES = get_args(Class)
_LEAF = st.one_of(
    _rule("tag", is_=st.sampled_from([*TAGS, "VIP", "aile", "isci"])),
    _rule("language", is_=st.sampled_from(["tr", "en"])),
    _rule("consent", is_=st.sampled_from(["granted", "denied", "unknown"])),
    _rule("birthday", month=st.sampled_from(["this", "next", "01", "02", "12"])),
    *(_rule(name, **{way: _DAYS}) for name in ("first_seen", "last_seen", "last_order") for way in ("within_days", "not_within_days")),
    *(_rule(name, never=st.just(True)) for name in ("last_seen", "last_order")),
    *(_rule("orders", **{way: _TIMES}) | _rule("orders", **{way: _TIMES}, within_days=_DAYS) for way in ("at_least", "at_most")),
    *(
        _rule("spent", currency=st.sampled_from(["TRY", "EUR", "USD"]), **{way: _MONEY}, **more)
        for way in ("at_least", "at_most") for more in ({}, {"within_days": _DAYS})
    ),
    _rule("customer_class", is_=st.sampled_from(CLASSES)),
    _both("dish", DISHES), _both("category", set(DISHES.values())), _both("venue", "vw"),
    _both("order_type", ("dine_in", "takeaway", "delivery")),
    _rule("shop_order", shop=st.sampled_from(list(SHOPS))), _rule("shop_order", platform=st.sampled_from(["shopify", "form"])),
    _rule("shop_order", within_days=_DAYS), _rule("shop_order", at_least=_TIMES),
    *(_rule("points", **{way: st.sampled_from(POINTS[1:])}) for way in ("at_least", "at_most")),
    *(_rule("campaign", **{did: st.sampled_from(CAMPAIGNS)}) for did in ("received", "read", "replied")),
    _rule("segment", is_=st.sampled_from(list(SAVED))),
)  # fmt: skip
ALONE: list[dict[str, Any]] = [
    {"rule": "tag", "is": TAGS[0]},
    {"rule": "language", "is": "tr"},
    {"rule": "consent", "is": "granted"},
    {"rule": "birthday", "month": "this"},
    {"rule": "first_seen", "within_days": DAYS[0]},
    {"rule": "last_seen", "not_within_days": DAYS[0]},
    {"rule": "last_order", "never": True},
    {"rule": "orders", "at_least": 2, "within_days": DAYS[-1]},
    {"rule": "spent", "currency": "TRY", "at_least": 60},
    *({"rule": "customer_class", "is": name} for name in CLASSES),
    {"rule": "dish", "favourite": next(iter(DISHES))},
    {"rule": "category", "ordered": next(iter(DISHES.values()))},
    {"rule": "venue", "ordered": "v"},
    {"rule": "order_type", "ordered": "takeaway"},
    {"rule": "shop_order", "at_least": 1},
    {"rule": "points", "at_most": 0},
    {"rule": "points", "at_least": POINTS[-1]},
    {"rule": "campaign", "received": next(iter(CAMPAIGNS))},
    {"rule": "segment", "is": "others"},
]
_TREE = st.recursive(
    _LEAF,
    lambda inner: st.one_of(
        st.fixed_dictionaries({"all": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"any": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"not": inner}),
    ),
    max_leaves=6,
)


class Peopled(Books):
    world: World


@pytest.fixture(scope="module")
def books(databases: Databases) -> Iterator[Peopled]:
    url = databases.migrated()
    opened = Peopled(url)
    opened.world = World()

    async def fill(tx: Tx) -> None:
        await opened.world.fill(tx)
        for name, rules in SAVED.items():
            row: SegmentRow = {
                "account_id": 1, "id": name, "name": name, "name_key": name, "created_at": 1, "updated_at": 1,
                "rules": msgspec.json.encode(rules).decode(), "updated_by": "",
            }  # fmt: skip
            await keeping.add(tx, row, AUDIENCE.rules)

    assert opened.do(fill) is None
    yield opened
    opened.close()
    databases.drop(url)


@pytest.mark.later
def test_every_rule_alone_and_in_any_tree_is_what_going_through_everybody_comes_to(books: Peopled) -> None:
    async def ask(tx: Tx, rules: Any) -> Any:
        node = parse(rules, AUDIENCE.rules)
        ids = await AUDIENCE.page_of(tx, 1, node, "", 1_000)
        pages: list[str] = []
        while page := await AUDIENCE.page_of(tx, 1, node, pages[-1] if pages else "", 10):
            pages += page
        asking = await AUDIENCE.asking(tx, 1, node)
        truths = await tx.all(asking.truths(node, ids), {}) if ids else []
        return node, await AUDIENCE.count_of(tx, 1, node), ids, pages, truths

    def compare(rules: Any) -> None:
        wanted = books.world.members(rules, SAVED)
        node, count, ids, pages, truths = books.do(lambda tx: ask(tx, rules))
        assert (count, ids, pages) == (len(wanted), wanted, wanted)
        for row in truths:
            held = {leaf: bool(row[f"t{place}"]) for place, leaf in enumerate(leaves(node))}
            assert reasons(node, held), "whoever is in is in for a reason"

    @settings(max_examples=many(20, 400))
    @given(rules=_TREE)
    def check(rules: Any) -> None:
        compare(rules)

    assert {rule["rule"] for rule in ALONE} >= {rule.name for rule in RULES}
    for rule in ALONE:
        compare(rule)
    check()


def test_a_saved_segment_and_everybody_are_pages_of_ids(books: Peopled) -> None:
    world = books.world

    async def look(tx: Tx) -> Any:
        found = [(await AUDIENCE.page(tx, 1, one, "", 1_000), await AUDIENCE.count(tx, 1, one)) for one in ("", *SAVED)]
        return found, await AUDIENCE.count(tx, 3, "")

    everybody = sorted(one["id"] for one in world.living())
    wanted = [everybody, *(world.members(rules, SAVED) for rules in SAVED.values())]
    assert books.do(look) == ([(ids, len(ids)) for ids in wanted], 0)
    assert 0 < len(wanted[1]) < len(everybody)
