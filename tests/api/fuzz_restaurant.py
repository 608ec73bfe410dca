"""What a fuzzer cannot know of a restaurant: which things there are, and which fields belong together."""

from __future__ import annotations

import struct
import time
import zlib
from collections.abc import Callable
from itertools import count
from typing import Any

NAMES = {
    "deleteVenue": "venue_id", "deleteTable": "table_id", "deleteWaiter": "waiter_id", "deleteSection": "section_id",
    "deleteCategory": "category_id", "deleteItem": "item_id", "deleteOptionGroup": "group_id",
    "deleteImage": "image_id", "deleteZone": "zone_id",
}  # fmt: skip
COLOURS = count(int(time.time()) % 8_000_000)
FRESH = (f"r{number}" for number in count())
TOWN: list[dict[str, float]] = [
    {"latitude": 41, "longitude": 29},
    {"latitude": 41, "longitude": 29.1},
    {"latitude": 41.1, "longitude": 29},
]
VENUE = {"currency": "TRY", "time_zone": "Europe/Istanbul", "languages": ["tr", "en"]}


def picture() -> bytes:
    """One pixel of a colour that no other has."""
    colour = next(COLOURS).to_bytes(3, "big")
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)), (b"IDAT", zlib.compress(b"\0" + colour)), (b"IEND", b""),
    )  # fmt: skip
    chunks = [
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    ]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def furnish(made: Callable[[str, Any], Any], upload: Callable[[str, bytes], Any]) -> dict[str, Any]:
    """A venue with two of everything, one whose menu stays as it is, and one to import into."""
    venue, spare, fixed, importing = (
        made("/restaurant/venues", {"name": name, **VENUE})["id"] for name in ("First", "Spare", "Fixed", "Importing")
    )
    place = f"/restaurant/venues/{venue}"
    facts: dict[str, Any] = {"venue_id": venue, "spare_venue_id": spare, "fixed": fixed, "importing": importing}
    menu = f"/restaurant/venues/{fixed}/menu"
    facts["fixed_ids"] = [made(f"{menu}/categories", {"name": name})["id"] for name in ("A", "B")]
    soup = {"category_id": facts["fixed_ids"][0], "name": "Soup", "price": 10}
    facts["fixed_table"] = made(f"/restaurant/venues/{fixed}/tables", {"label": "1"})["id"]
    facts["fixed_item"] = made(f"{menu}/items", soup)["id"]
    for number, prefix in enumerate(("", "spare_")):
        category = made(f"{place}/menu/categories", {"name": f"c{number}"})["id"]
        options = {"name": f"g{number}", "options": [{"name": "o", "price": 1}]}
        facts |= {
            f"{prefix}waiter_id": made(f"{place}/waiters", {"name": f"w{number}"})["id"],
            f"{prefix}section_id": made(f"{place}/sections", {"name": f"s{number}"})["id"],
            f"{prefix}table_id": made(f"{place}/tables", {"label": f"t{number}"})["id"],
            f"{prefix}category_id": category,
            f"{prefix}zone_id": made(f"{place}/zones", {"name": f"z{number}", "corners": TOWN})["id"],
            f"{prefix}group_id": made(f"{place}/menu/option-groups", options)["id"],
            f"{prefix}image_id": upload(f"{place}/images", picture())["image_id"],
        }
        dish = {"category_id": facts["category_id"], "name": f"i{number}", "price": 10}
        facts[f"{prefix}item_id"] = made(f"{place}/menu/items", dish)["id"]
    return facts


def spare_ourselves(operation: str, path: dict[str, Any], facts: dict[str, Any]) -> None:
    """What is taken away is the spare one, so that there is something to look at until the end."""
    name = NAMES.get(operation)
    if name is None:
        return
    if path.get(name) == facts[name]:
        path[name] = facts[f"spare_{name}"]
    if operation == "deleteVenue" and path.get(name) in (facts["fixed"], facts["importing"]):
        path[name] = facts["spare_venue_id"]


# Their answers grow with everything that the run adds, and each is checked as a whole.
LARGE = {"getMenu", "exportMenu", "listTables", "rotateTables", "printTableCodes"}


def keep_small(operation: str, case: Any, facts: dict[str, Any]) -> None:
    if operation in LARGE and case.path_parameters.get("venue_id") == facts["venue_id"]:
        case.path_parameters["venue_id"] = facts["fixed"]
        if "table_id" in (case.query or {}):
            case.query["table_id"] = facts["fixed_table"]


def fit_file(operation: str, case: Any, facts: dict[str, Any]) -> None:
    if operation == "uploadImage":
        case.body = picture()
    if operation == "importMenu":
        case.path_parameters["venue_id"] = facts["importing"]
        case.body = f"category,name,price\nSoups,{next(FRESH)},12.50\n".encode()


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    """Fields that name something, or that belong together, which a schema cannot say."""
    body = case.body
    if "venue_id" in (case.path_parameters or {}):
        # What the body names belongs to this one; and the menu that stays as it is must not be met by chance.
        case.path_parameters["venue_id"] = facts["venue_id"]
    if operation in ("createVenue", "updateVenue"):
        _fit_venue(body, facts)
    if operation.endswith(("Waiter", "Section")):
        _show_name(body)
        # A member is one waiter of a venue and not several.
        body.pop("member_id", None)
    for name in ("waiter_id", "section_id", "image_id"):
        if body.get(name) is not None:
            body[name] = facts[name]
    if "label" in body:
        body["label"] = next(FRESH)
    if operation in ("createZone", "updateZone"):
        _fit_zone(operation, body)
    if operation == "importZones":
        for feature in body["features"]:
            feature["geometry"]["coordinates"] = [[[one["longitude"], one["latitude"]] for one in TOWN]]
            _fit_terms(feature.get("properties") or {})
    if operation == "createTables":
        body["last"] = min(9_999, body["first"] + 3)
    if operation == "orderMenu":
        case.path_parameters["venue_id"] = facts["fixed"]
        body["ids"], body["category_id"] = facts["fixed_ids"], None
    elif body.get("category_id") is not None:
        body["category_id"] = facts["category_id"]
    if operation == "sellOut":
        case.path_parameters["venue_id"] = facts["fixed"]
        body["ids"] = [facts["fixed_item"]]
        body["at"] = "2100-01-31T18:30:00+03:00" if body.get("until") == "time" else None
    if operation == "changePrices":
        _fit_prices(body)
    if operation in ("createOptionGroup", "updateOptionGroup"):
        _fit_options(body)
    if operation in ("createCategory", "updateCategory", "createItem", "updateItem"):
        _fit_thing(body)


def _fit_venue(body: dict[str, Any], facts: dict[str, Any]) -> None:
    if body.get("payment_provider_id"):
        body["payment_provider_id"] = facts["provider_id"]
    # Only of what may be paid online, now and before.
    body.pop("prepaid", None)
    if "languages" in body:
        body["languages"] = ["tr", "en"]
    if "stations" in body:
        body["stations"] = ["kitchen", "bar"]
    if "currency" in body:
        body["currency"] = "TRY"
    if body.get("logo_id") is not None:
        body["logo_id"] = facts["image_id"]
    if "latitude" in body or "longitude" in body:
        body["latitude"], body["longitude"] = 41, 29
    for day in body.get("exceptions", []):
        day["date"] = "2027-01-01"
    for pause in body.get("pauses", []):
        pause["ends_at"] = None
    _show_name(body)


def _fit_zone(operation: str, body: dict[str, Any]) -> None:
    """An outline that is one, since the venue has said nowhere where it is."""
    body.pop("radius_m", None)
    if "corners" in body or operation == "createZone":
        body["corners"] = TOWN
    _fit_terms(body)


def _fit_terms(body: dict[str, Any]) -> None:
    _show_name(body)
    for name in ("fee", "minimum", "free_from"):
        if body.get(name) is not None:
            body[name] = max(round(body[name], 2), 0.01)


def _fit_thing(body: dict[str, Any]) -> None:
    _show_name(body)
    if "code" in body:
        body["code"] = next(FRESH)
    if "price" in body:
        body["price"] = round(body["price"], 2)
    if "station" in body:
        body["station"] = "kitchen"
    if "option_group_ids" in body:
        body["option_group_ids"] = []
    if isinstance(body.get("availability"), dict):
        for name, day in (("from_day", "2027-01-01"), ("until_day", "2027-12-31")):
            if body["availability"].get(name) is not None:
                body["availability"][name] = day


def _fit_prices(body: dict[str, Any]) -> None:
    """As much up as down, so that no price leaves its bounds however long the run is."""
    body["percent"] = 1 if len(str(body)) % 2 else -1
    body["amount"] = 0
    if "step" in body:
        body["step"] = 0.01
    body["category_ids"], body["item_ids"] = [], []


def _fit_options(body: dict[str, Any]) -> None:
    _fit_thing(body)
    if "least" in body or "most" in body:
        body["least"], body["most"] = 0, None
    for number, option in enumerate(body.get("options", [])):
        _fit_thing(option)
        option["name"] = f"{number}{option['name']}"[:120]
        option.pop("id", None)
        option.pop("opens", None)
        option.pop("default", None)


def _show_name(body: dict[str, Any]) -> None:
    """Names that still show something when signs without a shape are taken out, and languages of the venue."""
    for name in ("name", "kitchen_name"):
        if name in body:
            plain = "".join(sign for sign in body[name] if sign.isascii() and sign.isprintable()).strip()
            body[name] = plain or "x"
    if "tags" in body:
        body["tags"] = [f"tag{number}" for number, _ in enumerate(body["tags"])]
    if "description" in body:
        body["description"] = "".join(sign for sign in body["description"] if sign.isascii())
    if body.get("translations"):
        first = next(iter(body["translations"].values()))
        texts = {name: "".join(sign for sign in text if sign.isascii()) for name, text in first.items()}
        body["translations"] = {"en": texts}
