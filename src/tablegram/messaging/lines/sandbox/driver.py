"""A line on the sandbox network: the cloud driver with the sandbox's address, and how a number comes to be there."""

from __future__ import annotations

from urllib.parse import quote

import msgspec
from yarl import URL

from tablegram.messaging.lines.cloud.driver import CloudLine
from tablegram.messaging.ports import Hear, LineUnreachable, OpenKept
from tablegram.values.http.network import Session
from tablegram.values.http.outbound import GuardedClient
from tablegram.values.http.wire import Lost, Unsent, Wires, head

# The sandbox takes any version; this one only makes the addresses look as on the real network.
GRAPH_VERSION = "v25.0"
REGISTER_S = 5.0


class SandboxNumber(msgspec.Struct, frozen=True):
    """A line as the sandbox has to know it: who may send as it, and where its callbacks go."""

    phone_number_id: str
    access_token: str
    app_secret: str
    verify_token: str
    callback_url: str
    display_phone_number: str
    name: str


class SandboxLine(CloudLine):
    """The cloud driver with another address, which has to introduce itself. `sandbox_url` ends in /sandbox."""

    kind = "sandbox"

    def __init__(
        self,
        session: Session,
        sandbox_url: str,
        phone_number_id: str,
        access_token: str,
        *,
        fetcher: GuardedClient,
        budget_s: float = 10.0,
        version: str = GRAPH_VERSION,
        wires: Wires | None = None,
        open_kept: OpenKept | None = None,
        number: SandboxNumber | None = None,
    ) -> None:
        self._sandbox_url = sandbox_url
        # What the sandbox is told of the line; nothing where it knows the number already.
        self._number = number
        base_url = f"{sandbox_url.rstrip('/')}/graph"
        super().__init__(
            session, base_url, version, phone_number_id, access_token, fetcher=fetcher, budget_s=budget_s, wires=wires,
            open_kept=open_kept,
        )  # fmt: skip

    async def start(self, hear: Hear) -> str | None:
        """The sandbox has to hear of a number before it carries its messages, and forgets it with its file."""
        if self._number is None:
            return None
        try:
            await register(self._wires, self._sandbox_url, self._number)
        except LineUnreachable as error:
            return str(error)
        return None


async def register(wires: Wires, sandbox_url: str, number: SandboxNumber) -> None:
    """Make the sandbox know a line, or know it anew: safe to repeat at every start. Raises `LineUnreachable`."""
    url = URL(f"{sandbox_url.rstrip('/')}/numbers/{quote(number.phone_number_id, safe='')}", encoded=True)
    body = {name: getattr(number, name) for name in number.__struct_fields__ if name != "phone_number_id"}
    told = msgspec.json.encode(body)
    asked = head("PUT", url, {"Content-Type": "application/json"})
    try:
        reply = await wires.to(url).ask(b"%b%d\r\n\r\n%b" % (asked, len(told), told), REGISTER_S)
    except (Unsent, Lost) as error:
        raise LineUnreachable(f"The sandbox network cannot be reached: {error}.") from None
    if reply.status not in (200, 201, 204):
        said = reply.body[:200].decode("utf-8", "replace")
        raise LineUnreachable(f"The sandbox network answered HTTP {reply.status}: {said}")
