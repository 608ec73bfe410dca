"""Bodies of the calls about how tickets look."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.flows.printing.layouts.answers import LayoutChoice, LayoutKind


class SetLayout(Struct, kw_only=True, forbid_unknown_fields=True):
    """A layout, and whose it is to be."""

    kind: LayoutKind
    station: Annotated[
        str, Meta(max_length=40, description="A station of the venue; empty for the pass and for receipts.")
    ] = ""
    layout: Annotated[LayoutChoice | None, Meta(description="Null: as usual again.")]
