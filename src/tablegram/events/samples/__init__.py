"""A sample of each event, by the area that it comes from; they are shown in the docs, and sent to try an endpoint out."""

from __future__ import annotations

from tablegram.events.catalogue import TEST, WHEN
from tablegram.events.samples import marketing, messages, payments, restaurant
from tablegram.values import Json

_EVERY = messages.SAMPLES | restaurant.SAMPLES | payments.SAMPLES | marketing.SAMPLES
SAMPLES: dict[str, Json] = {kind: _EVERY[kind] for kind in (*WHEN, TEST)}
