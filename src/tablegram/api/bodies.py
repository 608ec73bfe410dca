"""From the bytes of a request to a checked value, or to the list of everything that is wrong with it.

The types in `tablegram.api.schemas` say what is allowed. msgspec would stop at the first mistake and speak of
types; a person who fills a form wants all of them at once, each with the way to put it right, so the shape is
walked here. The walk also tidies: line ends become one kind, white space around a text goes.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from msgspec import inspect

from tablegram.api.rules import RULES, Wrong, check_length, check_number, check_pattern
from tablegram.errors import FieldError, Invalid

_KINDS: dict[type, str] = {
    inspect.StrType: "a string",
    inspect.IntType: "an integer",
    inspect.FloatType: "a number",
    inspect.BoolType: "true or false",
    inspect.NoneType: "null",
    inspect.ListType: "an array",
    inspect.DictType: "an object",
    inspect.StructType: "an object",
}


def parse_body(body: bytes, shape: Any) -> Any:
    """The body as the given type, or `Invalid` naming every wrong field."""
    value = _decode(body)
    errors: list[FieldError] = []
    cleaned = _walk(value, _type_info(shape), "", None, errors)
    if errors:
        raise Invalid.fields(errors)
    parsed = msgspec.convert(cleaned, shape)
    errors = _cross_check(parsed, "")
    if errors:
        raise Invalid.fields(errors)
    return parsed


def _decode(body: bytes) -> Any:
    if not body.strip():
        raise Invalid.field("body", "missing", "The request has no body. Send a JSON object.")
    try:
        return msgspec.json.decode(body)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Invalid.field("body", "json_malformed", f"The body is not JSON: {_reason(error)}.") from None
    except RecursionError:
        raise Invalid.field("body", "json_malformed", "The body is nested too deeply.") from None


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return str(error).removeprefix("JSON is malformed: ").rstrip(".")


_type_info = cache(inspect.type_info)


def _walk(value: Any, info: Any, path: str, rule: str | None, errors: list[FieldError]) -> Any:
    """The value, tidied. What is wrong with it goes into `errors`."""
    while isinstance(info, inspect.Metadata):
        extra = info.extra or {}
        rule = extra.get("rule", rule)
        if "default_tag" in extra and isinstance(value, dict):
            value = _with_tag(value, info.type, extra["default_tag"])
        info = info.type
    if isinstance(info, inspect.UnionType):
        return _walk_union(value, info, path, rule, errors)
    if isinstance(info, inspect.LiteralType):
        if value not in info.values or isinstance(value, bool):
            choices = ", ".join(str(choice) for choice in info.values)
            _note(errors, path, "not_allowed", f"Use one of: {choices}.")
        return value
    if not _fits(value, info):
        _note(
            errors, path, "wrong_type", f"This must be {_KINDS.get(type(info), 'something else')}, not {_name(value)}."
        )
        return value
    try:
        return _walk_fitting(value, info, path, rule, errors)
    except Wrong as wrong:
        _note(errors, path, wrong.code, wrong.detail)
        return value


def _walk_fitting(value: Any, info: Any, path: str, rule: str | None, errors: list[FieldError]) -> Any:
    match info:
        case inspect.StrType():
            cleaned = RULES[rule](value, info) if rule else value
            check_length(cleaned, info, "characters")
            check_pattern(cleaned, info)
            return cleaned
        case inspect.IntType():
            check_number(value, info)
            return int(value)
        case inspect.FloatType():
            check_number(value, info)
            return float(value)
        case inspect.ListType():
            check_length(value, info, "entries")
            return [_walk(item, info.item_type, f"{path}[{index}]", None, errors) for index, item in enumerate(value)]
        case inspect.DictType():
            check_length(value, info, "entries")
            return {
                _walk(name, info.key_type, f"{path}.{name[:100]}", None, errors): _walk(
                    inner, info.value_type, f"{path}.{name[:100]}", None, errors
                )
                for name, inner in value.items()
            }
        case inspect.StructType():
            return _walk_struct(value, info, path, errors)
    return value


def _walk_struct(value: dict[str, Any], info: inspect.StructType, path: str, errors: list[FieldError]) -> Any:
    prefix = f"{path}." if path else ""
    cleaned: dict[str, Any] = {}
    known = set()
    if info.tag_field is not None:
        known.add(info.tag_field)
        cleaned[info.tag_field] = value.get(info.tag_field)
    for field in info.fields:
        known.add(field.encode_name)
        if field.encode_name in value:
            cleaned[field.encode_name] = _walk(
                value[field.encode_name], field.type, prefix + field.encode_name, None, errors
            )
        elif field.required:
            _note(errors, prefix + field.encode_name, "missing", "This is required.")
    if info.forbid_unknown_fields:
        for name in value:
            if name not in known:
                fields = ", ".join(sorted(known))
                _note(
                    errors,
                    prefix + name[:100],
                    "unknown_field",
                    f"There is no field {name[:100]}. The fields are: {fields}.",
                )
    return cleaned


def _walk_union(value: Any, info: inspect.UnionType, path: str, rule: str | None, errors: list[FieldError]) -> Any:
    members = list(info.types)
    if all(isinstance(member, inspect.StructType) for member in members):
        return _walk_tagged(value, members, path, errors)
    literals = [member for member in members if isinstance(_bare(member), inspect.LiteralType)]
    if any(not isinstance(value, bool) and value in _bare(member).values for member in literals):
        return value
    for member in members:
        if member not in literals and _fits(value, _bare(member)):
            return _walk(value, member, path, rule, errors)
    if literals and isinstance(value, str) and len(members) - len(literals) <= 1:
        return _walk(value, literals[0], path, rule, errors)
    kinds = " or ".join(_KINDS[type(_bare(member))] for member in members if member not in literals)
    _note(errors, path, "wrong_type", f"This must be {kinds or 'a string'}, not {_name(value)}.")
    return value


def _walk_tagged(value: Any, members: list[Any], path: str, errors: list[FieldError]) -> Any:
    """One of several objects; a field of it tells which."""
    field = members[0].tag_field
    if not isinstance(value, dict):
        _note(errors, path, "wrong_type", f"This must be an object, not {_name(value)}.")
        return value
    name = f"{path}.{field}" if path else field
    if field not in value:
        _note(errors, name, "missing", "This is required.")
        return value
    for member in members:
        if member.tag == value[field]:
            return _walk_struct(value, member, path, errors)
    choices = ", ".join(str(member.tag) for member in members)
    _note(errors, name, "not_allowed", f"Use one of: {choices}.")
    return value


def _with_tag(value: dict[str, Any], info: Any, tag: str) -> dict[str, Any]:
    """An object that does not say which of several it is, saying so."""
    return {info.types[0].tag_field: tag, **value}


def _bare(info: Any) -> Any:
    while isinstance(info, inspect.Metadata):
        info = info.type
    return info


def _fits(value: Any, info: Any) -> bool:
    match info:
        case inspect.StrType():
            return isinstance(value, str)
        case inspect.IntType():
            # JSON knows no integers: 1.0 is the same number as 1.
            return type(value) is int or (isinstance(value, float) and value.is_integer())
        case inspect.FloatType():
            return isinstance(value, int | float) and not isinstance(value, bool)
        case inspect.BoolType():
            return isinstance(value, bool)
        case inspect.NoneType():
            return value is None
        case inspect.ListType():
            return isinstance(value, list)
        case inspect.DictType() | inspect.StructType():
            return isinstance(value, dict)
    return True


def _name(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "true or false", str: "a string", list: "an array", dict: "an object"}
    return names.get(type(value), "a number")


def _note(errors: list[FieldError], path: str, code: str, detail: str) -> None:
    """Details are written about "this"; the caller reads the field's name."""
    named = f"{path or 'The body'}{detail[4:]}" if detail.startswith("This ") else detail
    errors.append(FieldError(path or "body", code, named))


def _cross_check(value: Any, path: str) -> list[FieldError]:
    """What only the whole can tell; a type says so with a method `problems(path)`."""
    check = getattr(value, "problems", None)
    return check(path) if check is not None else []
