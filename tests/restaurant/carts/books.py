"""Books kept beside the store, to compare with."""

from __future__ import annotations

import asyncio
from typing import Any

from tablegram.errors import Problem
from tablegram.storage.database import Database
from tests.restaurant.kept import store


class Books:
    """The store, for a machine that knows no `await`."""

    def __init__(self, url: str) -> None:
        self._runner = asyncio.Runner()
        self._opened = store(url)
        self.db: Database = self._runner.run(self._opened.__aenter__())

    def do(self, work: Any) -> Any:
        """What came of it, or the problem that refused it. Nothing else may come."""

        async def one() -> Any:
            try:
                return await self.db.write(work)
            except Problem as problem:
                return problem

        return self._runner.run(one())

    def close(self) -> None:
        self._runner.run(self._opened.__aexit__(None, None, None))
        self._runner.close()
