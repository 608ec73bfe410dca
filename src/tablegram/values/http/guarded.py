"""What the guarded client adds to its library: names that are checked, sockets that are, and an end of interim answers."""

from __future__ import annotations

import socket
from typing import Any

import aiohttp
from aiohttp.abc import AbstractResolver, ResolveResult
from aiohttp.client_proto import ResponseHandler

from tablegram.values.http.targets import Targets
from tablegram.values.http.wire import MAX_INTERIM


class FewInterim(ResponseHandler):
    """The client's own reading of answers, which bounds lines and headers, but takes interim answers without end."""

    _interim = 0

    def feed_data(self, data: Any, size: int = 0) -> None:
        is_interim = data[0].code < 200
        self._interim += is_interim
        if self._interim > MAX_INTERIM:
            # Nor is the answer that comes after all of them: the connection is given up.
            if self.transport is not None:
                self.transport.abort()
            self.set_exception(aiohttp.ClientPayloadError("nothing but interim answers"))
            return
        if not is_interim:
            self._interim = 0
        super().feed_data(data, size)


class GuardedResolver(AbstractResolver):
    """Asks another resolver, and refuses the name unless every answer is an address that may be called."""

    def __init__(self, targets: Targets, inner: AbstractResolver) -> None:
        self._targets = targets
        self._inner = inner

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        found = await self._inner.resolve(host, port, family)
        if not found:
            raise OSError(None, "the name has no address")
        for answer in found:
            self._targets.check_address(answer["host"], host=host, port=port)
        return found

    async def close(self) -> None:
        await self._inner.close()
