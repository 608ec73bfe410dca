"""Names that people give to things: kept as written, without what cannot be seen."""

from __future__ import annotations

import unicodedata

from tablegram.errors import Invalid

MAX_LENGTH = 100


def clean_name(text: str, field: str, *, optional: bool = False) -> str:
    """The name without spaces around it, or why it cannot be one."""
    name = unicodedata.normalize("NFC", text).strip()
    if not name and not optional:
        raise Invalid.field(field, f"{field}_empty", "The name must not be empty.")
    if len(name) > MAX_LENGTH:
        raise Invalid.field(field, f"{field}_too_long", f"The name may have at most {MAX_LENGTH} characters.")
    if any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in name):
        raise Invalid.field(field, f"{field}_unprintable", "The name must be one line without control characters.")
    return name
