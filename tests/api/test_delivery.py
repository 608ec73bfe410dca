"""Zones and addresses over HTTP: made, looked at, changed, checked against places, and taken away."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.api.product_in_process import product
from tests.api.restaurants import VENUE, ok, refused
from tests.cases import cases

# Statements that no flow runs.
pytestmark = pytest.mark.later

_HOME = {"latitude": 40.9876, "longitude": 29.0287}


def _square(south: float, west: float, size: float) -> list[dict[str, float]]:
    ends = ((south, west), (south, west + size), (south + size, west + size), (south + size, west))
    return [{"latitude": latitude, "longitude": longitude} for latitude, longitude in ends]


async def test_zones_hold_in_their_order_and_tell_on_which_terms_a_place_is_reached(
    database_url: str, tmp_path: Path
) -> None:
    async with product(database_url, tmp_path) as running:
        ask = running.ask
        fields = {**VENUE, "order_types": ["delivery", "takeaway"], **_HOME}
        venue = await ok(ask("POST", "/restaurant/venues", fields), 201)
        assert (venue["latitude"], venue["longitude"]) == (40.9876, 29.0287)
        zones = f"/restaurant/venues/{venue['id']}/zones"

        async def check(latitude: float, longitude: float) -> dict[str, Any]:
            return dict(await ok(ask("POST", f"{zones}/check", {"latitude": latitude, "longitude": longitude})))

        # Without zones the venue says itself how far it delivers.
        assert (await check(41.5, 29.5))["standing"] == "unknown"
        near = await ok(ask("POST", zones, {"name": "Near", "radius_m": 1000, "fee": 20, "minutes": 25}), 201)
        assert (near["kind"], near["corners"], near["position"], near["is_active"]) == ("circle", None, 0, True)
        wide = {"name": "Wide", "corners": _square(40.95, 28.99, 0.1), "fee": 45.5, "minimum": 300, "free_from": 900}
        far = await ok(ask("POST", zones, wide), 201)
        assert (far["kind"], far["radius_m"], far["minutes"], far["free_from"]) == ("polygon", None, 40, 900)
        here = await check(40.9876, 29.0287)
        assert (here["zone"], here["fee"], here["distance_m"], here["minutes"]) == ("Near", 20, 0, 25)
        there = await check(41.04, 29.08)
        assert (there["zone_id"], there["fee"], there["minimum"]) == (far["id"], 45.5, 300)
        assert there["route_url"] == "https://www.google.com/maps/dir/?api=1&destination=41.040000,29.080000"
        assert 7_000 < there["distance_m"] < 7_500
        # The edge belongs to it, and a tenth of a metre beyond it does not.
        assert (await check(41.05, 29.05))["standing"] == "inside"
        outside = await check(41.050001, 29.05)
        assert (outside["standing"], outside["nearest_zone"], outside["zone_id"]) == ("outside", "Wide", None)
        assert outside["beyond_m"] == 0
        assert (await check(42, 29))["beyond_m"] > 100_000
        # Whoever is first holds.
        await ok(ask("PATCH", f"{zones}/{near['id']}", {"position": 7}))
        assert (await check(40.9876, 29.0287))["zone"] == "Wide"
        await ok(ask("PATCH", f"{zones}/{far['id']}", {"is_active": False}))
        assert (await check(41.04, 29.08))["standing"] == "outside"
        never = [{"day": "monday", "opens": "04:00", "closes": "04:01"}]
        await ok(ask("PATCH", f"{zones}/{near['id']}", {"hours": never}))
        assert [one["name"] for one in (await ok(ask("GET", zones)))["data"]] == ["Wide", "Near"]
        # Another venue of the account that delivers there is named.
        second = {**fields, "name": "Second", "latitude": 42, "longitude": 29}
        other = await ok(ask("POST", "/restaurant/venues", second), 201)
        await ok(ask("POST", f"/restaurant/venues/{other['id']}/zones", {"name": "All", "radius_m": 5000}), 201)
        assert (await check(42, 29))["other_venue"] == "Second"
        assert await refused(ask("GET", f"{zones}/{near['id']}", account=2)) == (404, "venue_unknown")
        await ok(ask("DELETE", f"{zones}/{near['id']}"), 204)
        assert await refused(ask("GET", f"{zones}/{near['id']}")) == (404, "zone_unknown")


async def test_what_is_no_zone_is_refused_with_what_to_do(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as running:
        ask = running.ask
        venue = await ok(ask("POST", "/restaurant/venues", VENUE), 201)
        zones = f"/restaurant/venues/{venue['id']}/zones"
        square = _square(41, 29, 0.1)
        tie = [square[0], square[2], square[1], square[3]]
        wrong: dict[str, tuple[dict[str, Any], str]] = {
            "a circle around nowhere": ({"radius_m": 500}, "venue_nowhere"),
            "a bow tie": ({"corners": tie}, "polygon_crosses"),
            "a line": ({"corners": [square[0], square[0], square[1]]}, "corners_count"),
            "neither": ({}, "corners_count"),
            "both": ({"radius_m": 500, "corners": square}, "not_allowed"),
            "too far north": ({"corners": [*square, {"latitude": 91, "longitude": 0}]}, "out_of_range"),
            "too far east": ({"corners": [*square, {"latitude": 1, "longitude": 180.1}]}, "out_of_range"),
            "half a place": ({"corners": [*square, {"latitude": 1}]}, "missing"),
            "a comma": ({"corners": [*square, {"latitude": "41,5", "longitude": 29}]}, "wrong_type"),
            "a part of a coin": ({"corners": square, "fee": 1.005}, "amount_invalid"),
            "less than nothing": ({"corners": square, "fee": -1}, "out_of_range"),
            "nobody waits so long": ({"corners": square, "minutes": 2_000}, "out_of_range"),
        }
        with cases() as tried:
            for name, (fields, code) in wrong.items():
                with tried.case(name):
                    assert await refused(ask("POST", zones, {"name": "x", **fields})) == (422, code)
        # Not a number, and endless ones, are no JSON at all.
        for figure in (b"NaN", b"Infinity", b"1e999"):
            raw = b'{"latitude": ' + figure + b', "longitude": 29}'
            assert (await ask("POST", f"{zones}/check", raw)).status in (400, 422)
        assert await refused(ask("PATCH", zones.rpartition("/")[0], {"latitude": 41})) == (422, "coordinate_needed")
        assert (await ok(ask("GET", zones)))["data"] == []


async def test_zones_come_and_go_as_geojson(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as running:
        ask = running.ask
        venue = await ok(ask("POST", "/restaurant/venues", {**VENUE, **_HOME}), 201)
        zones = f"/restaurant/venues/{venue['id']}/zones"
        ring = [[29.0, 41.0], [29.1, 41.0], [29.1, 41.1], [29.0, 41.1], [29.0, 41.0]]
        feature = {
            "type": "Feature",
            "id": 7,
            "geometry": {"type": "Polygon", "coordinates": [ring]},
            "properties": {"name": "Moda", "fee": 35, "stroke": "#fff"},
        }
        crossed = {"type": "Polygon", "coordinates": [[ring[0], ring[2], ring[1], ring[3]]]}
        both = {"type": "FeatureCollection", "features": [feature, {**feature, "geometry": crossed}]}
        answer = await ask("POST", f"{zones}/geojson", both)
        assert (answer.status, answer.json()["errors"][0]["field"]) == (422, "features[1].corners")
        assert (await ok(ask("GET", zones)))["data"] == []
        made = await ok(ask("POST", f"{zones}/geojson", {**both, "features": [feature]}), 201)
        assert [(one["name"], one["fee"]) for one in made["data"]] == [("Moda", 35)]
        await ok(ask("POST", zones, {"name": "Near", "radius_m": 700}), 201)
        out = await ok(ask("GET", f"{zones}/geojson"))
        assert out["features"][0]["geometry"] == feature["geometry"]
        assert out["features"][1]["geometry"] == {"type": "Point", "coordinates": [29.0287, 40.9876]}
        assert out["features"][1]["properties"]["radius_m"] == 700


async def test_addresses_belong_to_a_contact_and_go_with_it(database_url: str, tmp_path: Path) -> None:
    async with product(database_url, tmp_path) as running:
        ask = running.ask
        first, second = [
            (await ok(ask("POST", "/contacts", {"phone": f"90555111223{n}"}), 201))["id"] for n in range(2)
        ]
        place = f"/contacts/{first}/addresses"
        fields = {"label": "Ev", "address": "Moda Caddesi 12", **_HOME}
        home = await ok(ask("POST", place, fields), 201)
        assert home["route_url"].endswith("destination=40.987600,29.028700")
        # Other words without a coordinate are another place.
        moved = await ok(ask("PATCH", f"{place}/{home['id']}", {"address": "Bahariye 3"}))
        assert (moved["address"], moved["latitude"], moved["route_url"]) == ("Bahariye 3", None, "")
        assert await refused(ask("POST", place, {"address": "x1", "latitude": 3})) == (422, "coordinate_needed")
        assert await refused(ask("POST", place, {"address": "ab"})) == (422, "address_invalid")
        assert await refused(ask("GET", place, account=2)) == (404, "contact_unknown")
        for number in range(9):
            await ok(ask("POST", place, {"address": f"Street {number}"}), 201)
        assert await refused(ask("POST", place, {"address": "One more"})) == (409, "addresses_full")
        exported = (await ok(ask("GET", "/contacts/export")))["data"]
        assert {one["id"]: len(one["addresses"]) for one in exported} == {first: 10, second: 0}
        # Two contacts that are one person share them, and an erasure takes them all.
        await ok(ask("POST", f"/contacts/{first}/merge", {"into": second}))
        assert len((await ok(ask("GET", f"/contacts/{second}/addresses")))["data"]) == 10
        await ok(ask("DELETE", f"/contacts/{second}/addresses/{home['id']}"), 204)
        receipt = await ok(ask("DELETE", f"/contacts/{second}"))
        assert receipt["counts"]["addresses"] == 9
