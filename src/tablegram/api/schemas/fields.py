"""The kinds of fields that requests are made of.

Each kind says once what is allowed: `Meta` holds what JSON Schema can say (it goes into the OpenAPI document),
`extra={"rule": …}` names the check in `tablegram.api.bodies` that enforces the rest.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

# Control characters, apart from tab and the two that end a line, cannot be shown and break what stores them.
CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"
SINGLE_LINE_CONTROLS = r"\x00-\x1f\x7f-\x9f"
# White space first, then one character that shows, then anything but controls: linear in the text's length.
_SHOWN = rf"^[^\S\x0b\x0c\x1c-\x1f\x85]*[^\s{CONTROLS}][^{CONTROLS}]*$"
_SHOWN_LINE = rf"^[^\S{SINGLE_LINE_CONTROLS}]*[^\s{SINGLE_LINE_CONTROLS}][^{SINGLE_LINE_CONTROLS}]*$"

MAX_INTEGER = 9_007_199_254_740_991
MAX_AHEAD_DAYS = 90


def block(max_length: int, description: str, *examples: str) -> Meta:
    """Text of several lines that must show something."""
    return Meta(
        min_length=1,
        max_length=max_length,
        description=description,
        examples=list(examples) or None,
        extra_json_schema={"pattern": _SHOWN},
        extra={"rule": "block"},
    )


def optional_block(max_length: int, description: str, *examples: str) -> Meta:
    return Meta(
        max_length=max_length,
        description=description,
        examples=list(examples) or None,
        extra_json_schema={"pattern": rf"^[^{CONTROLS}]*$"},
        extra={"rule": "block"},
    )


def line(max_length: int, description: str, *examples: str) -> Meta:
    """One line that must show something."""
    return Meta(
        min_length=1,
        max_length=max_length,
        description=description,
        examples=list(examples) or None,
        extra_json_schema={"pattern": _SHOWN_LINE},
        extra={"rule": "line"},
    )


def optional_line(max_length: int, description: str, *examples: str) -> Meta:
    return Meta(
        max_length=max_length,
        description=description,
        examples=list(examples) or None,
        extra_json_schema={"pattern": rf"^[^{SINGLE_LINE_CONTROLS}]*$"},
        extra={"rule": "line"},
    )


def token(max_length: int, description: str, *examples: str) -> Meta:
    """An identifier or a secret: visible ASCII without spaces."""
    return Meta(
        min_length=1,
        max_length=max_length,
        pattern="^[!-~]+$",
        description=description,
        examples=list(examples) or None,
        extra={"rule": "token"},
    )


def message_id(description: str) -> Meta:
    """Whatever it is, it must name a message; the schema promises nothing about its form."""
    return Meta(description=description, extra_json_schema={"format": "message-id"}, extra={"rule": "token"})


def moment(description: str, *examples: str) -> Meta:
    return Meta(
        description=description,
        examples=list(examples) or None,
        extra_json_schema={"format": "date-time"},
        extra={"rule": "moment"},
    )


Phone = Annotated[
    str,
    Meta(
        pattern="^[1-9][0-9]{6,14}$",
        description="Number with its country code: 7 to 15 digits, no plus sign, no separators.",
        examples=["905551112233"],
        extra_json_schema={"format": "phone"},
        extra={"rule": "phone"},
    ),
]

InstanceId = Annotated[
    Annotated[int, Meta(ge=1, le=MAX_INTEGER)] | Literal[""] | None,
    Meta(description="Line to send from. Null, absent or empty: the account's default line."),
]

SendAt = Annotated[
    Annotated[str, moment("RFC 3339 with an offset.")] | None,
    Meta(
        description=f"When to send, RFC 3339 with an offset; at most {MAX_AHEAD_DAYS} days ahead. "
        "A time that has passed means now.",
    ),
]

Priority = Annotated[
    Literal["urgent", "normal", "bulk"] | None,
    Meta(description="What goes first when a line is over its pace. Absent: normal."),
]

ReplyTo = Annotated[
    Annotated[str, message_id("Identifier of a message.")] | None,
    Meta(description="Identifier of the message that this one answers."),
]
