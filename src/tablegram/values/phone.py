"""A phone number as the API takes it: country code and digits, nothing else."""

from __future__ import annotations

import re
from functools import lru_cache

import phonenumbers

from tablegram.errors import Invalid

_DIGITS = re.compile(r"[1-9][0-9]{6,14}", re.ASCII)

_WRONG = (
    "Write the number with its country code, 7 to 15 digits, no plus sign and no separators, "
    "for example 905551112233."
)


@lru_cache(maxsize=65_536)
def _calling_code(digits: str) -> int | None:
    """The country calling code of a possible number, else nothing. 50 µs cold, 0.3 µs after."""
    try:
        number = phonenumbers.parse("+" + digits, None)
    except phonenumbers.NumberParseException:
        return None
    return number.country_code if phonenumbers.is_possible_number(number) else None


def parse_phone(text: str, field: str = "phone") -> str:
    """The same digits back, or the reason why they cannot be a phone number."""
    if _DIGITS.fullmatch(text) is None or _calling_code(text) is None:
        raise Invalid.field(field, "phone_invalid", _WRONG)
    return text


def calling_code(phone: str) -> int:
    """The country calling code of a number that `parse_phone` has accepted."""
    return _calling_code(phone) or 0
