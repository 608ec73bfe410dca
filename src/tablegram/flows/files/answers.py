"""What the flows of files answer with. The same structs draw the OpenAPI document and are sent."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class Upload(Struct, kw_only=True, frozen=True):
    """A file that can be sent for 24 hours."""

    id: str
    url: Annotated[str, Meta(description="What to give as media_url.")]
    mime_type: Annotated[str, Meta(description="What the file itself shows.")]
    size: Annotated[int, Meta(description="Bytes.")]
    sha256: str
    filename: Annotated[str, Meta(description="The name that was given, made harmless; empty when none was.")]
