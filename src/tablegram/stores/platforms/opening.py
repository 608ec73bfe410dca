"""Every source that there is, by the name under which it stands in addresses."""

from __future__ import annotations

from tablegram.stores.platforms.shopify import Shopify
from tablegram.stores.platforms.woocommerce import WooCommerce
from tablegram.stores.ports import Source

SOURCES: dict[str, Source] = {one.platform: one for one in (Shopify(), WooCommerce())}
