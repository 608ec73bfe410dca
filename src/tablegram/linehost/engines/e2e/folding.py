"""A protobuf message as plain values and back, under names without capitals and underscores."""

from __future__ import annotations

from typing import Any

from tablegram.linehost.engines.port import Facts


def fold(message: Any) -> Facts:
    """What is set in a protobuf message."""
    return {folded(field.name): _plain(value) for field, value in message.ListFields()}


def unfold(facts: Facts, message: Any) -> Any:
    """The message, with these values in it. A name that it does not have is a mistake of ours."""
    fields = {folded(field.name): field.name for field in message.DESCRIPTOR.fields}
    for name, value in facts.items():
        if isinstance(value, dict):
            inner = getattr(message, fields[name])
            inner.SetInParent()
            unfold(value, inner)
        elif isinstance(value, list):
            into = getattr(message, fields[name])
            for one in value:
                if isinstance(one, dict):
                    unfold(one, into.add())
                else:
                    into.append(one)
        else:
            setattr(message, fields[name], value)
    return message


def folded(name: str) -> str:
    return name.replace("_", "").lower()


def _plain(value: Any) -> Any:
    if hasattr(value, "ListFields"):
        return fold(value)
    if isinstance(value, str | bytes | int | float):
        return value
    return [_plain(one) for one in value]
