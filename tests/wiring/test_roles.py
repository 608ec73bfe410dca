"""Which role runs which task: together they run everything, and what is nobody's own runs everywhere."""

from __future__ import annotations

from pathlib import Path

from tablegram.engine.drains import Drain, KeyedDrain
from tablegram.settings import Settings
from tablegram.wiring import Product
from tablegram.wiring.roles import Role

EVERYWHERE = {"heartbeat", "bus", "inbox", "recovery", "print queues", "printers' keys", "printers heard"}
DIVIDED = [Role.API, Role.WORKER, Role.LINES]


async def test_every_task_runs_somewhere_and_the_rest_passes_on_who_rings(database_url: str, tmp_path: Path) -> None:
    product = Product(Settings(database_url=database_url, data_dir=tmp_path, secret_key="k" * 32))
    await product.open()
    try:
        tasks = product.whole.tasks
        assert {name for name, task in tasks.items() if task.role is None} == EVERYWHERE
        for name, task in tasks.items():
            runs = [role for role in DIVIDED if task.step(role) == task.run]
            assert runs == (DIVIDED if task.role is None else [task.role]), name
            assert task.step(Role.ALL) == task.run
            # A drain that nobody passed rings on to would wait for its next look.
            its = getattr(task.run, "__self__", None)
            if task.role is not None and isinstance(its, Drain | KeyedDrain):
                assert task.elsewhere is not None, name
    finally:
        await product.stop()
