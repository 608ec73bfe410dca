from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tablegram.accounts.money.rate_card import CATEGORIES, KINDS, SAMPLE, RateCard
from tablegram.errors import Misconfigured

NOW = int(datetime(2026, 11, 1, tzinfo=UTC).timestamp() * 1_000)
DAY = 86_400_000
ZERO = dict.fromkeys(CATEGORIES, "0")


def card(valid_from: str, rows: list[dict[str, Any]]) -> dict[str, Any]:
    return {"valid_from": valid_from, "rows": rows}


def cloud(code: str, **usd: str) -> dict[str, Any]:
    return {"kind": "cloud", "calling_code": code, "usd": usd}


EVERYWHERE = [
    cloud("*", marketing="0.5", utility="0.1", authentication="0.2", service="0.05"),
    {"kind": "linked", "calling_code": "*", "usd": ZERO},
]


def written(tmp_path: Path, content: Any) -> Path:
    path = tmp_path / "card.json"
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def test_the_shipped_card_says_that_it_is_a_sample_and_prices_every_combination() -> None:
    prices = RateCard.load()
    assert prices.is_sample
    assert json.loads(SAMPLE.read_text())["cards"][0]["sample"] is True
    for kind in KINDS:
        for code in (1, 44, 49, 55, 90, 91, 999):
            for category in CATEGORIES:
                price = prices.price_micros(kind, code, category, NOW)
                assert price == 0 if kind == "linked" else price > 0


def test_a_country_has_its_own_price_and_the_rest_share_one() -> None:
    prices = RateCard.load("")
    assert prices.price_micros("cloud", 55, "marketing", NOW) == 25_000
    assert prices.price_micros("cloud", 55, "utility", NOW) == 3_400
    assert prices.price_micros("cloud", 998, "utility", NOW) == prices.price_micros("cloud", 997, "utility", NOW)


def test_the_sandbox_shows_what_the_real_network_would_ask() -> None:
    prices = RateCard.load(None)
    for code in (1, 90, 998):
        assert prices.price_micros("sandbox", code, "utility", NOW) == prices.price_micros(
            "cloud", code, "utility", NOW
        )


def test_what_a_country_leaves_out_costs_what_it_costs_elsewhere(tmp_path: Path) -> None:
    prices = RateCard.load(
        written(tmp_path, {"cards": [card("2026-01-01", [*EVERYWHERE, cloud("90", utility="0.3")])]})
    )
    assert not prices.is_sample
    assert prices.price_micros("cloud", 90, "utility", NOW) == 300_000
    assert prices.price_micros("cloud", 90, "marketing", NOW) == 500_000


def test_an_unknown_category_is_estimated_by_the_dearest(tmp_path: Path) -> None:
    prices = RateCard.load(written(tmp_path, {"cards": [card("2026-01-01", EVERYWHERE)]}))
    assert prices.price_micros("cloud", 90, "referral_conversion", NOW) == 500_000


def test_each_day_has_the_card_that_is_valid_then(tmp_path: Path) -> None:
    cards = [
        card(day, [*EVERYWHERE, cloud("90", utility=usd)])
        for day, usd in (("2026-11-01", "0.2"), ("2026-10-01", "0.1"), ("2027-01-01", "0.3"))
    ]
    prices = RateCard.load(written(tmp_path, {"cards": cards}))
    at = [NOW - 400 * DAY, NOW - 1, NOW, NOW + DAY, NOW + 400 * DAY]
    assert [prices.price_micros("cloud", 90, "utility", moment) for moment in at] == [
        100_000,
        100_000,
        200_000,
        200_000,
        300_000,
    ]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        ("{", "not as it should be"),
        ({"cards": []}, "holds no card"),
        ({"cards": [{"rows": []}]}, "valid_from"),
        ({"cards": [card("soon", EVERYWHERE)]}, "not as it should be"),
        ({"cards": [card("2026-01-01", EVERYWHERE)] * 2}, "same valid_from"),
        ({"cards": [card("2026-01-01", EVERYWHERE[:1])]}, r'linked with calling_code "\*"'),
        (
            {"cards": [card("2026-01-01", [cloud("*", utility="1"), EVERYWHERE[1]])]},
            "marketing, authentication, service",
        ),
        ({"cards": [card("2026-01-01", [*EVERYWHERE, cloud("90", utility="-1")])]}, "row 3: the price for utility"),
        ({"cards": [card("2026-01-01", [*EVERYWHERE, cloud("90", utility="NaN")])]}, "row 3: the price for utility"),
        ({"cards": [card("2026-01-01", [*EVERYWHERE, cloud("90", utility="0.0000001")])]}, "at most 6 decimals"),
        ({"cards": [card("2026-01-01", [*EVERYWHERE, cloud("+90", utility="1")])]}, "calling_code must be"),
        ({"cards": [card("2026-01-01", [*EVERYWHERE, cloud("90", utilty="1")])]}, "category must be"),
        ({"cards": [card("2026-01-01", [*EVERYWHERE, cloud("90"), cloud("90")])]}, "twice"),
        (
            {"cards": [card("2026-01-01", [*EVERYWHERE, {"kind": "fax", "calling_code": "1", "usd": {}}])]},
            "kind must be",
        ),
        ({"cards": [card("2026-01-01", EVERYWHERE)], "card": 1}, "card"),
    ],
)
def test_a_wrong_card_is_refused_with_the_place_and_the_reason(tmp_path: Path, content: Any, complaint: str) -> None:
    with pytest.raises(Misconfigured, match=complaint):
        RateCard.load(written(tmp_path, content))


def test_a_missing_card_is_refused() -> None:
    with pytest.raises(Misconfigured, match="cannot be read"):
        RateCard.load("/nowhere/card.json")
