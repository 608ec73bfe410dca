"""The parts of the Python client that the document says: types, and the calls for both of its kinds."""

from __future__ import annotations

import keyword
from collections.abc import Iterable
from typing import Any

from tools.packages.reading import SCHEMAS, Api, Call, Field, Type

HEAD = '"""{words} Written from the OpenAPI document; do not edit."""\n\nfrom __future__ import annotations\n\n'
_PLAIN = {
    "string": "str",
    "integer": "int",
    "number": "float",
    "boolean": "bool",
    "null": "None",
    "object": "dict[str, Any]",
}


def types(api: Api) -> str:
    body = [HEAD.format(words="What the API takes and answers."), _IMPORTS_OF_TYPES]
    return "".join(body) + "\n\n".join(_type(one) for one in api.types) + "\n"


_IMPORTS_OF_TYPES = """import sys
from typing import Any, Literal

if sys.version_info >= (3, 11):
    from typing import NotRequired, TypedDict
else:
    from typing_extensions import NotRequired, TypedDict


"""


def calls(api: Api, *, is_async: bool) -> str:
    kind = "Async" if is_async else ""
    imports = "from collections.abc import AsyncIterator\n" if is_async else "from collections.abc import Iterator\n"
    lines = [
        HEAD.format(words="Every call of the API."),
        imports,
        "from typing import Any, Literal\n\n",
        "from tablegram_client import types\n",
        f"from tablegram_client.transport import UNSET, {kind}Transport, Unset, without_unset\n\n\n",
        f"class {kind}Calls({kind}Transport):\n",
        '    """One method for each call; what they take and answer is described at `/api/v1/docs`."""\n\n',
    ]
    return "".join(lines) + "\n".join(part for call in api.calls for part in _methods(call, is_async)).rstrip() + "\n"


def _type(one: Type) -> str:
    if any(_name(field.name) != field.name for field in one.fields):
        inner = ", ".join(f'"{field.name}": {_hint_of_field(field)}' for field in one.fields)
        return f'{one.name} = TypedDict("{one.name}", {{{inner}}})\n'
    lines = [f"class {one.name}(TypedDict):", f'    """{_sentence(one.description or one.name)}"""', ""]
    for field in one.fields:
        lines.append(f"    {field.name}: {_hint_of_field(field)}")
        if field.description:
            lines.append(f'    """{_sentence(field.description)}"""')
    return "\n".join(lines).rstrip() + "\n"


def _hint_of_field(field: Field) -> str:
    hint = hint_of(field.schema)
    return f'"{hint}"' if field.required else f'NotRequired["{hint}"]'


def hint_of(schema: dict[str, Any], prefix: str = "") -> str:
    """The type of a schema, as one writes it in Python."""
    if "$ref" in schema:
        return prefix + str(schema["$ref"]).removeprefix(SCHEMAS)
    for several in ("anyOf", "oneOf"):
        if several in schema:
            return _union(hint_of(one, prefix) for one in schema[several])
    if "enum" in schema:
        return f"Literal[{', '.join(repr(one) for one in schema['enum'])}]"
    kind = schema.get("type")
    if kind == "array":
        return f"list[{hint_of(schema.get('items', {}), prefix)}]"
    if kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        return f"dict[str, {hint_of(schema['additionalProperties'], prefix)}]"
    return _PLAIN.get(str(kind), "Any")


def _union(hints: Iterable[str]) -> str:
    found = list(dict.fromkeys(hints))
    return " | ".join(found)


def _methods(call: Call, is_async: bool) -> list[str]:
    made = [_method(call, is_async)]
    if call.entry is not None:
        made.append(_walker(call, is_async))
    return made


def _method(call: Call, is_async: bool) -> str:
    arguments = [*_positional(call), "*", *_named(call, call.query), *_options(call)]
    answer = "bytes" if call.answers_bytes else "None" if call.answer is None else hint_of(call.answer, "types.")
    waits, begins = ("await ", "async def") if is_async else ("", "def")
    asked = f"{waits}self.request({_passed(call)})"
    body = asked if answer == "None" else f"answer: {answer} = {asked}\n        return answer"
    return _join(begins, call.snake, arguments, answer, call.summary, body)


def _walker(call: Call, is_async: bool) -> str:
    """The same list, entry by entry over all its pages."""
    assert call.entry is not None
    query = tuple(one for one in call.query if one.name not in ("limit", "cursor"))
    entry = hint_of(call.entry, "types.")
    answer = f"{'AsyncIterator' if is_async else 'Iterator'}[{entry}]"
    arguments = [*_positional(call), "*", *_named(call, query)]
    name = "iter_" + "_".join(call.words[1:])
    path = _path(call)
    wishes = _dictionary(query)
    return _join(
        "def",
        name,
        arguments,
        answer,
        f"{call.summary} Every one, page after page.",
        f"return self.pages({path}, {wishes})",
    )


def _positional(call: Call) -> list[str]:
    found = [f"{_name(one.name)}: {hint_of(one.schema, 'types.')}" for one in call.path_fields]
    if call.takes_bytes:
        found.append("content: bytes")
    if call.whole_body is not None and not call.takes_bytes:
        found.append(f"body: {hint_of(call.whole_body, 'types.')}")
    return found


def _named(call: Call, query: tuple[Field, ...]) -> list[str]:
    ordered = sorted([*call.body, *query], key=lambda one: not one.required)
    return [
        f"{_argument(call, one)}: {hint_of(one.schema, 'types.')}"
        if one.required
        else f"{_argument(call, one)}: {_union([hint_of(one.schema, 'types.'), 'Unset'])} = UNSET"
        for one in ordered
    ]


def _argument(call: Call, field: Field) -> str:
    """A field of the body that is called like a part of the path goes by another name."""
    taken = {one.name for one in call.path_fields} | ({"content"} if call.takes_bytes else set())
    return _name(f"new_{field.name}" if field.name in taken else field.name)


def _options(call: Call) -> list[str]:
    found = ["idempotency_key: str | None = None"] if call.takes_key else []
    return [*found, "wait: bool = True"] if call.can_wait else found


def _passed(call: Call) -> str:
    parts = [f'"{call.method.upper()}"', _path(call)]
    if call.query:
        parts.append(f"query={_dictionary(call.query)}")
    if call.body:
        parts.append(f"body=without_unset({_dictionary(call.body, call)})")
    elif call.takes_bytes:
        parts.append("content=content")
    elif call.whole_body is not None:
        parts.append("body=body")
    if call.takes_key:
        parts.append("idempotency_key=idempotency_key")
    if call.can_wait:
        parts.append("wait=wait")
    if call.answers_bytes:
        parts.append("raw=True")
    return ", ".join(parts)


def _dictionary(fields: tuple[Field, ...], call: Call | None = None) -> str:
    names = {one.name: _name(one.name) if call is None else _argument(call, one) for one in fields}
    return "{" + ", ".join(f'"{field}": {argument}' for field, argument in names.items()) + "}"


def _path(call: Call) -> str:
    path = call.path
    if not call.path_fields:
        return f'"{path}"'
    for one in call.path_fields:
        path = path.replace(f"{{{one.name}}}", f"{{self.quote({_name(one.name)})}}")
    return f'f"{path}"'


def _join(begins: str, name: str, arguments: list[str], answer: str, summary: str, body: str) -> str:
    if arguments[-1] == "*":
        arguments = arguments[:-1]
    head = ", ".join(["self", *arguments])
    return f'    {begins} {_name(name)}({head}) -> {answer}:\n        """{_sentence(summary)}"""\n        {body}\n'


def _name(name: str) -> str:
    return f"{name}_" if keyword.iskeyword(name) else name


def _sentence(words: str) -> str:
    return words.replace("\\", "\\\\").replace('"""', "'''").replace("\n", " ").strip()
