"""What a row of the store holds, column by column."""

from __future__ import annotations

from typing import Literal

from tablegram.storage.shapes import TypedDict
from tablegram.values.files.media import MediaKind

FileState = Literal["wanted", "kept", "failed", "gone"]


class Failure(TypedDict):
    """Of any file, why it is not to be had, if it is not."""

    state: FileState
    error_code: str | None
    error_detail: str | None


class Facts(Failure):
    """Of any file, what it is as far as is known."""

    mime_type: str
    # What the network said, where the file is something else.
    claimed_type: str | None
    sha256: str
    size: int | None


class Named(TypedDict):
    """Of any file, what it may be called."""

    id: str
    kind: MediaKind
    mime_type: str
    filename: str


class Tried(TypedDict):
    """Of a file that is to be fetched, how that went so far."""

    attempts: int
    created_at: int


class WithId(TypedDict):
    id: str


class PlaceRow(WithId):
    account_id: int
    # Where the media store has it; empty while it does not.
    path: str | None


class MediaRow(PlaceRow, Facts, Named, Tried):
    message_key: str
    instance_id: int
    event_id: str
    network_media_id: str
    due_at: int | None
    kept_at: int | None


class LineRow(TypedDict):
    """A line with something to fetch: when the first of it is due, and the last."""

    account_id: int
    instance_id: int
    at: int
    last: int
