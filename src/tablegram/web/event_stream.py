"""A live stream as the framework's answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from litestar.response import Stream
from litestar.response.base import ASGIResponse
from litestar.response.streaming import ASGIStreamingResponse

from tablegram.web.live import HEADERS, MEDIA_TYPE, deliver


class _Delivered(ASGIStreamingResponse):
    async def send_body(self, send: Any, receive: Any) -> None:
        """By the loop that all listeners share: it closes the frames whatever happens."""
        frames: Any = self.iterator
        await deliver(frames, receive, send)


class EventStream(Stream):
    def __init__(self, frames: AsyncIterator[bytes]) -> None:
        super().__init__(frames, media_type=MEDIA_TYPE, headers=HEADERS)

    def to_asgi_response(self, app: Any, request: Any, **more: Any) -> ASGIResponse:
        frames: Any = self.iterator
        return _Delivered(
            iterator=frames,
            content_length=0,
            cookies=more.get("cookies"),
            encoded_headers=more.get("encoded_headers"),
            headers={**(more.get("headers") or {}), **self.headers},
            is_head_response=more.get("is_head_response", False),
            media_type=self.media_type,
            status_code=self.status_code or more.get("status_code"),
        )
