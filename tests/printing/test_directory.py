"""Keys of printers: looked up once, and forgotten as soon as something about the printer has changed, wherever that was."""

from __future__ import annotations

from typing import Any

from tablegram.engine.idempotency import Call
from tablegram.printing.printers.directory import Directory
from tests.printing.kitchen import kitchen


async def test_a_change_by_another_process_is_known_after_one_look(database_url: str) -> None:
    async with kitchen(database_url) as one:
        printer = await one.printer("Kitchen", "kitchen")
        box = one.house.product.box
        key = box.open(printer.key_sealed)
        # What another process remembers.
        other = Directory(one.db, box, one.clock)
        one.clock.advance(120)
        await other.look()
        asked: list[Any] = []
        first = one.db.first

        def counted(*given: Any) -> Any:
            asked.append(given)
            return first(*given)

        one.db.first = counted  # type: ignore[method-assign,assignment]
        for _ in range(3):
            found = await other.find(key)
            assert found is not None
            assert found.name == "Kitchen"
        assert len(asked) == 1
        await one.services.printers.change(one.owner, printer.id, {"name": "Pass"})
        await other.look()
        found = await other.find(key)
        assert found is not None
        assert found.name == "Pass"
        await one.services.printers.rotate(one.owner, printer.id, Call("POST key"))
        await other.look()
        assert await other.find(key) is None
        fresh = box.open((await one.known(printer.id)).key_sealed)
        assert await other.find(fresh) is not None
        await one.services.printers.remove(one.owner, printer.id)
        await other.look()
        assert await other.find(fresh) is None
        for hostile in ("", "x", "a" * 31, "ü" * 32, "' or 1=1 --" + "a" * 21):
            assert await other.find(hostile) is None
