"""Files: those that customers sent, and those that are uploaded to be sent."""

from __future__ import annotations

from typing import Annotated, Any

from litestar import Response, get, post
from litestar.params import PathParameter, QueryParameter
from litestar.response import Stream

from tablegram.api.requests import ApiRequest, answered
from tablegram.flows.files.answers import Upload
from tablegram.flows.files.attachments import MAX_BYTES
from tablegram.media.files import clean_type
from tablegram.values.files.filenames import attachment
from tablegram.web.guards import FRAMED_FILE_POLICY, file_headers

MediaId = Annotated[str, PathParameter(description="The file: `id` of a message's media.")]

Filename = Annotated[
    str | None,
    QueryParameter(
        description="The name that a document arrives under, and by whose ending its type is told where neither the "
        "file nor Content-Type tells it.",
        max_length=240,
    ),
]
# What programs say when they do not know what they send.
_NO_CLAIM = "application/x-www-form-urlencoded"

# A stranger's file is for saving, never for showing under this address.
_HARMLESS = file_headers(file_policy=FRAMED_FILE_POLICY)


@post(
    "/media",
    status_code=201,
    opt={"scope": "messages:send", "test_keys": True, "file_bytes": MAX_BYTES},
    tags=["Sending"],
    summary="Upload a file",
    operation_id="uploadMedia",
)
async def upload_media(request: ApiRequest, filename: Filename = None) -> Response[Upload]:
    """Keeps a file to send: the body is the file itself, 100 MB at most, with its Content-Type.

    Give the `url` of the answer as `media_url` to /messages/send-media or in a batch, as often as you like for
    24 hours. What the file is, its own bytes tell; how large it may be depends on what it is sent as. What a test key
    uploads goes over sandbox lines. Under an Idempotency-Key the same file with the same name is kept once.
    """
    claim = request.exchange.content_type.decode("latin-1")
    claim = "" if claim.lower().startswith(_NO_CLAIM) else clean_type(claim)
    upload = request.deps.files.attachments.upload
    return answered(await upload(request.caller, request.exchange.file, filename or "", claim, request.call()))


@get(
    "/media/{media_id:str}",
    opt={"scope": "messages:read", "test_keys": True},
    tags=["Messages"],
    summary="Download a file",
    operation_id="getMedia",
)
async def get_media(request: ApiRequest, media_id: MediaId) -> Response[Any]:
    """A file that a customer sent or that was uploaded, byte for byte. 409 while it is being fetched, 410 when it is not to be had."""
    known = request.headers.get("If-None-Match", "").strip().removeprefix("W/").strip('"')
    lines = await request.deps.gateway.lines.within_reach(request.caller)()
    file = await request.deps.files.library.open_for(request.caller, media_id, unless_sha256=known, within=lines)
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


HANDLERS = [upload_media, get_media]
