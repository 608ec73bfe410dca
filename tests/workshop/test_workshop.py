"""Children that work on what strangers sent: what ends them, what they see, and what is left of them."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tablegram.errors import Invalid, TooMany, Unavailable
from tablegram.workshop import turns
from tablegram.workshop.children import Children
from tests.workshop.works import MB, Told, job

WITHIN_S = 60.0


@asynccontextmanager
async def workshop(most: int = 2) -> AsyncIterator[Children]:
    made = Children(most)
    try:
        yield made
    finally:
        await made.stop()


def children_of(pid: int) -> list[int]:
    return [int(one) for one in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def foreman(made: Children) -> int:
    assert made._crew is not None
    return made._crew.pid


async def until(true: Callable[[], Any]) -> Any:
    async with asyncio.timeout(WITHIN_S):
        while not (found := true()):
            await asyncio.sleep(0.01)
    return found


async def test_whatever_a_child_does_the_caller_hears_it_in_words(tmp_path: Path) -> None:
    """One row for each way in which work can go wrong; after each of them the next piece of work is done."""
    async with workshop() as made:
        ways: list[tuple[str, dict[str, Any], str]] = [
            ("spin", {"cpu_s": 1}, "too_much"),
            ("sleep", {"wall_s": 0.2}, "too_much"),
            ("hoard", {}, "too_much"),
            ("chatter", {}, "too_much"),
            ("crash", {}, "unreadable"),
            ("leave", {}, "unreadable"),
        ]
        for work, limits, code in ways:
            with pytest.raises(Invalid) as told:
                await made.do(1, job(work, **limits), b"600")
            assert (work, told.value.code, told.value.errors[0].field) == (work, code, "file")
            assert await made.do(1, job("echo"), b"and on") == b"and on"

        with pytest.raises(Invalid) as told:
            await made.do(1, job("refuse"), b"")
        assert [(one.field, one.code, one.detail) for one in told.value.errors] == [
            ("file", "bad_row", "Row 2."), ("mode", "bad_mode", "Mode."),
        ]  # fmt: skip
        with pytest.raises(RuntimeError) as bug:
            await made.do(1, job("fail"), b"what a customer wrote")
        assert "KeyError" in str(bug.value)
        assert "what a customer wrote" not in str(bug.value)
        with pytest.raises(Exception, match=r"Expected `int`, got `str`"):
            await made.do(1, job("lie", Told), b"")
        with pytest.raises(RuntimeError, match="OSError"):
            await made.do(1, job("write"), str(tmp_path / "grown").encode())
        assert not (tmp_path / "grown").exists() or (tmp_path / "grown").stat().st_size == 0
        with pytest.raises(RuntimeError, match="cannot begin"):
            await made.do(1, job("nothing_of_this_name"), b"")

        # Killed by somebody else: another child does it; when that one is killed too, the caller may come again.
        (tmp_path / "mark").mkdir()
        assert await made.do(1, job("die_once"), str(tmp_path / "mark").encode()) == b"done"
        with pytest.raises(Unavailable) as lost:
            await made.do(1, job("die"), b"")
        assert (lost.value.code, lost.value.retry_after_s) == ("file_interrupted", turns.RETRY_S)
        figures = await made.figures()
        assert figures["file_jobs_over_limit_total"] == 4
        assert figures["file_jobs_working"] == figures["file_jobs_waiting"] == 0
        await until(lambda: children_of(foreman(made)) == [])


async def test_a_child_sees_no_variable_no_file_and_no_limit_but_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TABLEGRAM_SECRET_KEY", "s" * 32)
    with socket.socket() as open_here:
        open_here.set_inheritable(True)
        async with workshop() as made:
            big = os.urandom(3 * MB)
            assert await made.do(1, job("echo", answer_bytes=4 * MB), big) == big
            first, second = [await made.do(1, job("tell", Told, cpu_s=7), b"") for _ in range(2)]
            assert "TABLEGRAM_SECRET_KEY" not in Path(f"/proc/{foreman(made)}/environ").read_text()
    assert set(first.variables) <= {"LC_ALL", "LC_CTYPE"}
    assert {number for number in first.files if number > 3} == set(), first.files
    assert [first.files[number] for number in range(3)] == ["/dev/null"] * 3
    assert first.files[3].startswith("socket:")
    assert (first.limits["CORE"], first.limits["FSIZE"], first.limits["CPU"]) == (0, 0, 7)
    assert 256 * MB < first.limits["AS"] < 1_024 * MB
    # A process for each piece of work, and the ids that they make are not the same.
    assert first.pid != second.pid
    assert first.parent == second.parent
    assert len({first.id[10:], second.id[10:]}) == 2


async def test_who_goes_away_takes_the_child_along_and_nothing_is_left() -> None:
    async with workshop() as made:
        assert await made.do(1, job("echo"), b"begun") == b"begun"
        pid = foreman(made)
        work = asyncio.create_task(made.do(1, job("spin"), b""))
        (child,) = await until(lambda: children_of(pid))
        work.cancel()
        with pytest.raises(asyncio.CancelledError):
            await work
        await until(lambda: not Path(f"/proc/{child}").exists())
        assert await made.do(1, job("echo"), b"and on") == b"and on"

        # The foreman itself is killed: its child follows it, the work is begun anew, and is cancelled there.
        work = asyncio.create_task(made.do(1, job("spin"), b""))
        (child,) = await until(lambda: children_of(pid))
        os.kill(pid, signal.SIGKILL)
        await until(lambda: not Path(f"/proc/{child}").exists())
        await until(lambda: made._crew is not None and made._crew.pid != pid and children_of(foreman(made)))
        assert not Path(f"/proc/{pid}").exists()
        second = foreman(made)
        waiting = asyncio.create_task(made.do(1, job("echo"), b"later"))
        await until(lambda: made._turns.waiting)

        # The doors close: who works and who waits is told to come again, at once.
        made.close_doors()
        for task in (work, waiting):
            with pytest.raises(Unavailable) as closing:
                await task
            assert closing.value.code == "server_stopping"
        with pytest.raises(Unavailable):
            await made.do(1, job("echo"), b"")
        await made.stop()
        assert not Path(f"/proc/{second}").exists()


async def test_one_account_with_very_many_files_delays_nobody_else() -> None:
    """Two at once, one of them for whoever comes; what one account may have waiting is bounded."""
    async with workshop(most=2) as made:
        bad = [asyncio.create_task(made.do(1, job("spin"), b"")) for _ in range(100)]
        await until(lambda: sum(task.done() for task in bad) == 100 - turns.MOST_OF_ONE)
        refused = [task.exception() for task in bad if task.done()]
        assert {type(one) for one in refused} == {TooMany}
        assert {getattr(one, "code", "") for one in refused} == {"files_busy"}
        # Nothing of the others is done meanwhile, and this one is.
        assert await made.do(2, job("echo"), b"a photo") == b"a photo"
        assert sum(task.done() for task in bad) == 100 - turns.MOST_OF_ONE
        for task in bad:
            task.cancel()
        await asyncio.gather(*bad, return_exceptions=True)
        await until(lambda: children_of(foreman(made)) == [])


async def test_the_children_end_with_the_server_however_it_ends() -> None:
    """The foreman hears that the other end of its socket is closed, which the system does for whoever is killed."""
    async with workshop() as made:
        work = asyncio.create_task(made.do(1, job("spin"), b""))
        await until(lambda: made._crew is not None and children_of(foreman(made)))
        pid = foreman(made)
        (child,) = children_of(pid)
        assert made._crew is not None
        made._crew._control.shutdown(socket.SHUT_RDWR)
        await until(lambda: not Path(f"/proc/{child}").exists())
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)
