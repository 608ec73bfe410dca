"""`tablegram line-host check`: hosts that keep to the protocol pass, also in another language, and others do not."""

from __future__ import annotations

import asyncio
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tablegram.linehost.checking import alone, peer, rehearsed
from tablegram.linehost.checking.trial import Case, Found, try_host
from tests.cases import cases
from tests.contract.networks import running_sandbox

# Processes of their own.
pytestmark = pytest.mark.slow

PERL = ["perl", str(Path(__file__).with_name("host.pl"))]
# How the host in Perl can be made to break the protocol, where that is seen, and a word of what it is blamed for.
BROKEN: dict[str, tuple[Case, str]] = {
    "any_version": (alone.it_refuses_another_version, "refused"),
    "nonsense": (alone.it_waits_to_be_led, "no frame"),
    "unled": (alone.it_waits_to_be_led, "refused with unled"),
    "repeats": (alone.it_answers_each_order_once, "answered twice"),
    "tolerates": (alone.it_ends_at_what_no_frame_is, "garbage"),
    "outlives": (alone.it_ends_with_its_gateway, "socket closes"),
    "loses": (alone.it_tells_what_it_can, "again_s"),
    "twice": (rehearsed.it_sends_once_and_tells_how_it_went, "go out once"),
    "guesses": (rehearsed.it_sends_once_and_tells_how_it_went, "unknown"),
    "renames": (rehearsed.it_tells_what_it_heard_until_it_is_taken, "same name"),
    "forgets": (rehearsed.it_tells_what_it_heard_until_it_is_taken, "after a kill"),
}

needs_perl = pytest.mark.skipif(
    not shutil.which("perl") or subprocess.run(["perl", "-MJSON::PP", "-e1"], capture_output=True).returncode != 0,
    reason="perl with JSON::PP is not installed",
)


def failures(command: list[str], folder: Path, **settings: str) -> list[Found]:
    return [one for one in try_host(command, folder, settings, patience_s=60.0) if one.held is not True]


async def test_the_sandbox_host_keeps_to_the_protocol(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tablegram.linehost", "sandbox"]
    async with running_sandbox(tmp_path / "sandbox.db") as url:
        assert await asyncio.to_thread(failures, command, tmp_path / "lines", url=url) == []


@needs_perl
def test_a_host_in_another_language_keeps_to_the_protocol(tmp_path: Path) -> None:
    assert failures(PERL, tmp_path) == []


@needs_perl
def test_hosts_that_break_the_protocol_are_found_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer, "END_S", 1.0)
    with cases() as found:
        for broken, (case, words) in BROKEN.items():
            with found.case(broken):
                (told,) = try_host([*PERL, broken], tmp_path / broken, {}, 5.0, [case])
                assert told.held is False
                assert words in told.words


def test_the_command_tells_what_does_not_hold_and_fails_then(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tablegram", "line-host", "check", "--json", sys.executable, "-c", "pass"]
    done = subprocess.run(command, capture_output=True, timeout=600, check=False)
    assert done.returncode == 1, done
    told = json.loads(done.stdout)
    assert told["held"] == 0
    assert {case["held"] for case in told["cases"]} == {False, None}
    assert all(case["words"] for case in told["cases"])
