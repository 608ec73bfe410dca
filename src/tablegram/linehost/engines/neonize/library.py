"""The library itself. What it loads for pictures, previews and downloads is left out: nothing of that is used here."""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import importlib.util
import logging
import os
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# A third of the memory that the library takes, and a system's library (libmagic) that is not everywhere.
_UNUSED = ("PIL", "linkpreview", "httpx", "requests", "tqdm", "magic", "phonenumbers", "segno")


class _Anything(type):
    def __getattr__(cls, name: str) -> Any:
        return _Nothing


class _Nothing(metaclass=_Anything):
    """Stands where something was left out. Whoever uses it fails, loudly."""


@contextlib.contextmanager
def _left_out() -> Iterator[None]:
    made = []
    for name in _UNUSED:
        if name not in sys.modules:
            module = types.ModuleType(name)
            module.__path__ = []
            module.__getattr__ = lambda name: _Nothing  # type: ignore[method-assign]
            sys.modules[name] = module
            made.append(name)
    try:
        yield
    finally:
        for name in made:
            del sys.modules[name]


def load() -> types.ModuleType:
    """`neonize.client`. Raises `ImportError` when the extra is not installed, or not for this machine."""
    found = importlib.util.find_spec("neonize")
    if found is None or not found.submodule_search_locations:
        raise ImportError("neonize is not installed")
    # Without its native part it would fetch one from the network while it is loaded.
    if not any(Path(place).glob("neonize-*.so") for place in found.submodule_search_locations):
        raise ImportError("neonize has no native part for this machine")
    # It would mark messages as a bot's.
    os.environ.setdefault("NEONIZE_BOT_TAG", "off")
    with _left_out():
        try:
            client = importlib.import_module("neonize.client")
        except OSError as error:
            raise ImportError(f"neonize cannot be loaded: {error}") from None
    for name in ("Stop", "StopAll"):
        _answers_nothing(getattr(client.gocode, name))
    logging.getLogger().setLevel(logging.CRITICAL)
    return client


def _answers_nothing(function: Any) -> None:
    """The library takes what such a function left in a register for a text, and frees it, which ends the process."""
    function.errcheck = lambda result, called, arguments: None
    function.restype = None


def client_class(library: Any, login: Callable[[str], None]) -> Any:
    """The library's client; `login` is told what comes of a code, where the original prints an address."""

    class Client(library.NewClient):  # type: ignore[misc]
        def _NewClient__onLoginStatus(self, _: int, status: int) -> None:
            login(ctypes.string_at(status).decode("utf-8", "replace"))

    return Client
