"""Bodies and answers of the calls about how long data of people is kept."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from tablegram.crm.own_data.retention import ContactDays, MessageDays

_MessageDays = Annotated[
    MessageDays, Meta(description="Days messages and their files are kept. 0: as long as the installation does.")
]
_ContactDays = Annotated[
    ContactDays, Meta(description="Days after which a contact who has neither written nor ordered is erased. 0: never.")
]


class ChangeRetention(Struct, kw_only=True, forbid_unknown_fields=True):
    """What to change; absent fields stay as they are."""

    message_days: _MessageDays | UnsetType = UNSET
    contact_days: _ContactDays | UnsetType = UNSET
