"""What a device of either library tells the server: where it stands, each time that changes, and what it heard."""

from __future__ import annotations

from typing import NamedTuple

from tablegram.linehost.engines.e2e.inbound import Told
from tablegram.linehost.engines.port import Facts, HostPort


class Note(NamedTuple):
    """Where a device stands. Without a state, nothing was told yet."""

    state: str = ""
    reason: str = ""
    detail: str = ""
    until_ms: int = 0
    phone: str = ""


class Telling:
    # Made when the device starts.
    _host: HostPort

    def __init__(self) -> None:
        # What was last told of where it stands, and the number it was linked with.
        self._note = Note()
        self._phone = ""

    def _tell(self, state: str, reason: str, detail: str = "", until_ms: int = 0) -> None:
        note = Note(state, reason, detail, until_ms, self._phone)
        if note != self._note:
            self._note = note
            told: Facts = {"state": state, "reason": reason, "detail": detail, "phone": self._phone}
            self._host.note("state", told | ({"until_ms": until_ms} if until_ms else {}))

    def _tell_all(self, told: list[Told]) -> None:
        for one in told:
            self._host.tell(*one)

    @property
    def _with_groups(self) -> bool:
        return self._host.settings.get("groups") == "yes"
