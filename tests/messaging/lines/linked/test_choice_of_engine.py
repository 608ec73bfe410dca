"""Which engine runs a linked line, and what its state says where that is not installed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tablegram import drivers
from tablegram.errors import Misconfigured
from tablegram.messaging.lines.linked.driver import LinkedLine, Way
from tablegram.messaging.ports import NetworkRefused
from tablegram.settings import Settings, load


def way(tmp_path: Path, engine: str = "", **settings: Any) -> Way:
    given: Any = None
    made = drivers.Drivers(given, given, Settings(data_dir=tmp_path, **settings), given, given)
    line: Any = SimpleNamespace(id=7, name="Desk", config=SimpleNamespace(engine=engine, groups=False))
    return made._way(line)


def test_the_sandbox_runs_where_it_is_on_and_a_real_engine_elsewhere(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drivers, "find_spec", lambda name: object())
    assert way(tmp_path, sandbox=True).engine == "sandbox"
    assert way(tmp_path, sandbox=False).engine == "neonize"
    assert way(tmp_path, sandbox=True, linked_engine="tryx").engine == "tryx"
    assert way(tmp_path, "sandbox", sandbox=True, linked_engine="neonize").engine == "sandbox"
    assert "TABLEGRAM_SANDBOX=1" in way(tmp_path, "sandbox", sandbox=False).missing
    real = way(tmp_path, sandbox=False, linked_proxy="socks5://127.0.0.1:9", linked_host="node 'my host.js'")
    assert (real.settings["proxy"], real.command, real.missing) == ("socks5://127.0.0.1:9", ("node", "my host.js"), "")
    assert way(tmp_path, sandbox=True, linked_host="node x").command == (), "the sandbox's phones need its own engine"


async def test_a_line_whose_engine_is_not_installed_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(drivers, "find_spec", lambda name: None)
    for engine, extra in (("neonize", "tablegram[linked]"), ("tryx", "tablegram[linked-tryx]")):
        given: Any = None
        line = LinkedLine(7, way(tmp_path, sandbox=False, linked_engine=engine), given, given, given, lambda: None)
        health = await line.probe()
        assert (health.state, extra in health.reason) == ("needs_attention", True)
        refused = await line.pair("")
        assert isinstance(refused, NetworkRefused)
        assert refused.code == "engine_missing"


def test_an_engine_that_nobody_knows_is_refused_at_the_start() -> None:
    with pytest.raises(Misconfigured, match="TABLEGRAM_LINKED_ENGINE"):
        load({"TABLEGRAM_LINKED_ENGINE": "moon"})
