"""The body of a batch: messages of any kind, each with the fields of its own send."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.api.schemas.gateway.sends import (
    SendButtons,
    SendContacts,
    SendList,
    SendLocation,
    SendMedia,
    SendTemplate,
    SendText,
)
from tablegram.errors import FieldError

MAX_BATCH = 100
# An entry that does not say its kind is of this one.
DEFAULT_KIND = "text"


class BatchText(SendText, kw_only=True, forbid_unknown_fields=True, tag="text", tag_field="kind"):
    """A text message of a batch; `kind` may be left out."""


class BatchMedia(SendMedia, kw_only=True, forbid_unknown_fields=True, tag="media", tag_field="kind"):
    """A file of a batch."""


class BatchTemplate(SendTemplate, kw_only=True, forbid_unknown_fields=True, tag="template", tag_field="kind"):
    """A template message of a batch."""


class BatchLocation(SendLocation, kw_only=True, forbid_unknown_fields=True, tag="location", tag_field="kind"):
    """A point on the map of a batch."""


class BatchContacts(SendContacts, kw_only=True, forbid_unknown_fields=True, tag="contacts", tag_field="kind"):
    """Contact cards of a batch."""


class BatchButtons(SendButtons, kw_only=True, forbid_unknown_fields=True, tag="buttons", tag_field="kind"):
    """A text with buttons of a batch."""


class BatchList(SendList, kw_only=True, forbid_unknown_fields=True, tag="list", tag_field="kind"):
    """A text with a list of a batch."""


BatchMessage = BatchText | BatchMedia | BatchTemplate | BatchLocation | BatchContacts | BatchButtons | BatchList


class Batch(Struct, kw_only=True, forbid_unknown_fields=True):
    """Many messages in one call. Nothing is sent when any of them is malformed."""

    messages: Annotated[
        list[Annotated[BatchMessage, Meta(extra={"default_tag": DEFAULT_KIND})]],
        Meta(min_length=1, max_length=MAX_BATCH, description=f"1 to {MAX_BATCH} messages of any kind."),
    ]

    def problems(self, path: str) -> list[FieldError]:
        found: list[FieldError] = []
        for index, message in enumerate(self.messages):
            if isinstance(message, BatchButtons | BatchList):
                found += message.problems(f"{path}messages[{index}].")
        return found
