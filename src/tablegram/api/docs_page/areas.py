"""The calls by area, in the terms of the docs' pages: made from the OpenAPI document, so that both say the same."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from tablegram.api.docs_page import examples, samples

# As deep as the fields of a body are told; deeper ones are in the document.
_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a body or an answer, or one parameter."""

    name: str
    type: str
    required: bool
    words: str
    depth: int = 0
    place: str = "body"
    value: str = ""


@dataclass(frozen=True, slots=True)
class Operation:
    id: str
    method: str
    path: str
    summary: str
    words: str
    parameters: list[Field]
    body: list[Field]
    # What the body of the first try is, as text; empty where the call takes none.
    example: str
    takes_file: bool
    streams: bool
    answer_status: str
    answer: list[Field]
    answer_example: str
    problems: list[str]
    samples: list[samples.Sample]

    @property
    def found_by(self) -> str:
        return f"{self.method} {self.path} {self.summary} {self.id}".lower()


@dataclass(frozen=True, slots=True)
class Area:
    slug: str
    name: str
    words: str
    calls: list[Operation]


def slug_of(name: str) -> str:
    return re.sub(r"[^a-z]+", "-", name.lower())


def names(document: dict[str, Any]) -> dict[str, str]:
    """Areas by the last part of their address."""
    return {slug_of(tag["name"]): tag["name"] for tag in document["tags"]}


def overview(document: dict[str, Any]) -> list[dict[str, Any]]:
    """Every area with its calls in a line each: for the first page and its filter."""
    rows: list[dict[str, Any]] = []
    for tag in document["tags"]:
        calls = [
            {"id": drawn["operationId"], "method": method.upper(), "path": path, "summary": drawn["summary"]}
            for path, method, drawn in _operations(document, tag["name"])
        ]
        rows.append({"slug": slug_of(tag["name"]), "name": tag["name"], "words": tag["description"], "calls": calls})
    return rows


def area(document: dict[str, Any], slug: str, base: str) -> Area:
    tag = next(tag for tag in document["tags"] if slug_of(tag["name"]) == slug)
    drawn = _operations(document, tag["name"])
    return Area(slug, tag["name"], tag["description"], [_call(document, base, *one) for one in drawn])


def _operations(document: dict[str, Any], tag: str) -> list[tuple[str, str, dict[str, Any]]]:
    return [
        (path, method, drawn)
        for path, item in document["paths"].items()
        for method, drawn in item.items()
        if tag in drawn["tags"]
    ]


def _call(document: dict[str, Any], base: str, path: str, method: str, drawn: dict[str, Any]) -> Operation:
    parameters = [_parameter(examples.resolve(document, one)) for one in drawn["parameters"]]
    kind, body = _first(drawn.get("requestBody", {}).get("content", {}))
    takes_file = bool(body) and kind != "application/json"
    example = examples.of_media(document, body) if body and not takes_file else None
    responses: dict[str, dict[str, Any]] = drawn["responses"]
    status = next((one for one in responses if one.startswith("2")), "")
    answer_kind, answer = _first(responses[status].get("content", {}) if status else {})
    asked = samples.Asked(
        method=method.upper(),
        url=base + path,
        values={field.name: field.value for field in parameters if field.place == "path"},
        query={field.name: field.value for field in parameters if field.place == "query" and field.required},
        body=example,
        takes_file=takes_file,
        answers=answer_kind,
    )
    return Operation(
        id=drawn["operationId"],
        method=method.upper(),
        path=path,
        summary=drawn["summary"],
        words=drawn["description"],
        parameters=parameters,
        body=[] if takes_file or not body else _fields(document, body["schema"]),
        example="" if example is None else samples.pretty(example),
        takes_file=takes_file,
        streams=answer_kind == "text/event-stream",
        answer_status=status,
        answer=_fields(document, answer["schema"]) if answer_kind == "application/json" else [],
        answer_example=samples.pretty(examples.of_media(document, answer)) if answer_kind == "application/json" else "",
        problems=[status for status in responses if not status.startswith("2")],
        samples=samples.every(asked),
    )


def _first(content: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Of several forms, JSON where it is offered."""
    if "application/json" in content:
        return "application/json", content["application/json"]
    return next(iter(content.items()), ("", {}))


def _parameter(drawn: dict[str, Any]) -> Field:
    schema = drawn["schema"]
    value = examples.of_parameter(drawn) if drawn["required"] or drawn["in"] == "path" else ""
    return Field(
        drawn["name"], _type({}, schema), drawn["required"], drawn["description"], place=drawn["in"], value=value
    )


def _fields(document: dict[str, Any], schema: dict[str, Any], depth: int = 0) -> list[Field]:
    whole = examples.resolve(document, schema)
    if "oneOf" in whole or "anyOf" in whole:
        choices = [examples.resolve(document, one) for one in whole.get("oneOf") or whole["anyOf"]]
        objects = [one for one in choices if "properties" in one]
        whole = objects[0] if objects else {}
    found: list[Field] = []
    required = whole.get("required", [])
    for name, drawn in whole.get("properties", {}).items():
        inner = examples.plain(document, drawn)
        words = drawn.get("description") or inner.get("description", "")
        found.append(Field(name, _type(document, drawn), name in required, words, depth))
        within = inner.get("items") or drawn
        kinds = _kinds(document, within)
        if kinds:
            found += _of_each_kind(document, kinds, depth + 1)
        elif depth + 1 < _DEPTH and "properties" in (nested := examples.plain(document, within)):
            found += _fields(document, nested, depth + 1)
    return found


def _of_each_kind(document: dict[str, Any], kinds: dict[str, dict[str, Any]], depth: int) -> list[Field]:
    """Each by what tells it apart, and below that what it has besides."""
    found: list[Field] = []
    for told, kind in kinds.items() if depth < _DEPTH else ():
        found.append(Field(told, "object", False, kind.get("description", ""), depth))
        if depth + 1 < _DEPTH:
            found += [one for one in _fields(document, kind, depth + 1) if one.name != told.partition(":")[0]]
    return found


def _kinds(document: dict[str, Any], schema: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Objects of several kinds, by the field that says which one it is: `do: wait`. Nothing where there is only one."""
    whole = examples.resolve(document, schema)
    choices = [examples.resolve(document, one) for one in whole.get("oneOf") or whole.get("anyOf") or ()]
    kinds = [one for one in choices if "properties" in one]
    names = [
        name for name in (kinds[0]["properties"] if len(kinds) > 1 else ()) if all(_only(one, name) for one in kinds)
    ]
    return {f"{names[0]}: {_only(one, names[0])}": one for one in kinds} if names else {}


def _only(kind: dict[str, Any], name: str) -> str:
    """The one value that a field can have; empty where there are more."""
    values = kind["properties"].get(name, {}).get("enum", ())
    return str(values[0]) if len(values) == 1 else ""


def _type(document: dict[str, Any], schema: dict[str, Any]) -> str:
    inner = examples.plain(document, schema)
    if "enum" in inner:
        return " | ".join("null" if one is None else str(one) for one in inner["enum"])
    if "const" in inner:
        return str(inner["const"])
    kind = inner.get("type", "object" if "properties" in inner else "any")
    if isinstance(kind, list):
        kind = next((one for one in kind if one != "null"), "null")
    if kind == "array" and inner.get("items"):
        return f"list of {_type(document, inner['items'])}"
    told = inner.get("format", "")
    return f"{kind} ({told})" if told in ("date-time", "date", "email", "uri") else str(kind)
