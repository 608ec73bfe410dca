"""The OpenAPI document as a writer of clients needs it: calls with their fields, and named types."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

SCHEMAS = "#/components/schemas/"
METHODS = ("get", "post", "put", "patch", "delete")


@dataclass(frozen=True, slots=True)
class Field:
    """A value that a call takes, or a part of a type."""

    name: str
    schema: dict[str, Any]
    required: bool
    description: str = ""


@dataclass(frozen=True, slots=True)
class Call:
    id: str
    area: str
    method: str
    path: str
    summary: str
    path_fields: tuple[Field, ...]
    query: tuple[Field, ...]
    # The fields of a JSON body, one by one; or the body as a whole where it is one of several types.
    body: tuple[Field, ...]
    whole_body: dict[str, Any] | None
    takes_bytes: bool
    takes_key: bool
    can_wait: bool
    # What it answers: a type of the document, `bytes` of a file, or nothing.
    answer: dict[str, Any] | None
    answers_bytes: bool
    # Of a list: the type of one entry.
    entry: dict[str, Any] | None

    @property
    def words(self) -> tuple[str, ...]:
        """`listMessages`: list, messages."""
        return tuple(word.lower() for word in re.findall(r"[A-Z]?[a-z0-9]+|[A-Z]+(?![a-z])", self.id))

    @property
    def snake(self) -> str:
        return "_".join(self.words)


@dataclass(frozen=True, slots=True)
class Type:
    name: str
    description: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Api:
    version: str
    calls: tuple[Call, ...]
    types: tuple[Type, ...]


def read(document: dict[str, Any]) -> Api:
    schemas: dict[str, dict[str, Any]] = document["components"]["schemas"]
    calls = [
        _call(schemas, path, method, operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
        # A stream that stays open is no call that is answered.
        if method in METHODS and "text/event-stream" not in _answer_types(operation)
    ]
    types = [Type(name, one.get("description", ""), _fields(one)) for name, one in sorted(schemas.items())]
    return Api(document["info"]["version"], tuple(calls), tuple(types))


def _call(schemas: dict[str, dict[str, Any]], path: str, method: str, operation: dict[str, Any]) -> Call:
    parameters = operation.get("parameters", [])
    shared = {one["$ref"].rpartition("/")[2] for one in parameters if "$ref" in one}
    given = {
        where: tuple(
            Field(one["name"], one["schema"], bool(one.get("required")), one.get("description", ""))
            for one in parameters
            if one.get("in") == where
        )
        for where in ("path", "query")
    }
    content = operation.get("requestBody", {}).get("content", {})
    body = content.get("application/json", {}).get("schema")
    named = schemas[body["$ref"].removeprefix(SCHEMAS)] if body is not None and "$ref" in body else None
    answers = _answer_types(operation)
    answer = answers.get("application/json") if list(answers) == ["application/json"] else None
    return Call(
        id=operation["operationId"],
        area=operation["tags"][0],
        method=method,
        path=path,
        summary=operation.get("summary", "").rstrip(".") + ".",
        path_fields=given["path"],
        query=given["query"],
        body=() if named is None else _fields(named),
        whole_body=body if named is None else None,
        takes_bytes="application/octet-stream" in content,
        takes_key="IdempotencyKey" in shared,
        can_wait="Prefer" in shared,
        answer=answer,
        answers_bytes=bool(answers) and answer is None,
        entry=_entry(schemas, answer, given["query"]),
    )


def _answer_types(operation: dict[str, Any]) -> dict[str, Any]:
    code = min(code for code in operation["responses"] if code.startswith("2"))
    return {kind: one.get("schema", {}) for kind, one in operation["responses"][code].get("content", {}).items()}


def _entry(schemas: dict[str, dict[str, Any]], answer: dict[str, Any] | None, query: tuple[Field, ...]) -> Any:
    if answer is None or "$ref" not in answer or "cursor" not in {one.name for one in query}:
        return None
    return schemas[answer["$ref"].removeprefix(SCHEMAS)]["properties"]["data"]["items"]


def _fields(schema: dict[str, Any]) -> tuple[Field, ...]:
    required = set(schema.get("required", ()))
    return tuple(
        Field(name, one, name in required, one.get("description", ""))
        for name, one in schema.get("properties", {}).items()
    )
