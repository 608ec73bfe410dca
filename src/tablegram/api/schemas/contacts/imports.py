"""Bodies and answers of the calls that import contacts."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.api.schemas.fields import optional_line


class CheckImport(Struct, kw_only=True, forbid_unknown_fields=True):
    """A table to look at. Nothing is imported yet."""

    csv: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=10_000_000,
            description="The table as CSV, its first row the names of the columns: phone (or telefon), and of name, "
            "language, birthday, tags, notes, consent, consent_at, consent_source, consent_text and consent_proof those that you have. Parted by commas, semicolons or tabs. "
            "The whole body must fit the installation's limit, 1 MiB unless it was changed.",
            examples=["phone;name;tags\n905551112299;Işıl Çağlar;regular\n"],
        ),
    ]
    filename: Annotated[
        Annotated[str, optional_line(200, "A name to know it by.", "guests.csv")] | None,
        Meta(description="Shown in lists, and as the source of consent. Absent: contacts.csv."),
    ] = None


class RefuseImport(Struct, kw_only=True, forbid_unknown_fields=True):
    """What becomes of a checked table that is not to come in."""

    state: Annotated[Literal["refused"], Meta(description="refused: it is thrown away.", examples=["refused"])]


class StartImport(Struct, kw_only=True, forbid_unknown_fields=True):
    """How the good rows come in."""

    existing: Annotated[
        Literal["update", "keep"] | None,
        Meta(
            description="What happens to numbers that are contacts already. update: what the row gives comes in, tags "
            "are added. keep: they stay as they are. Absent: update."
        ),
    ] = None
