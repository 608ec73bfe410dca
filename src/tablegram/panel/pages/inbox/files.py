"""Files of messages: shown in place where a browser may, saved otherwise."""

from __future__ import annotations

from typing import Any

from litestar import Response, get
from litestar.params import FromPath
from litestar.response import Stream

from tablegram.panel.frame.handling import DepsOf, PageRequest, VisitorOf
from tablegram.values.files.filenames import attachment
from tablegram.web.guards import file_headers

# What a browser shows without running anything in it.
SHOWN = frozenset(
    {
        "image/jpeg", "image/png", "image/gif", "image/webp", "audio/mpeg", "audio/ogg", "audio/aac", "audio/mp4",
        "audio/amr", "audio/wav", "video/mp4", "video/3gpp", "video/webm",
    }
)  # fmt: skip


@get("/files/{media_id:str}", opt={"scope": "messages:read"})
async def show_file(request: PageRequest, visitor: VisitorOf, deps: DepsOf, media_id: FromPath[str]) -> Response[Any]:
    """A customer's file, or one that was sent. What is not surely harmless in a browser is saved, never shown."""
    known = request.headers.get("if-none-match", "").strip('"')
    opened = await deps.files.library.open_for(visitor.caller, media_id, known)
    headers = {"ETag": f'"{opened.sha256}"', **file_headers()}
    if opened.stream is None:
        return Response(b"", status_code=304, headers=headers)
    base = opened.mime_type.partition(";")[0].strip().lower()
    shown = base in SHOWN and request.query_params.get("save") is None
    if not shown:
        headers["Content-Disposition"] = attachment(opened.filename)
    headers["Content-Length"] = str(opened.size)
    kind = opened.mime_type if shown else "application/octet-stream"
    return Stream(opened.stream, media_type=kind, headers=headers)


HANDLERS = [show_file]
