"""Who hands what to whom: a pure function of what everybody holds, which comes out the same in every process."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

EVERYTHING = "all"


@dataclass(frozen=True, slots=True)
class Node:
    """A process that runs, what it does, and the leases that it holds."""

    id: str
    role: str
    leases: tuple[str, ...]


def kind_of(lease: str) -> str:
    """Lines, endpoints and printers are leased key by key, such as `line:7`. What is there once stays where it is."""
    kind, colon, _ = lease.partition(":")
    return kind if colon else ""


def fair_share(held: int, nodes: int) -> int:
    """As many as nobody has to exceed."""
    return -(-held // nodes)


def plan(me: str, nodes: Sequence[Node], role_of: Callable[[str], str]) -> dict[str, list[str]]:
    """The processes that get a lease each from this one, for each kind of lease.

    Whoever holds more than the fair share gives the surplus to those that hold less, who then have no more than it. So
    nobody who was given something has to give, and where all have their share nothing moves.
    """
    gifts: dict[str, list[str]] = {}
    for kind in sorted({kind_of(lease) for node in nodes for lease in node.leases} - {""}):
        able = _able(nodes, role_of(kind))
        held = Counter({node.id: sum(kind_of(lease) == kind for lease in node.leases) for node in able})
        if me not in held:
            continue
        share = fair_share(held.total(), len(able))
        for giver in able:
            for _ in range(held[giver.id] - share):
                heir = min(able, key=lambda node: (held[node.id], node.id)).id
                held[giver.id] -= 1
                held[heir] += 1
                if giver.id == me:
                    gifts.setdefault(kind, []).append(heir)
    return gifts


def plan_of_leaving(me: str, nodes: Sequence[Node], role_of: Callable[[str], str]) -> dict[str, str]:
    """Who gets each lease of a process that is about to end: whoever of the others holds least. What nobody can take stays."""
    mine = [lease for node in nodes if node.id == me for lease in node.leases if kind_of(lease)]
    heirs: dict[str, str] = {}
    for kind in sorted({kind_of(lease) for lease in mine}):
        able = [node for node in _able(nodes, role_of(kind)) if node.id != me]
        held = Counter({node.id: sum(kind_of(lease) == kind for lease in node.leases) for node in able})
        for lease in mine:
            if able and kind_of(lease) == kind:
                heirs[lease] = min(held, key=lambda one: (held[one], one))
                held[heirs[lease]] += 1
    return heirs


def _able(nodes: Sequence[Node], role: str) -> list[Node]:
    return sorted((node for node in nodes if node.role in (EVERYTHING, role)), key=lambda node: node.id)
