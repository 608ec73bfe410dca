"""A phone number as the API takes it: country code and digits, nothing else."""

from __future__ import annotations

import re
from functools import cache, lru_cache

import phonenumbers

from tablegram.errors import Invalid

_DIGITS = re.compile(r"[1-9][0-9]{6,14}", re.ASCII)
_SEPARATORS = re.compile(r"[\s().\-/]")

_WRONG = (
    "Write the number with its country code, 7 to 15 digits, no plus sign and no separators, for example 905551112233."
)


# A calling code has one to three digits, and none is the beginning of another.
_CALLING_CODES = {str(code): code for code in phonenumbers.COUNTRY_CODE_TO_REGION_CODE}


@cache
def _possible_lengths(code: int) -> frozenset[int]:
    """How many digits may follow a calling code, by the library's own figures."""
    region = phonenumbers.region_code_for_country_code(code)
    metadata = phonenumbers.PhoneMetadata.metadata_for_region_or_calling_code(code, region)
    general = None if metadata is None else metadata.general_desc
    return frozenset() if general is None else frozenset(general.possible_length)


@lru_cache(maxsize=8_192)
def _calling_code(digits: str) -> int | None:
    """The country calling code of a possible number, else nothing.

    Most numbers are told by their length alone, which takes 1 µs. The library's own parser takes 50 µs and
    is asked about the rest, such as numbers with a trunk prefix that does not belong there.
    """
    code = _CALLING_CODES.get(digits[:1]) or _CALLING_CODES.get(digits[:2]) or _CALLING_CODES.get(digits[:3])
    if code is not None and len(digits) - len(str(code)) in _possible_lengths(code):
        return code
    try:
        number = phonenumbers.parse("+" + digits, None)
    except phonenumbers.NumberParseException:
        return None
    return number.country_code if phonenumbers.is_possible_number(number) else None


def parse_phone(text: str, field: str = "phone") -> str:
    """The same digits back, or the reason why they cannot be a phone number."""
    if _DIGITS.fullmatch(text) is None or _calling_code(text) is None:
        meant = _meant(text)
        raise Invalid.field(field, "phone_invalid", f"{_WRONG} Did you mean {meant}?" if meant else _WRONG)
    return text


def _meant(text: str) -> str:
    """The number that somebody wrote as people do: with a plus sign or two zeros, with separators. Empty when unclear."""
    digits = _SEPARATORS.sub("", text[:40])
    digits = digits.removeprefix("+") if digits.startswith("+") else digits.removeprefix("00")
    return digits if _DIGITS.fullmatch(digits) is not None and _calling_code(digits) is not None else ""


def read_phone_in(text: str, country: str, field: str = "phone") -> str:
    """A number as people write it, with its country code, or as one calls it within the country (two letters)."""
    try:
        number = phonenumbers.parse(text, country or None)
    except phonenumbers.NumberParseException:
        number = None
    if number is not None and phonenumbers.is_valid_number(number):
        return f"{number.country_code}{phonenumbers.national_significant_number(number)}"
    # Numbers that are newer than the library's list are taken with their country code.
    return parse_phone("".join(sign for sign in text if sign.isdigit()), field)


def local_phone(digits: str, country: str) -> str:
    """A number as one calls it within a country (two letters), with its country code; empty where it is none there."""
    try:
        number = phonenumbers.parse(digits, country)
    except phonenumbers.NumberParseException:
        return ""
    if not phonenumbers.is_valid_number(number):
        return ""
    return f"{number.country_code}{phonenumbers.national_significant_number(number)}"


def is_assigned(digits: str) -> bool:
    """Whether a number with its country code is one that the country's own plan has: more than of a possible length."""
    try:
        return phonenumbers.is_valid_number(phonenumbers.parse("+" + digits, None))
    except phonenumbers.NumberParseException:
        return False


@cache
def example_phone(country: str) -> str:
    """How a mobile number looks in a country; with its country code where the country is not known."""
    number = phonenumbers.example_number_for_type(country, phonenumbers.PhoneNumberType.MOBILE) if country else None
    if number is None:
        return "+90 555 111 22 33"
    return phonenumbers.format_number(number, phonenumbers.PhoneNumberFormat.NATIONAL)


def calling_code(phone: str) -> int:
    """The country calling code of a number that `parse_phone` has accepted; 0 where there is none.

    The network's own id of who hides the number begins with the country, `TR.1349…`.
    """
    country, dot, _ = phone.partition(".")
    if dot:
        return phonenumbers.country_code_for_region(country) if len(country) == 2 else 0
    return _calling_code(phone) or 0


def country_of(beginning: str) -> tuple[int, str]:
    """The calling code and the main region of a number, told from its first three digits; 0 and nothing when unknown."""
    for length in (1, 2, 3):
        code = _CALLING_CODES.get(beginning[:length])
        if code is not None:
            region = phonenumbers.region_code_for_country_code(code)
            return code, "" if region in ("001", "ZZ") else region
    return 0, ""
