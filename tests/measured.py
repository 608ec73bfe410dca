"""What this process has measured so far. Others in it measure too: compare before and after."""

from __future__ import annotations

from tablegram.values.watching.measures import registry


def measured(name: str, **labels: str) -> tuple[float, float]:
    """How many there were, and their seconds together."""
    count, total = (registry().get_sample_value(f"tablegram_{name}_{kind}", labels) for kind in ("count", "sum"))
    assert count is not None, f"nobody measures {name} with {labels}"
    assert total is not None
    return count, total


def since(before: tuple[float, float], name: str, **labels: str) -> tuple[float, float]:
    """How many more there are than before, and their seconds."""
    count, total = measured(name, **labels)
    return count - before[0], total - before[1]
