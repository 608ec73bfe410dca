"""The short form of `make cluster-chaos`: three servers on one database and one bus, of which one falls silent and one dies."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import pytest

from tests.databases import Databases, Server
from tests.faults.cluster import troubles as happening
from tests.faults.cluster.accounts import out_of_order
from tests.faults.cluster.load import Recipient
from tests.faults.cluster.proof import prove
from tests.faults.cluster.stage import Size
from tests.faults.cluster.troubles import cut_off, kill

SMALL = Size(
    lines=3, recipients=4, customers=3, pause_s=0.6, lease_s=2.0, patience=6, with_phone=False, unknown_wait_s=8
)


@pytest.mark.slow
@pytest.mark.shared
@pytest.mark.later
@pytest.mark.timeout(400)
def test_a_cluster_loses_and_doubles_nothing_when_a_server_is_cut_off_or_killed(databases: Databases) -> None:
    assert isinstance(databases, Server)
    troubles = [("cut off", cut_off), ("killed", kill)]
    with tempfile.TemporaryDirectory(prefix="tablegram-cluster-") as folder:
        result = asyncio.run(prove(SMALL, databases, Path(folder), troubles, seed=4))
    told = "\n".join(said[-3_000:] for said in result.said.values())
    assert not result.account.failed, f"{result.account.promises}\n{told}"
    # It would hold as well if nothing had happened.
    assert [row.seen.taken_up_s is not None for row in result.rows] == [True, True]
    assert all(row.answered and row.heard for row in result.rows)


def test_what_this_machine_cannot_try_is_named_unless_it_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    clocks = "clocks are two minutes apart"
    monkeypatch.setattr(happening, "wrong_clock", lambda: None)
    able, untried = happening.wanted()
    assert untried == [clocks]
    assert {*able} == {*happening.TROUBLES} - {clocks}
    assert happening.wanted(without=["clocks"]) == (able, [])
    assert happening.wanted(only=["bus"]) == (
        {"the bus restarts": happening.restart_bus, "the bus is away": happening.no_bus},
        [],
    )
    monkeypatch.setattr(happening, "wrong_clock", lambda: Path("libfaketime"))
    assert happening.wanted() == (happening.TROUBLES, [])


def test_what_came_late_is_told_from_what_came_in_the_wrong_order() -> None:
    one = Recipient("1", 1, given=["a", "b", "c", "d"])
    assert out_of_order(one, ["a", "b", "c", "d"], set()) == []
    assert out_of_order(one, ["a", "c", "b", "d"], set()) == [("b", "c")]
    assert out_of_order(one, ["a", "c", "d", "b"], {"b"}) == []
