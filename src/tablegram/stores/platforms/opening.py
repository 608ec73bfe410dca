"""Every source that there is, by the name under which it stands in addresses."""

from __future__ import annotations

from collections.abc import Mapping

from tablegram.stores.platforms.decoding import json_in
from tablegram.stores.platforms.forms import finding
from tablegram.stores.platforms.forms.bodies import files_in
from tablegram.stores.platforms.forms.source import Forms, answers
from tablegram.stores.platforms.generic import FACTS, Generic
from tablegram.stores.platforms.gloriafood import GloriaFood
from tablegram.stores.platforms.paths import leaves
from tablegram.stores.platforms.shopify import Shopify
from tablegram.stores.platforms.trendyol import Trendyol
from tablegram.stores.platforms.woocommerce import WooCommerce
from tablegram.stores.ports import Source

SOURCES: dict[str, Source] = {
    one.platform: one for one in (Shopify(), WooCommerce(), Trendyol(), GloriaFood(), Generic(), Forms())
}

# What can be mapped by clicking, of which platforms.
MAPPED: dict[str, tuple[str, ...]] = {"generic": FACTS, "form": finding.FACTS}


def places_in(platform: str, headers: Mapping[str, str], body: bytes) -> tuple[tuple[str, str], ...]:
    """Every value of a delivery with its place, as a mapping names it. Raises `Unreadable`."""
    return answers(headers, body) if platform == "form" else leaves(json_in(headers, body))


def files_of(platform: str, headers: Mapping[str, str], body: bytes) -> list[tuple[str, bytes]]:
    """Files that a delivery brought along, by their names. Raises `Unreadable`."""
    return files_in(headers, body) if platform == "form" else []
