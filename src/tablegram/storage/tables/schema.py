"""The one metadata object, and the few column kinds every table is made of.

Only integers and text are used, so that both databases give back exactly what was put in:
times are milliseconds (BIGINT), money is millionths of a dollar (BIGINT), flags are 0 or 1,
and structured values are JSON text written by us.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy
from sqlalchemy import BigInteger, Column, Integer, MetaData, SmallInteger, Text

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite numbers rows by itself only for a column declared INTEGER.
Serial = BigInteger().with_variant(Integer, "sqlite")


class Index(sqlalchemy.Index):
    """An index; `where` says of which rows, in the words of both databases, or of those that `of` names.

    A condition belongs to a dialect, and to name one loads it with all its drivers. Only who writes the schema down asks.
    """

    def __init__(
        self, name: str, *columns: Any, where: str = "", of: tuple[str, ...] = ("sqlite", "postgresql"), **options: Any
    ) -> None:
        super().__init__(name, *columns, **options)
        self._where, self._of = where, of

    @sqlalchemy.util.memoized_property
    def dialect_options(self) -> Any:
        options = super().dialect_options
        for dialect in self._of if self._where else ():
            options[dialect]["where"] = sqlalchemy.text(self._where)
        return options


def text(name: str, **options: Any) -> Column[str]:
    options.setdefault("nullable", False)
    return Column(name, Text, **options)


def optional_text(name: str) -> Column[str]:
    return Column(name, Text, nullable=True)


def time_ms(name: str, *, nullable: bool = False) -> Column[int]:
    return Column(name, BigInteger, nullable=nullable)


def number(name: str, default: int | None = None, *, nullable: bool = False) -> Column[int]:
    server_default = None if default is None else str(default)
    return Column(name, BigInteger, nullable=nullable, server_default=server_default)


def flag(name: str) -> Column[int]:
    return Column(name, SmallInteger, nullable=False, server_default="0")
