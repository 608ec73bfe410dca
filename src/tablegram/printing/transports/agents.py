"""Our own print agent: what it says and is told, as JSON. The other end is `tablegram.printagent`."""

from __future__ import annotations

import base64
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tablegram.errors import Malformed
from tablegram.printing.jobs import Job
from tablegram.printing.printers.model import Status
from tablegram.printing.printers.profile import Profile

MAX_BODY_BYTES = 65_536
# Less than what proxies allow a silent answer.
MAX_WAIT_S = 50.0
MAX_FOUND = 64

_Code = Annotated[str, Meta(pattern=r"^[a-z0-9_]{0,40}$")]
# Stored as who has claimed a job, so it is short and plain.
_Name = Annotated[str, Meta(pattern=r"^[0-9A-Za-z_-]{1,32}$")]


class AgentPrinterState(msgspec.Struct, frozen=True):
    """How the agent's printer is; `known` is false for one that answers no questions."""

    known: bool = False
    error: _Code = ""
    paper_low: bool = False


class AgentCall(msgspec.Struct, frozen=True, kw_only=True):
    """What every call of an agent says."""

    agent: _Name
    protocol: int = 1
    state: AgentPrinterState = AgentPrinterState()


class Next(AgentCall, frozen=True, kw_only=True):
    wait_s: Annotated[float, Meta(ge=0, le=3_600)] = 0.0


class Result(AgentCall, frozen=True, kw_only=True):
    job: Annotated[str, Meta(min_length=1, max_length=64)]
    fence: Annotated[int, Meta(ge=0, le=1_000_000_000)]
    outcome: Literal["printed", "failed"]
    code: _Code = ""
    doubt: bool = False


class Report(AgentCall, frozen=True, kw_only=True):
    # Printers that were found in the agent's network, as addresses of devices.
    found: Annotated[list[Annotated[str, Meta(pattern=r"^tcp://[0-9.]{7,15}:9100$")]], Meta(max_length=MAX_FOUND)] = []


class KnownSurroundings(msgspec.Struct, frozen=True):
    """What an agent has told of its surroundings, kept with its printer: a help for who sets it up."""

    found: tuple[str, ...] = ()


Said = Next | Result | Report
_DECODERS: dict[str, msgspec.json.Decoder[Said]] = {
    "next": msgspec.json.Decoder(Next),
    "result": msgspec.json.Decoder(Result),
    "state": msgspec.json.Decoder(Report),
}
CALLS = frozenset(_DECODERS)
_encode = msgspec.json.Encoder().encode
_decode_known = msgspec.json.Decoder(KnownSurroundings).decode


def read(call: str, body: bytes) -> Said:
    try:
        return _DECODERS[call].decode(body)
    except (msgspec.DecodeError, RecursionError) as error:
        raise Malformed(
            f"The agent's call cannot be read: {error}. Bring agent and server to the same version."
        ) from None


def keep(found: list[str]) -> str:
    return _encode(KnownSurroundings(tuple(found))).decode()


def remember(learned: str) -> tuple[str, ...]:
    """Printers that the agent found in its network when somebody asked it to look; nothing for what is no agent's."""
    try:
        return _decode_known(learned).found if learned else ()
    except msgspec.DecodeError:
        return ()


def hand_over(job: Job, device: str, content: bytes) -> bytes:
    encoded = base64.b64encode(content).decode()
    return _encode({"job": {"id": job.id, "fence": job.fence, "device": device, "content": encoded}})


def nothing() -> bytes:
    return b'{"job":null}'


def device_of(profile: Profile) -> str:
    """Where the agent prints, unless it was told so on its own machine."""
    return profile.device or (f"tcp://{profile.host}:{profile.port}" if profile.host else "")


def status_of(state: AgentPrinterState) -> Status:
    if state.error == "paper_out":
        return Status(online=False, paper="out", error="paper_out")
    if state.error == "cover_open":
        return Status(online=False, cover="open", error="cover_open")
    if state.error:
        return Status(online=False, error=state.error)
    if not state.known:
        return Status()
    return Status(paper="low" if state.paper_low else "ok", cover="closed")
