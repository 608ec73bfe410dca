"""Many cases of one promise in one test: each is tried, and those that fail are told together, by name.

A test of its own for each of a thousand cases costs more than the cases: every worker collects every one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Cases:
    def __init__(self) -> None:
        self.tried = 0
        self.wrong: list[str] = []

    @contextmanager
    def case(self, name: str) -> Iterator[None]:
        """What fails inside is noted under this name, and the next case is tried."""
        self.tried += 1
        try:
            yield
        except Exception as error:
            self.wrong.append(f"{name}: {type(error).__name__}: {error}")


@contextmanager
def cases() -> Iterator[Cases]:
    """Fails with every wrong case, and when no case was tried at all."""
    found = Cases()
    yield found
    assert not found.wrong, f"{len(found.wrong)} of {found.tried} cases are wrong:\n" + "\n".join(found.wrong)
    assert found.tried, "there was no case to try"
