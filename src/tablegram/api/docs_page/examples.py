"""Values that show what a schema means: the document's own examples first, else the simplest that fits."""

from __future__ import annotations

from typing import Any

_DEPTH = 6
_BY_FORMAT: dict[str, str] = {
    "date-time": "2026-11-16T18:30:00Z",
    "date": "2026-11-16",
    "email": "ada@example.com",
    "uri": "https://example.com/",
    "phone": "905551112233",
}
_BY_NAME: dict[str, Any] = {
    "phone": "905551112233",
    "message": "Your table is ready.",
    "text": "Your table is ready.",
    "language": "en",
    "currency": "TRY",
    "next_cursor": None,
}


def resolve(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """What a reference names; anything else as it is."""
    seen = 0
    while "$ref" in schema and seen < _DEPTH:
        found: Any = document
        for part in schema["$ref"].removeprefix("#/").split("/"):
            found = found[part]
        schema, seen = found, seen + 1
    return schema


def plain(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, Any]:
    """The one form beside null that a schema allows; the first of several."""
    whole = resolve(document, schema)
    choices = whole.get("oneOf") or whole.get("anyOf")
    if not choices:
        return whole
    real = [one for one in choices if one.get("type") != "null"]
    return {**plain(document, real[0]), **{key: value for key, value in whole.items() if key == "description"}}


def of_media(document: dict[str, Any], media: dict[str, Any]) -> Any:
    named = next(iter(media.get("examples", {}).values()), None)
    return named["value"] if named else of_schema(document, media["schema"])


def of_parameter(drawn: dict[str, Any]) -> str:
    """What stands in an address; an id is one of the reader's own, and is written so that they see it."""
    schema = drawn["schema"]
    if "enum" in schema:
        return str(schema["enum"][0])
    if schema.get("format") in _BY_FORMAT:
        return _BY_FORMAT[schema["format"]]
    return str(schema.get("minimum") or 1) if schema.get("type") == "integer" else drawn["name"].upper()


def of_schema(document: dict[str, Any], schema: dict[str, Any], name: str = "", depth: int = 0) -> Any:
    inner = plain(document, schema)
    for given in ("example", "const", "default"):
        if inner.get(given) is not None:
            return inner[given]
    if inner.get("examples"):
        return inner["examples"][0]
    if "enum" in inner:
        return inner["enum"][0]
    if name in _BY_NAME:
        return _BY_NAME[name]
    kind = inner.get("type", "object")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    match kind:
        case "object":
            return _object(document, inner, depth)
        case "array":
            return (
                []
                if depth >= _DEPTH or not inner.get("items")
                else [of_schema(document, inner["items"], name, depth + 1)]
            )
        case "string" if name.endswith("_id"):
            # One of the reader's own, written so that they see it.
            return name.upper()
        case "string":
            return _BY_FORMAT.get(inner.get("format", ""), "…"[: inner.get("maxLength", 1)])
        case "integer" | "number":
            return inner.get("minimum", 1)
        case "boolean":
            return True
    return None


def _object(document: dict[str, Any], inner: dict[str, Any], depth: int) -> dict[str, Any]:
    if depth >= _DEPTH:
        return {}
    required = inner.get("required", [])
    properties = inner.get("properties", {})
    # Of a body what must be there; where nothing must, as of a change, the first thing that may.
    shown = [name for name in properties if name in required] or list(properties)[:1]
    return {name: of_schema(document, properties[name], name, depth + 1) for name in shown}
