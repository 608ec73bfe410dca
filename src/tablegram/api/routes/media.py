"""Files that customers sent."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get
from litestar.params import PathParameter
from litestar.response import Stream

from tablegram.api.requests import ApiRequest
from tablegram.values.filenames import attachment

MediaId = Annotated[str, PathParameter(description="The file: `id` of a message's media.")]

# A stranger's file is for saving, never for showing under this address.
_HARMLESS = {"Content-Security-Policy": "sandbox; default-src 'none'", "Cache-Control": "private, no-cache"}


@get(
    "/media/{media_id:str}",
    opt={"scope": "messages:read", "test_keys": True},
    tags=["Messages"],
    summary="Download a file",
    operation_id="getMedia",
)
async def get_media(request: ApiRequest, media_id: MediaId) -> Response[Any]:
    """A file that a customer sent, byte for byte. 409 while it is being fetched, 410 when it is not to be had."""
    known = request.headers.get("If-None-Match", "").strip().removeprefix("W/").strip('"')
    lines = await request.deps.lines.within_reach(request.caller)()
    file = await request.deps.library.open(request.caller.account_id, media_id, unless_sha256=known, within=lines)
    tag = f'"{file.sha256}"'
    if file.stream is None:
        return Response(b"", status_code=304, headers={"ETag": tag, **_HARMLESS})
    return Stream(
        file.stream,
        media_type=file.mime_type or "application/octet-stream",
        headers={
            "Content-Length": str(file.size),
            "Content-Disposition": attachment(file.filename),
            "ETag": tag,
            **_HARMLESS,
        },
    )


HANDLERS = [get_media]
