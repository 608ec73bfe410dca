"""Whatever processes there are and whatever they hold: after the plan all have their share, and nothing moves any more."""

from __future__ import annotations

from collections import Counter

from hypothesis import given, settings
from hypothesis import strategies as st

from tablegram.engine.balance.plan import Node, fair_share, kind_of, plan, plan_of_leaving

ROLES = ("all", "lines", "worker", "api")


def role_of(kind: str) -> str:
    return "lines" if kind == "line" else "worker"


def can_hold(node: Node, kind: str) -> bool:
    return node.role in ("all", role_of(kind))


@st.composite
def installations(draw: st.DrawFn) -> list[Node]:
    """Nobody holds what its role does not do; some hold what is there once."""
    nodes = []
    for number in range(draw(st.integers(1, 7))):
        role = draw(st.sampled_from(ROLES))
        held = {kind: draw(st.integers(0, 12)) for kind in ("line", "webhook", "printer")}
        mine = [
            f"{kind}:{number}-{one}"
            for kind, count in held.items()
            if role in ("all", role_of(kind))
            for one in range(count)
        ]
        nodes.append(Node(f"node {number}", role, (*mine, f"clock {number}")))
    return nodes


def carried_out(nodes: list[Node]) -> tuple[list[Node], list[tuple[str, str]]]:
    """The installation after everybody did what its plan says, and what moved from where."""
    held = {node.id: list(node.leases) for node in nodes}
    moved = []
    for node in nodes:
        for kind, heirs in plan(node.id, nodes, role_of).items():
            still = [lease for lease in node.leases if kind_of(lease) == kind]
            for lease, heir in zip(still, heirs, strict=False):
                held[node.id].remove(lease)
                held[heir].append(lease)
                moved.append((node.id, heir))
    return [Node(node.id, node.role, tuple(held[node.id])) for node in nodes], moved


def counts(nodes: list[Node], kind: str) -> list[int]:
    return [Counter(map(kind_of, node.leases))[kind] for node in nodes if can_hold(node, kind)]


@settings(deadline=None, max_examples=200)
@given(installations())
def test_after_the_plan_nobody_has_more_than_the_share_and_nothing_moves_any_more(nodes: list[Node]) -> None:
    after, moved = carried_out(nodes)
    assert sorted(lease for node in after for lease in node.leases) == sorted(
        lease for node in nodes for lease in node.leases
    ), "nothing is lost, and what is there once stays"
    for kind in ("line", "webhook", "printer"):
        before, now = counts(nodes, kind), counts(after, kind)
        if not before:
            continue
        share = fair_share(sum(before), len(before))
        assert max(now) <= share
        # Only the surplus moves, and who is given something keeps what they had.
        assert now == [min(had, share) if had > share else has for had, has in zip(before, now, strict=True)]
        assert all(has >= had for had, has in zip(before, now, strict=True) if had <= share)
    assert all(giver != heir for giver, heir in moved)
    assert carried_out(after)[1] == []
    for node in after:
        assert all(can_hold(node, kind_of(lease)) for lease in node.leases if kind_of(lease))


def test_a_newcomer_gets_its_share() -> None:
    nodes = [Node("a", "all", tuple(f"line:{n}" for n in range(7))), Node("b", "all", ()), Node("c", "api", ())]
    assert plan("a", nodes, role_of) == {"line": ["b", "b", "b"]}
    assert plan("b", nodes, role_of) == {}


def test_one_of_a_kind_stays_where_it_is() -> None:
    nodes = [Node("a", "all", ("line:1", "clock")), Node("b", "all", ())]
    assert plan("a", nodes, role_of) == {}


@settings(deadline=None, max_examples=200)
@given(installations())
def test_who_leaves_gives_everything_away_that_somebody_can_hold_and_to_whoever_has_least(nodes: list[Node]) -> None:
    me, *others = nodes
    heirs = plan_of_leaving(me.id, nodes, role_of)
    for kind in ("line", "webhook", "printer"):
        able = [node for node in others if can_hold(node, kind)]
        mine = {lease for lease in me.leases if kind_of(lease) == kind}
        given_away = {lease for lease in heirs if kind_of(lease) == kind}
        assert given_away == (mine if able else set())
        gifts = Counter(heirs[lease] for lease in given_away)
        assert set(gifts) <= {node.id for node in able}
        had = {node.id: sum(kind_of(lease) == kind for lease in node.leases) for node in able}
        # Nobody was given anything beyond who has least then, and one.
        assert all(had[node] + gifts[node] <= min(had[one] + gifts[one] for one in had) + 1 for node in gifts)
    # What is there once stays until the end.
    assert all(kind_of(lease) for lease in heirs)
