"""What can be connected, and who makes its secret."""

from __future__ import annotations

from typing import Literal

import msgspec

FORM = "form"
# ours: we make one, and it is entered at the platform; theirs: the platform shows it; none: the address is the proof.
SecretOf = Literal["ours", "theirs", "none"]


class Kind(msgspec.Struct, frozen=True, kw_only=True):
    secret: SecretOf = "ours"
    # Its orders are cooked in a venue.
    is_cooked: bool = False


KINDS: dict[str, Kind] = {
    "shopify": Kind(secret="theirs"),
    "woocommerce": Kind(),
    "trendyol": Kind(),
    "gloriafood": Kind(is_cooked=True),
    "generic": Kind(),
    FORM: Kind(secret="none"),
}
MAX_FACTS = 40
MAX_PATH = 200
