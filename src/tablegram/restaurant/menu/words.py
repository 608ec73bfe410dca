"""What a menu says of its dishes: what stands in the way of one, and the names of allergens."""

from __future__ import annotations

from tablegram.values.words import Words

WORDS = Words(__file__)
