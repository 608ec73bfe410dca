"""`/print/agent.pyz`: the print agent as one file, which any machine with Python runs."""

from __future__ import annotations

import functools
import io
import zipfile
from pathlib import Path

import tablegram
from tablegram.web.asgi import Receive, Scope, Send, answer

NAME = "print-agent.pyz"
_START = b"#!/usr/bin/env python3\n"
_MAIN = (
    'import sys\n\nfrom tablegram.printagent.program import main\n\nsys.exit(main(sys.argv[1:], "print-agent.pyz"))\n'
)
# The same bytes whenever and wherever it is made.
_MOMENT = (2026, 1, 1, 0, 0, 0)


@functools.cache
def agent_program() -> bytes:
    """The agent's own modules and nothing else, as a file that Python runs."""
    root = Path(tablegram.__file__).parent
    out = io.BytesIO()
    out.write(_START)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as archive:

        def add(name: str, text: str) -> None:
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, text)

        add("__main__.py", _MAIN)
        add("tablegram/__init__.py", "")
        for path in sorted((root / "printagent").rglob("*.py")):
            add(f"tablegram/{path.relative_to(root).as_posix()}", path.read_text(encoding="utf-8"))
    return out.getvalue()


async def give_program(scope: Scope, receive: Receive, send: Send) -> None:
    if scope["method"] != "GET":
        await answer(send, 405, [(b"allow", b"GET")])
        return
    fields = [
        (b"content-type", b"application/octet-stream"),
        (b"content-disposition", f'attachment; filename="{NAME}"'.encode()),
        (b"x-content-type-options", b"nosniff"),
        (b"cache-control", b"no-cache"),
    ]
    await answer(send, 200, fields, agent_program())
