"""Bodies of the calls about the language model that reads guests' texts."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class SwitchReader(Struct, kw_only=True, forbid_unknown_fields=True):
    """On or off."""

    is_on: Annotated[
        bool, Meta(description="true: texts that the rules do not read are sent to the installation's language model.")
    ]
