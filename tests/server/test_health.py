"""The pages for those who watch over an installation."""

from __future__ import annotations

from typing import Any

import pytest

from tablegram.server.health import Health
from tablegram.server.metrics import render
from tablegram.settings import Settings


async def look(
    path: str, *, method: str = "GET", client: str = "127.0.0.1", ready: bool = True, headers: Any = (), **settings: Any
) -> tuple[int, str]:
    async def trouble() -> str:
        return "" if ready else "the disk of /data is full"

    async def figures() -> str:
        return render(
            {'api_requests_total{status="200"}': 3, 'api_requests_total{status="422"}': 1, "messages_queued": 5}
        )

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": method, "path": path, "headers": list(headers), "client": (client, 1)}
    await Health(Settings(**settings), trouble, figures)(scope, None, send)
    return sent[0]["status"], sent[1]["body"].decode()


async def test_the_process_is_up() -> None:
    assert (await look("/healthz", ready=False))[0] == 200


async def test_ready_means_that_the_store_answers() -> None:
    assert (await look("/readyz"))[0] == 200
    assert await look("/readyz", ready=False) == (503, "the disk of /data is full\n")


async def test_figures_are_in_the_form_that_prometheus_reads() -> None:
    status, text = await look("/metrics")
    assert status == 200
    assert text.count("# TYPE tablegram_api_requests_total counter") == 1
    assert 'tablegram_api_requests_total{status="422"} 1' in text
    assert "tablegram_messages_queued 5" in text


@pytest.mark.parametrize(
    ("client", "headers"), [("192.0.2.1", ()), ("127.0.0.1", [(b"x-forwarded-for", b"192.0.2.1")]), ("::2", ())]
)
async def test_figures_are_for_this_machine_only(client: str, headers: Any) -> None:
    assert (await look("/metrics", client=client, headers=headers))[0] == 403
    assert (await look("/metrics", client=client, headers=headers, metrics_public=True))[0] == 200


async def test_nothing_else_is_here() -> None:
    assert (await look("/elsewhere"))[0] == 404
    assert (await look("/healthz", method="POST"))[0] == 405
