"""A template as people write it."""

from __future__ import annotations

from typing import Literal, TypedDict, get_args

from msgspec import Struct

Format = Literal["text", "image", "video", "document", "location"]
ButtonKind = Literal["quick_reply", "url", "phone", "copy_code"]
Category = Literal["marketing", "utility"]

FORMATS: tuple[Format, ...] = get_args(Format)
BUTTON_KINDS: tuple[ButtonKind, ...] = get_args(ButtonKind)
MEDIA_FORMATS = ("image", "video", "document")


class Header(Struct, frozen=True, kw_only=True):
    """What stands above the text: a line of words, a file, or a place that each message names."""

    format: Format = "text"
    text: str = ""
    # What {{1}} may become.
    example: str = ""
    # An uploaded file that shows what is meant; each message brings its own.
    media_id: str = ""


class TemplateButton(Struct, frozen=True, kw_only=True):
    type: ButtonKind
    text: str = ""
    url: str = ""
    phone: str = ""
    # What the end of the address may become, or the code to copy.
    example: str = ""


class TemplateDraft(Struct, frozen=True, kw_only=True):
    """Everything of a template that the network looks at. Names and languages never change."""

    name: str
    language: str
    category: str
    text: str
    examples: tuple[str, ...] = ()
    header: Header | None = None
    footer: str = ""
    buttons: tuple[TemplateButton, ...] = ()


class DraftFields(TypedDict, total=False):
    """What may be changed of a draft."""

    category: str
    text: str
    examples: tuple[str, ...]
    header: Header | None
    footer: str
    buttons: tuple[TemplateButton, ...]
