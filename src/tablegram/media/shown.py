"""A file as messages show it."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from tablegram.media.rows import Failure, MediaRow


class MediaError(Struct, kw_only=True, frozen=True):
    """Why a file could not be had."""

    code: str
    detail: str


class MediaView(Struct, kw_only=True, frozen=True):
    """A file that a customer sent, or that went with a message of the account out of the gateway's own store."""

    id: str
    url: Annotated[str, Meta(description="Where the file is, for who shows an API key.")]
    state: Annotated[
        str,
        Meta(description="wanted: it is being fetched. kept: it is at url. failed: see error. gone: its time is over."),
    ]
    mime_type: Annotated[str, Meta(description="The network's word while wanted; then what the file itself shows.")]
    claimed_type: Annotated[str | None, Meta(description="The network's word, when the file turned out to be another.")]
    filename: Annotated[str, Meta(description="The sender's name for it, made harmless; empty when there is none.")]
    size: Annotated[int | None, Meta(description="Bytes; null until it is kept.")]
    sha256: str
    error: MediaError | None


def error_of(row: Failure) -> MediaError | None:
    if row["state"] != "failed":
        return None
    return MediaError(code=row["error_code"] or "media_failed", detail=row["error_detail"] or "")


def show(row: MediaRow, base_url: str) -> MediaView:
    return MediaView(
        id=row["id"],
        url=f"{base_url}/{row['id']}",
        state=row["state"],
        mime_type=row["mime_type"],
        claimed_type=row["claimed_type"],
        filename=row["filename"],
        size=row["size"],
        sha256=row["sha256"],
        error=error_of(row),
    )
