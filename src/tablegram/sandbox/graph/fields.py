"""Members of a request, checked one at a time; each refusal names the member as the Graph API does."""

from __future__ import annotations

from typing import Any, overload

from tablegram.sandbox.graph.errors import missing, wrong
from tablegram.values import Json


def fields(value: Any, path: str) -> Json:
    if not isinstance(value, dict):
        raise wrong(path, "must be an object")
    return value


@overload
def text_of(value: Json, name: str, path: str, longest: int) -> str: ...
@overload
def text_of(value: Json, name: str, path: str, longest: int, required: bool) -> str | None: ...
def text_of(value: Json, name: str, path: str, longest: int, required: bool = True) -> str | None:
    """A text member, checked; nothing when it is optional and absent."""
    text = value.get(name)
    if text is None or text == "":
        if required:
            raise missing(f"{path}['{name}']")
        return None
    if not isinstance(text, str):
        raise wrong(f"{path}['{name}']", "must be text")
    if not text.strip():
        raise wrong(f"{path}['{name}']", "must not be blank")
    if len(text) > longest:
        raise wrong(f"{path}['{name}']", f"must be at most {longest} characters long")
    return text
