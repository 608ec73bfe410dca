"""How phone numbers look, for who cannot ask: a page without a network checks what was typed before it is kept.

Taken from the library that numbers are read with (`phone.read_phone_in`). It is never stricter than that, so that nobody
is refused in vain; what passes here may still be refused there.
"""

from __future__ import annotations

from functools import cache

import phonenumbers

# Where a number is written otherwise at home than its own rules say, any length that there is will do.
_ANY = r"\d{6,15}"


@cache
def phone_rules(country: str) -> dict[str, object]:
    """Patterns of a country's numbers as one calls them there, and the lengths that follow every calling code.

    `national` without the `prefix` that stands before it at home; `abroad` is what stands before another country's code.
    """
    metadata = phonenumbers.PhoneMetadata.metadata_for_region(country, None) if country else None
    home = {"national": "", "prefix": "", "abroad": "00"}
    if metadata is not None:
        general, is_plain = metadata.general_desc, not metadata.national_prefix_transform_rule
        pattern = general.national_number_pattern if general is not None and is_plain else None
        home = {
            "national": pattern or _ANY,
            "prefix": metadata.national_prefix_for_parsing or "",
            "abroad": metadata.international_prefix or "00",
        }
    return {**home, "lengths": _lengths()}


@cache
def _lengths() -> dict[str, list[str]]:
    """Lengths, comma-separated, and the calling codes whose numbers may have them."""
    found: dict[str, list[str]] = {}
    for code, regions in phonenumbers.COUNTRY_CODE_TO_REGION_CODE.items():
        lengths: set[int] = set()
        for region in regions:
            metadata = phonenumbers.PhoneMetadata.metadata_for_region_or_calling_code(code, region)
            general = None if metadata is None else metadata.general_desc
            if general is not None:
                lengths |= {*general.possible_length, *general.possible_length_local_only}
        found.setdefault(",".join(map(str, sorted(lengths))), []).append(str(code))
    return found
