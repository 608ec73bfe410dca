"""Receipts and exports have a field for each part of the product; a part that somebody adds brings a field of its own."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

Shown = TypeVar("Shown", bound=msgspec.Struct)


def wide_enough(kind: type[Shown], names: Iterable[str], each: Any) -> type[Shown]:
    """The kind itself where it has all of these fields; else one below it with the others, of the type `each`."""
    known = kind.__struct_fields__
    more = tuple(name for name in names if name not in known)
    return cast(type[Shown], _widened(kind, more, each)) if more else kind


@cache
def _widened(kind: type[msgspec.Struct], more: tuple[str, ...], each: Any) -> type[msgspec.Struct]:
    fields = [(name, each) for name in more]
    return msgspec.defstruct(kind.__name__, fields, bases=(kind,), kw_only=True, frozen=True)
