"""Rows of menus, and of the pictures that they show."""

from __future__ import annotations

from tablegram.storage.shapes import TypedDict


class CategoryRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    name: str
    description: str
    position: int
    is_hidden: int
    image_id: str | None
    # JSON, as are the translations.
    availability: str
    translations: str


class ItemRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    category_id: str
    code: str
    name: str
    kitchen_name: str
    description: str
    price: int
    image_id: str | None
    # Lists as JSON.
    allergens: str
    tags: str
    station: str
    # JSON, as are the translations.
    availability: str
    sold_out_until: int | None
    is_hidden: int
    position: int
    translations: str
    updated_at: int
    vat: int | None


class GroupRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    code: str
    name: str
    required: int
    least: int
    most: int | None
    # JSON.
    translations: str


class OptionRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    group_id: str
    name: str
    kitchen_name: str
    price_delta: int
    most: int
    is_default: int
    sold_out_until: int | None
    position: int
    # A list as JSON; the translations are JSON too.
    opens: str
    translations: str


class JoinRow(TypedDict):
    account_id: int
    item_id: str
    group_id: str
    venue_id: str
    position: int


class PictureRow(TypedDict):
    account_id: int
    id: str
    venue_id: str
    width: int
    height: int
    created_at: int


class Named(TypedDict):
    id: str
    name: str


class NamedDish(Named):
    kitchen_name: str
    # JSON.
    translations: str


class PictureBody(TypedDict):
    body: bytes


class PictureSizes(TypedDict):
    large: bytes
    small: bytes


class PictureName(TypedDict):
    account_id: int
    venue_id: str
    id: str


class StationName(TypedDict):
    station: str
