"""A file of a shelf as the framework's answer."""

from __future__ import annotations

from typing import Any

from litestar import Request, Response

from tablegram.web.assets import Asset
from tablegram.web.compression import takes_gzip


def static_answer(request: Request[Any, Any, Any], asset: Asset, keep: str) -> Response[bytes]:
    """The file; packed for who can unpack it, and not at all for who has it already."""
    headers = {"ETag": asset.tag, "Cache-Control": keep, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == asset.tag:
        return Response(b"", status_code=304, headers=headers)
    if takes_gzip(request.scope):
        return Response(asset.packed, media_type=asset.mime_type, headers={**headers, "Content-Encoding": "gzip"})
    return Response(asset.content, media_type=asset.mime_type, headers=headers)
