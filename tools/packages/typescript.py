"""The parts of the TypeScript client that the document says: types, and every call."""

from __future__ import annotations

import json
from typing import Any

from tools.packages.reading import SCHEMAS, Api, Call, Field, Type

HEAD = "// {words} Written from the OpenAPI document; do not edit.\n\n"
_PLAIN = {
    "string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null",
    "object": "Record<string, unknown>",
}  # fmt: skip


def types(api: Api) -> str:
    return HEAD.format(words="What the API takes and answers.") + "\n".join(_type(one) for one in api.types)


def calls(api: Api) -> str:
    head = HEAD.format(words="Every call of the API.") + (
        'import type * as types from "./types.js";\n'
        'import { type Answered, type Keyed, Transport, part } from "./transport.js";\n\n'
        "/** One method for each call; what they take and answer is described at `/api/v1/docs`. */\n"
        "export class Calls extends Transport {\n"
    )
    return head + "\n".join(_method(call) + (_walker(call) if call.entry else "") for call in api.calls) + "}\n"


def _type(one: Type) -> str:
    fields = "".join(
        f"{_comment(field.description)}  {_key(field.name)}{'' if field.required else '?'}: {hint_of(field.schema)};\n"
        for field in one.fields
    )
    return f"/** {_sentence(one.description or one.name)} */\nexport interface {one.name} {{\n{fields}}}\n"


def hint_of(schema: dict[str, Any], prefix: str = "") -> str:
    """The type of a schema, as one writes it in TypeScript."""
    if "$ref" in schema:
        return prefix + str(schema["$ref"]).removeprefix(SCHEMAS)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return " | ".join(dict.fromkeys(hint_of(one, prefix) for one in schema[several]))
    if "enum" in schema:
        return " | ".join(json.dumps(one, ensure_ascii=False) for one in schema["enum"])
    kind = schema.get("type")
    if kind == "array":
        return f"Array<{hint_of(schema.get('items', {}), prefix)}>"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"Record<string, {hint_of(schema['additionalProperties'], prefix)}>"
    return _PLAIN.get(str(kind), "unknown")


def _method(call: Call) -> str:
    answer = "Uint8Array" if call.answers_bytes else "void" if call.answer is None else hint_of(call.answer, "types.")
    arguments = [*_before(call), *_fields(call, (*call.body, *call.query))]
    if call.takes_key:
        arguments.append(f"options: {'Answered' if call.can_wait else 'Keyed'} = {{}}")
    return (
        f"  /** {_sentence(call.summary)} */\n"
        f"  {call.id}({', '.join(arguments)}): Promise<{answer}> {{\n    return this.request({_passed(call)});\n  }}\n"
    )


def _walker(call: Call) -> str:
    """The same list, entry by entry over all its pages."""
    assert call.entry is not None
    query = tuple(one for one in call.query if one.name not in ("limit", "cursor"))
    name = "iterate" + call.id.removeprefix("list")
    wishes = "{ ...fields }" if query else "{}"
    return (
        f"\n  /** {_sentence(call.summary)} Every one, page after page. */\n"
        f"  {name}({', '.join([*_before(call), *_fields(call, query)])}): AsyncGenerator<{hint_of(call.entry, 'types.')}> {{\n"
        f"    return this.pages({_path(call)}, {wishes});\n  }}\n"
    )


def _before(call: Call) -> list[str]:
    found = [f"{_camel(one.name)}: {hint_of(one.schema, 'types.')}" for one in call.path_fields]
    if call.takes_bytes:
        found.append("content: Uint8Array")
    elif call.whole_body is not None:
        found.append(f"body: {hint_of(call.whole_body, 'types.')}")
    return found


def _fields(call: Call, fields: tuple[Field, ...]) -> list[str]:
    """All that has a name goes into one object; it may be left out where nothing in it must be given."""
    if not fields:
        return []
    inner = "; ".join(
        f"{_key(one.name)}{'' if one.required else '?'}: {hint_of(one.schema, 'types.')}" for one in fields
    )
    return [f"fields: {{ {inner} }}" + ("" if any(one.required for one in fields) else " = {}")]


def _passed(call: Call) -> str:
    parts = [f'method: "{call.method.upper()}"', f"path: {_path(call)}"]
    if call.query:
        parts.append("query: { " + ", ".join(f"{_key(one.name)}: {_of(one.name)}" for one in call.query) + " }")
    if call.body:
        parts.append("body: { " + ", ".join(f"{_key(one.name)}: {_of(one.name)}" for one in call.body) + " }")
    elif call.takes_bytes:
        parts.append("content")
    elif call.whole_body is not None:
        parts.append("body")
    if call.takes_key:
        parts.append("options")
    if call.answers_bytes:
        parts.append("raw: true")
    return "{ " + ", ".join(parts) + " }"


def _path(call: Call) -> str:
    path = call.path
    for one in call.path_fields:
        path = path.replace(f"{{{one.name}}}", f"${{part({_camel(one.name)})}}")
    return f"`{path}`" if call.path_fields else f'"{path}"'


def _of(name: str) -> str:
    return f"fields.{name}" if name.isidentifier() else f"fields[{json.dumps(name)}]"


def _key(name: str) -> str:
    return name if name.isidentifier() else json.dumps(name)


def _camel(name: str) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _comment(words: str) -> str:
    return f"  /** {_sentence(words)} */\n" if words else ""


def _sentence(words: str) -> str:
    return words.replace("*/", "*\\/").replace("\n", " ").strip()
