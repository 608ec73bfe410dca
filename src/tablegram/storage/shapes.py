"""What a row holds, column by column: told to who checks types, and as little of it as possible kept by who runs.

`TypedDict` of the library makes of each field an object that holds a compiled expression, and of each shape a class with
three sets of names. A server has hundreds of them and never looks at one: 1 MB. Here a shape keeps its texts as they are.
Whoever asks for their types (`typing.get_type_hints`, as the tests of statements do) gets the same answer.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any


class Shape:
    """What stands where the checker sees a `TypedDict`. Called, it makes a plain dict, as that does."""

    __slots__ = ("__annotations__", "__name__", "_module")

    def __init__(
        self, name: str, bases: tuple[Shape, ...], namespace: Mapping[str, Any], *, total: bool = True
    ) -> None:
        self.__name__ = name
        self._module: str = namespace["__module__"]
        own: dict[str, str] = namespace.get("__annotations__", {})
        inherited = {field: kind for base in bases for field, kind in base.__annotations__.items()}
        self.__annotations__ = {**inherited, **own} if inherited else own

    def __call__(self, **fields: Any) -> dict[str, Any]:
        return fields

    def __repr__(self) -> str:
        return f"<shape {self._module}.{self.__name__}>"

    @property
    def __globals__(self) -> dict[str, Any]:
        """Where the names of its types are found."""
        return vars(sys.modules[self._module])


if TYPE_CHECKING:
    from typing import TypedDict
else:
    # A class statement calls what its base is made of: the shape that it names is one of these, and no class.
    TypedDict = Shape("TypedDict", (), {"__module__": __name__})

__all__ = ["TypedDict"]
