"""A cloud line over the stub, with everything it needs, for one test."""

from __future__ import annotations

import ipaddress
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from tablegram.messaging.lines.cloud.driver import CloudLine
from tablegram.messaging.model import Content, Outbound, Text
from tablegram.values.http.network import Session
from tablegram.values.http.outbound import GuardedClient, Targets
from tests.messaging.lines.stub_graph import StubGraph, stub_graph

LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"),)


def message(content: Content | None = None, **more: str) -> Outbound:
    return Outbound(
        correlation="corr-1", phone=more.pop("phone", "905551112233"), content=content or Text("Hi"), **more
    )


@asynccontextmanager
async def cloud_line(
    *, base_url: str = "", budget_s: float = 5.0, waba_id: str = ""
) -> AsyncIterator[tuple[CloudLine, StubGraph]]:
    fetcher = GuardedClient(Targets(LOOPBACK))
    async with stub_graph() as stub, Session() as session:
        line = CloudLine(
            session,
            base_url or stub.url,
            "v25.0",
            "1065",
            "token-1",
            fetcher=fetcher,
            budget_s=budget_s,
            waba_id=waba_id,
        )
        try:
            yield line, stub
        finally:
            await fetcher.close()
