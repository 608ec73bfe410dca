"""The OpenAPI document, made from the routes and types that really answer.

The framework collects addresses, parameters and types. What it gets wrong or cannot know is put right here, once:
the types' own JSON Schema (msgspec says exactly what is enforced), the one shape of problems, header fields,
links between calls.
"""

from __future__ import annotations

from typing import Any

from litestar import Litestar

from tablegram.api.documents import parts, types
from tablegram.api.documents.examples import EXAMPLES
from tablegram.api.documents.links import LINKS
from tablegram.api.routing import BASE, RouteTable
from tablegram.settings import Settings


def build(framework: Litestar, routes: RouteTable, settings: Settings) -> dict[str, Any]:
    paths: dict[str, Any] = {}
    # What it knows of the types is not asked for: to write that out takes longer than all the rest.
    drawn = {path: item.to_schema() for path, item in (framework.openapi_schema.paths or {}).items()}
    for path, item in drawn.items():
        paths[path.removeprefix(BASE)] = {
            method: _operation(method.upper(), path.removeprefix(BASE), operation, routes)
            for method, operation in item.items()
        }
    return {
        "openapi": "3.1.0",
        "info": parts.INFO,
        "servers": [{"url": BASE, "description": "This installation"}],
        "security": [{"bearer": []}],
        "tags": parts.TAGS,
        "paths": paths,
        "components": {
            "schemas": types.schemas(),
            "responses": parts.responses(settings),
            "headers": parts.HEADERS,
            "parameters": parts.PARAMETERS,
            "securitySchemes": parts.SECURITY,
        },
    }


def _operation(method: str, path: str, drawn: dict[str, Any], routes: RouteTable) -> dict[str, Any]:
    route = routes.template(method, path)
    description = drawn.get("description", "")
    need = f"Needs the scope `{route.scope}`." if route.scope else "Needs a key, but no scope."
    if not route.test_keys:
        need += " Closed to test keys (`test_key`)."
    operation: dict[str, Any] = {
        "tags": drawn["tags"],
        "summary": drawn["summary"],
        "description": f"{description.strip()}\n\n{need}",
        "operationId": drawn["operationId"],
        "parameters": [_parameter(parameter) for parameter in drawn.get("parameters", [])],
    }
    operation["parameters"] += parts.header_parameters(method, drawn["operationId"])
    if drawn["operationId"] in parts.BODIES:
        operation["requestBody"] = parts.BODIES[drawn["operationId"]]
    elif "requestBody" in drawn:
        operation["requestBody"] = _body(drawn["operationId"], drawn["requestBody"])
    operation["responses"] = _responses(method, drawn, has_body="requestBody" in operation)
    return operation


def _parameter(drawn: dict[str, Any]) -> dict[str, Any]:
    """Addresses know no null, and whole numbers are written whole."""
    schema: dict[str, Any] = {}
    source = dict(drawn["schema"])
    for choice in source.pop("oneOf", []):
        if choice.get("type") != "null":
            source.update(choice)
    for name, value in source.items():
        if name == "type" and isinstance(value, list):
            value = next(kind for kind in value if kind != "null")
        elif name == "enum":
            value = [entry for entry in value if entry is not None]
        elif isinstance(value, float) and value.is_integer():
            value = int(value)
        if name != "description":
            schema[name] = value
    if schema["type"] == "integer":
        # The framework loses a bound of zero, and no address takes a negative number.
        schema.setdefault("minimum", 0)
    if drawn["name"] in parts.OPAQUE:
        schema = {"type": "string"}
    # A form of its own says more than what the name stands for elsewhere.
    if drawn["name"] in parts.FORMATS and "pattern" not in schema:
        schema["format"] = parts.FORMATS[drawn["name"]]
    if drawn["in"] == "path" and schema["type"] == "string":
        schema["minLength"] = 1
    return {
        "name": drawn["name"],
        "in": drawn["in"],
        "required": drawn["required"],
        "description": drawn["description"],
        "schema": schema,
    }


def _body(operation_id: str, drawn: dict[str, Any]) -> dict[str, Any]:
    media = drawn["content"]["application/json"]
    schema = media["schema"]
    if "oneOf" in schema:
        schema = {"oneOf": schema["oneOf"], "discriminator": {"propertyName": "kind", "mapping": parts.KINDS}}
    body: dict[str, Any] = {"schema": schema}
    if operation_id in EXAMPLES:
        body["examples"] = {"example": {"value": EXAMPLES[operation_id]}}
    return {"required": True, "content": {"application/json": body}}


def _responses(method: str, drawn: dict[str, Any], *, has_body: bool) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    for status, response in drawn["responses"].items():
        if not status.startswith("2"):
            continue
        success: dict[str, Any] = {"description": parts.SUCCESS[status], "headers": dict(parts.ON_EVERY_ANSWER)}
        if method == "POST":
            success["headers"]["Idempotent-Replayed"] = {"$ref": "#/components/headers/Idempotent-Replayed"}
        if drawn["operationId"] in parts.CONTENTS:
            success["content"] = parts.CONTENTS[drawn["operationId"]]
        elif "content" in response:
            success["content"] = response["content"]
        if drawn["operationId"] in LINKS:
            success["links"] = LINKS[drawn["operationId"]]
        responses[status] = success
    for status in parts.problem_statuses(method, drawn["operationId"], has_body=has_body):
        responses[str(status)] = {"$ref": f"#/components/responses/{parts.NAMES[status]}"}
    return responses
