"""Settings out of the environment."""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from tablegram.errors import Misconfigured
from tablegram.settings.checking import check
from tablegram.settings.model import PREFIX, Settings


def load(environ: Mapping[str, str] | None = None) -> Settings:
    """Read the settings, or refuse to start and say which variable is wrong and why."""
    environ = os.environ if environ is None else environ
    known = {PREFIX + item.name.upper(): item for item in fields(Settings)}
    values: dict[str, Any] = {}
    for name, text in environ.items():
        # TABLEGRAM_KEY is where our own samples keep an API key; it is the caller's, not a setting.
        if not name.startswith(PREFIX) or name == PREFIX + "KEY":
            continue
        if name not in known:
            raise Misconfigured(f"{name} is not a setting. The known ones are in docs/reference/settings.md.")
        if text.strip() == "":
            continue
        item = known[name]
        values[item.name] = _parse(name, item.type, text.strip())
    settings = Settings(**values)
    check(settings)
    return settings


def _parse(name: str, kind: Any, text: str) -> Any:
    try:
        match kind:
            case "int":
                return int(text)
            case "float":
                return float(text)
            case "bool":
                return _boolean(text)
            case "Path":
                return Path(text).expanduser()
            case "tuple[Network, ...]":
                return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())
            case "tuple[str, ...]":
                return tuple(part.strip().lower() for part in text.split(",") if part.strip())
            case _:
                return text
    except ValueError as error:
        wanted = {"int": "it must be a whole number", "float": "it must be a number"}.get(kind, str(error))
        raise Misconfigured(f"{name}={text!r} cannot be read: {wanted}") from None


def _boolean(text: str) -> bool:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    if text.lower() not in words:
        raise ValueError("write 1 or 0")
    return words[text.lower()]
