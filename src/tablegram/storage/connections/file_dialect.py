"""SQLite's words as SQLAlchemy writes them, and one more: by which index a table is read (`read_by` in `query.py`)."""

from __future__ import annotations

from sqlalchemy import FromClause
from sqlalchemy.dialects.sqlite.base import SQLiteCompiler, SQLiteDialect


class _Compiler(SQLiteCompiler):
    def get_from_hint_text(self, table: FromClause, text: str | None) -> str | None:
        return text


class FileDialect(SQLiteDialect):
    statement_compiler = _Compiler
    # As it is for the dialect of its name.
    supports_statement_cache = True
