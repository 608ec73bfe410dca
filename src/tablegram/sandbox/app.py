"""The network as an ASGI application under `/sandbox`: inside the gateway's server, or alone."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import cache
from pathlib import Path
from typing import Any

from litestar import Litestar, Request, Response, Router
from litestar.di import Provide
from litestar.exceptions import HTTPException

from tablegram.errors import Forbidden, Problem
from tablegram.sandbox import control
from tablegram.sandbox.access import droppable, from_own_page, is_control, is_pay_page, refusal
from tablegram.sandbox.devices import routes as devices
from tablegram.sandbox.graph import deciding
from tablegram.sandbox.graph import routes as graph
from tablegram.sandbox.graph.errors import GraphError
from tablegram.sandbox.holding import Holding
from tablegram.sandbox.network import Network
from tablegram.sandbox.page import routes as page
from tablegram.sandbox.page.closed import POLICY, closed_page, wants_page
from tablegram.sandbox.paper import routes as paper
from tablegram.sandbox.payments import page as pay_page
from tablegram.sandbox.payments import routes as payments
from tablegram.sandbox.phones import handsets, inspection
from tablegram.sandbox.requests import problem
from tablegram.values.ids import new_id
from tablegram.values.secrets import SecretBox
from tablegram.web.asgi import BODILESS, Scope, Send, answer
from tablegram.web.bodies import BodyReader
from tablegram.web.guards import guarded, guards
from tablegram.web.problems import MEDIA_TYPE, failed, headers, of_status, render

_log = logging.getLogger("tablegram.sandbox")

# Where handlers find the network in the ASGI scope.
_SCOPE_KEY = "tablegram.network"


class SandboxApp:
    """Handles every path that starts with `/sandbox`. `start` and `stop` run and end its callback courier."""

    def __init__(
        self, network: Network, *, open_to_all: bool = False, bodies: BodyReader | None = None, token: str = ""
    ) -> None:
        self.network = network
        self._holding = Holding(token)
        self._bodies = bodies or BodyReader()
        self._open_to_all = open_to_all
        # Lets people in who are signed in to the gateway's panel; nobody where there is none. Told whether the request
        # turns the network itself.
        self.admits: Callable[[Any, bool], Awaitable[bool]] | None = None
        self._web = framework()

    async def start(self) -> None:
        await self.network.courier.start()
        await self.network.teller.start()

    async def stop(self) -> None:
        """End live streams and callbacks in flight; what was not answered is kept for the next start."""
        self.end_streams()
        await self.network.courier.stop()
        await self.network.teller.stop()

    def end_streams(self) -> None:
        """End the live streams alone: a server that waits for open answers cannot stop before this."""
        self.network.live.close()
        self.network.devices.close()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["type"] != "http":
            return
        if self._holding.is_exchange(scope) and (fields := self._holding.exchange(scope)):
            await answer(send, 303, fields, b"")
            return
        reason = refusal(scope, self._open_to_all)
        try:
            if reason and not await self._admits(scope):
                raise Forbidden(reason, code="not_from_here")
        except Problem as refused:
            await _refuse(scope, send, refused)
            return
        scope[_SCOPE_KEY] = self.network
        dropping = droppable(scope, receive, send)
        await self._web(scope, receive if scope["method"] in BODILESS else self._bodies.in_time(receive), dropping)

    async def _admits(self, scope: Any) -> bool:
        if not from_own_page(scope):
            return False
        if is_pay_page(scope):
            return True
        control = is_control(scope)
        if not control and self._holding.knows(scope):
            return True
        return self.admits is not None and await self.admits(scope, control)

    async def _live(self, receive: Any, send: Any) -> None:
        """Only when the network runs alone: a server around it calls `start` and `stop` itself."""
        await receive()
        await self.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.stop()
        await send({"type": "lifespan.shutdown.complete"})


def create(
    store_path: Path,
    *,
    open_to_all: bool = False,
    bodies: BodyReader | None = None,
    box: SecretBox | None = None,
    token: str = "",
) -> SandboxApp:
    """The network over its file, which is made when it is not there; `box` seals the credentials in it.

    Who shows the `token` may hold the phones from another device.
    """
    return SandboxApp(Network(store_path, box=box), open_to_all=open_to_all, bodies=bodies, token=token)


@cache
def framework() -> Litestar:
    """The addresses with their handlers. Built once in a process, because that takes long; each request brings its own network."""

    async def provide_network(request: Request[Any, Any, Any]) -> Network:
        scope: Scope = request.scope
        network: Network = scope[_SCOPE_KEY]
        return network

    return Litestar(
        route_handlers=[
            Router(
                "/sandbox",
                route_handlers=[
                    *graph.HANDLERS,
                    *deciding.HANDLERS,
                    *handsets.HANDLERS,
                    *inspection.HANDLERS,
                    *control.HANDLERS,
                    *devices.HANDLERS,
                    *page.HANDLERS,
                    *paper.HANDLERS,
                    *payments.HANDLERS,
                    *pay_page.HANDLERS,
                ],
            )
        ],
        dependencies={"network": Provide(provide_network)},
        exception_handlers={
            GraphError: graph.graph_error,
            Problem: problem,
            HTTPException: _framework_says,
            Exception: _bug,
        },
        openapi_config=None,
        # Logging is set up once, by whoever runs the process.
        logging_config=None,
        signature_types=[Network],
    )


def _framework_says(request: Request[Any, Any, Any], error: HTTPException) -> Response[Any]:
    """Unknown paths, wrong methods, bodies that are too large."""
    words = {
        404: f"There is nothing at {request.url.path}. The paths are in docs/reference/sandbox.md.",
        405: f"{request.method} is not possible at {request.url.path}.",
        413: "The body is too large.",
    }
    told = words.get(error.status_code, error.detail)
    if "/sandbox/graph/" in request.url.path:
        return Response(GraphError(100, told).body(), status_code=error.status_code)
    return problem(request, of_status(422 if error.status_code == 400 else error.status_code, told))


def _bug(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
    words = f"The sandbox itself failed: {type(error).__name__}. Nothing was accepted."
    return problem(request, failed(error, _log, f"the sandbox at {request.url.path}", words))


async def _refuse(scope: Any, send: Send, refused: Problem) -> None:
    if wants_page(scope):
        fields = [(b"content-type", b"text/html; charset=utf-8"), *headers(refused)]
        await answer(guarded(send, guards(POLICY, "")), refused.status, fields, closed_page(scope))
        return
    fields = [(b"content-type", MEDIA_TYPE.encode()), *headers(refused)]
    await answer(send, refused.status, fields, render(refused, scope["path"], new_id()))
