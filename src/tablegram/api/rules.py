"""Rules that a JSON Schema cannot say, or cannot say kindly. Each gives the value back, tidied, or raises `Wrong`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import datetime
from typing import Any

from msgspec import inspect

from tablegram.api.schemas.fields import CONTROLS, SINGLE_LINE_CONTROLS
from tablegram.errors import Invalid
from tablegram.values.phone import parse_phone

_CONTROLS = re.compile(f"[{CONTROLS}]")
_LINE_CONTROLS = re.compile(f"[{SINGLE_LINE_CONTROLS}]")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d):(\d\d)(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)


class Wrong(Exception):
    """One rule is broken."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def check_length(value: Any, info: Any, unit: str) -> None:
    size = len(value)
    few, many = ("too_short", "too_long") if unit == "characters" else ("too_few", "too_many")
    if info.min_length is not None and size < info.min_length:
        if size == 0 and unit == "characters":
            raise Wrong("blank", "This must not be empty.")
        raise Wrong(few, f"This needs at least {info.min_length:,} {unit}; it has {size:,}.")
    if info.max_length is not None and size > info.max_length:
        raise Wrong(many, f"This may have at most {info.max_length:,} {unit}; it has {size:,}.")


def check_pattern(value: str, info: inspect.StrType) -> None:
    if info.pattern is not None and re.search(info.pattern, value) is None:
        raise Wrong("format_invalid", f"This does not have the right form; it must match {info.pattern}")


def check_number(value: float, info: Any) -> None:
    said = (("at least", info.ge), ("more than", info.gt), ("at most", info.le), ("less than", info.lt))
    bounds = " and ".join(f"{words} {bound:,}" for words, bound in said if bound is not None)
    too_low = (info.ge is not None and value < info.ge) or (info.gt is not None and value <= info.gt)
    if too_low or (info.le is not None and value > info.le) or (info.lt is not None and value >= info.lt):
        if info.ge is not None and info.le is not None:
            bounds = f"between {info.ge:,} and {info.le:,}"
        raise Wrong("out_of_range", f"This must be {bounds}.")


def _block(value: str, info: inspect.StrType) -> str:
    if _CONTROLS.search(value):
        raise Wrong("control_characters", "This must not hold control characters other than tab and line breaks.")
    return _shown(value.replace("\r\n", "\n").replace("\r", "\n").strip(), info)


def _line(value: str, info: inspect.StrType) -> str:
    if _LINE_CONTROLS.search(value):
        raise Wrong("control_characters", "This must be one line without control characters.")
    _shown(value.strip(), info)
    return value


def _shown(text: str, info: inspect.StrType) -> str:
    if not text and info.min_length:
        raise Wrong("blank", "This must not be empty or only white space.")
    return text


def _token(value: str, info: inspect.StrType) -> str:
    if not value.strip():
        raise Wrong("blank", "This must not be empty.")
    if _LINE_CONTROLS.search(value):
        raise Wrong("control_characters", "This must not hold control characters.")
    return value


def _url(value: str, info: inspect.StrType) -> str:
    _token(value, info)
    if len(value) <= 2_048 and re.search("^https?://[!-~]+$", value) is None:
        raise Wrong("url_invalid", "Write a whole address that starts with https://, without spaces.")
    return value


def _phone(value: str, info: inspect.StrType) -> str:
    try:
        return parse_phone(value)
    except Invalid as problem:
        raise Wrong(problem.code, problem.detail) from None


def parse_moment_ms(text: str) -> int | None:
    """RFC 3339 with an offset, in milliseconds since 1970; nothing when it is not one."""
    match = _MOMENT.fullmatch(text)
    if match is None:
        return None
    day, minute, second, fraction, offset = match.groups()
    # A leap second is the last one of its minute here: no clock below counts it.
    second = "59" if second == "60" else second
    try:
        moment = datetime.fromisoformat(f"{day}T{minute}:{second}{(fraction or '')[:7]}{offset.upper()}")
        return round(moment.timestamp() * 1_000)
    except (ValueError, OverflowError):
        return None


def _moment(value: str, info: inspect.StrType) -> str:
    if parse_moment_ms(value) is None:
        raise Wrong(
            "time_invalid", "Write the time as RFC 3339 with its offset, for example 2026-03-01T18:30:00+03:00."
        )
    return value


RULES: dict[str, Callable[[str, inspect.StrType], str]] = {
    "block": _block,
    "line": _line,
    "token": _token,
    "url": _url,
    "phone": _phone,
    "moment": _moment,
}
