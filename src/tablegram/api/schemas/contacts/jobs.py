"""Bodies and answers of the calls that do something with many contacts."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.api.schemas.fields import line, optional_line
from tablegram.crm.bulk import Act
from tablegram.flows.contacts.bulk import MAX_IDS
from tablegram.values.clock import MomentText

_Id = Annotated[str, line(64, "A contact's id.")]


class MatchingContacts(Struct, kw_only=True, forbid_unknown_fields=True):
    """Whom `GET /contacts` finds with the same filters; without any, everybody."""

    q: Annotated[
        Annotated[str, optional_line(200, "Beginnings of words.", "ayşe")] | None,
        Meta(description="Beginnings of words in names, numbers, tags, notes and messages; all must match."),
    ] = None
    tag: Annotated[Annotated[str, line(60, "A tag.", "regular")] | None, Meta(description="Only with this tag.")] = None
    active_since: Annotated[
        MomentText | None, Meta(description="Only who wrote at or after this time, RFC 3339 with an offset.")
    ] = None


class StartContactJob(Struct, kw_only=True, forbid_unknown_fields=True):
    """What is to be done, and with whom: `contact_ids` or `matching`, one of the two."""

    act: Annotated[Act, Meta(description="tag: put a tag on them. untag: take it off. erase: erase them for good.")]
    tag: Annotated[
        Annotated[str, line(60, "A tag.", "summer")] | None, Meta(description="Of tag and untag, which need it.")
    ] = None
    contact_ids: Annotated[
        Annotated[list[_Id], Meta(min_length=1, max_length=MAX_IDS)] | None,
        Meta(description="These contacts, 1 to 1,000. An id that the account does not have is passed over."),
    ] = None
    matching: Annotated[MatchingContacts | None, Meta(description="All contacts that these filters find.")] = None
    expects: Annotated[
        Annotated[int, Meta(ge=1, le=10_000_000)] | None,
        Meta(description="How many you mean. erase needs it; where the figure is another, nothing is done (409)."),
    ] = None
