"""Addresses on the network: a phone's number, a LID that hides it, a group."""

from __future__ import annotations

from typing import NamedTuple

PHONES, LIDS, GROUPS = "s.whatsapp.net", "lid", "g.us"
# What business hosts of the network put in place of the first two.
_SAME = {"c.us": PHONES, "hosted": PHONES, "hosted.lid": LIDS}


class Jid(NamedTuple):
    user: str = ""
    server: str = ""

    def __str__(self) -> str:
        return f"{self.user}@{self.server}" if self.user else ""

    def __bool__(self) -> bool:
        return bool(self.user)

    @property
    def kind(self) -> str:
        return _SAME.get(self.server, self.server)


NOBODY = Jid()


def jid(text: str) -> Jid:
    """`to` of an order: digits, a LID or a group. A device's own number, after a colon, is left away."""
    user, at, server = text.partition("@")
    return Jid(user.partition(":")[0].partition(".")[0], server if at else PHONES) if user else NOBODY


def person(*known: Jid, name: str = "") -> dict[str, str]:
    """The same person under the names that are known, as the protocol writes it."""
    phone = next((one.user for one in known if one.kind == PHONES), "")
    lid = next((f"{one.user}@lid" for one in known if one.kind == LIDS), "")
    return {"phone": phone, "lid": lid, "name": name}
