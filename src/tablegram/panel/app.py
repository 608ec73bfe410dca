"""The panel as one ASGI application under `/panel`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from tablegram.errors import TooMany
from tablegram.panel import cookies, pages
from tablegram.panel.behind import SCOPE_KEY, Behind
from tablegram.panel.deps import PanelDeps
from tablegram.panel.frame.forms import FORM
from tablegram.panel.pace import PagePace, refuse
from tablegram.web.addresses import Addresses
from tablegram.web.asgi import Field, Send, answer
from tablegram.web.bodies import BodyReader
from tablegram.web.compression import compressing
from tablegram.web.forms import FormReader, close_files
from tablegram.web.framework.late import Late
from tablegram.web.guards import guarded, guards, policy, strict_transport

POLICY = policy(img="'self' data: blob:", media="'self' blob:")

if TYPE_CHECKING:
    from litestar import Litestar
    from litestar.handlers import HTTPRouteHandler

    from tablegram.panel.frame.finding import Finder
    from tablegram.panel.framework import Handlers


class Panel:
    """Answers everything under `/panel`, and sends `/` there."""

    def __init__(self, deps: PanelDeps, handlers: Callable[[], Handlers]) -> None:
        self.deps = deps
        # Pages are loaded for their first visitor.
        self._web = Late(lambda: _framework(handlers()))
        forms = FormReader(BodyReader.of(deps.settings))
        addresses = Addresses(deps.settings.trusted_proxies)
        self.pace = PagePace(deps.settings, addresses)
        self._behind = Behind(deps, addresses, forms, self.pace)
        self._strict = strict_transport(deps.settings.base_url)
        self._guards = guards(POLICY, deps.settings.base_url)

    async def __call__(self, scope: Any, receive: Any, send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["path"] == "/":
            await _send_home(send, self._strict)
            return
        try:
            self.pace.check(scope)
        except TooMany as problem:
            await refuse(scope, guarded(send, self._guards), problem)
            return
        scope[SCOPE_KEY] = self._behind
        try:
            web = await self._web.get()
            await web(scope, receive, compressing(scope, guarded(send, self._guards)))
        finally:
            await close_files(scope.get("state", {}).get(FORM, []))

    async def may_hold_phones(self, scope: Any, control: bool) -> bool:
        """Whether a request to the sandbox from elsewhere brings the session of somebody who may.

        The network is the installation's and knows no accounts: its controls are for operators, and so are the phones
        where several accounts share them. Elsewhere whoever may send holds them. Raises `TooMany` as a page does.
        """
        self.pace.check(scope)
        token = cookies.session_token_of(scope["headers"])
        session = await self.deps.account.sessions.find(token) if token else None
        if session is None or not session.passed_second:
            return False
        self.pace.recognise(token)
        if session.person.is_operator:
            return True
        if control or not session.caller.has("messages:send"):
            return False
        return not await self.deps.operator.has_several_accounts()

    def end_streams(self) -> None:
        """Let go of every page that listens, so that the server can end."""
        self.deps.live.close()


def create_panel(deps: PanelDeps, handlers: Callable[[], Handlers]) -> Panel:
    return Panel(deps, handlers)


def _framework(handlers: Handlers) -> Litestar:
    from tablegram.panel.framework import framework

    return framework(handlers)


@cache
def handlers_below(area: str) -> Handlers:
    """The pages of one area: a module below its folder with `HANDLERS` has some."""
    package = importlib.import_module(f"{pages.__name__}.{area}")
    found: list[HTTPRouteHandler] = []
    for module in sorted(pkgutil.walk_packages(package.__path__, f"{package.__name__}."), key=lambda one: one.name):
        found += getattr(importlib.import_module(module.name), "HANDLERS", [])
    return tuple(found)


def finders_of(*areas: str) -> Sequence[Finder]:
    """What is found from every page: `FINDER` in the module `finding` of each of these areas."""
    return tuple(importlib.import_module(f"{pages.__name__}.{area}.finding").FINDER for area in areas)


async def _send_home(send: Send, strict: tuple[Field, ...]) -> None:
    await answer(send, 303, [(b"location", b"/panel/"), (b"cache-control", b"no-store"), *strict])
