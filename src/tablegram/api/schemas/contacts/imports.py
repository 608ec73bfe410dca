"""Bodies and answers of the calls that import contacts."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.api.schemas.fields import optional_line

_MomentText = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


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


class WrongRow(Struct, kw_only=True):
    """What is wrong with which row."""

    row: Annotated[int, Meta(description="The line in the file; the first one holds the names of the columns.")]
    field: str
    code: Annotated[
        str,
        Meta(
            description="phone_missing, phone_invalid, phone_without_country, phone_scientific, repeated, too_long, "
            "too_many, language_unknown, birthday_invalid, consent_unknown, proof_missing or time_invalid."
        ),
    ]
    value: Annotated[
        str,
        Meta(
            description="A hint of what stands there: the last four digits of a number, the beginning of another value. "
            "For repeated, the line that has the number first."
        ),
    ]


class ImportView(Struct, kw_only=True):
    """An import of contacts."""

    id: str
    filename: str
    state: Annotated[
        Literal["checked", "running", "done", "refused"],
        Meta(description="checked: waits to be started. running: comes in by itself, also after a restart."),
    ]
    total: Annotated[int, Meta(description="Good rows.")]
    done: Annotated[int, Meta(description="How many of them are in.")]
    kept: Annotated[int, Meta(description="How many of those were contacts already and stayed as they were.")]
    wrong: Annotated[int, Meta(description="Rows that cannot be imported.")]
    errors: Annotated[list[WrongRow], Meta(description="The first 1,000 errors.")]
    ignored_columns: list[str]
    created_by: str
    created_at: _MomentText
    finished_at: _MomentText | None


class ImportPage(Struct, kw_only=True):
    """Imports, newest first."""

    data: list[ImportView]
    next_cursor: str | None
