"""Do migrations only add, so that servers of the version before keep working beside the new ones?

    make migration-steps

Each migration after those that everybody has (`OLDEST`) is run on a database, and the schema before is held against the
schema after. What takes something away, or asks more of a row than before, has to be a second step and say so; the rule
stands in CONTRIBUTING.md.
"""

from __future__ import annotations

import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alembic.script import ScriptDirectory
from sqlalchemy import Connection, inspect

from tablegram.storage import migrate as migrations
from tablegram.storage.steps import MARK, OLDEST, second_step

# A check such as `state in ('open', 'closed')`.
_LIST = re.compile(r"the check (?P<column>\w+) in \((?P<words>.*)\)", re.IGNORECASE)
_WORD = re.compile(r"'[^']*'")


@dataclass(frozen=True, slots=True)
class Table:
    """What a program of the version before relies on."""

    # Type, whether it may be empty, and whether the database fills it in.
    columns: dict[str, tuple[str, bool, bool]]
    # What a row has to keep to: unique columns, references, checks.
    rules: frozenset[str]


def snapshot(connection: Connection) -> dict[str, Table]:
    looked = inspect(connection)
    found = {}
    for name in looked.get_table_names():
        columns = {
            one["name"]: (str(one["type"]), bool(one["nullable"]), one.get("default") is not None)
            for one in looked.get_columns(name)
        }
        with warnings.catch_warnings():
            # A file does not tell what expression an index is made of; no rule is.
            warnings.filterwarnings("ignore", ".*expression-based index")
            found[name] = Table(columns, frozenset(_rules(looked, name)))
    return found


def _rules(looked: Any, name: str) -> Iterator[str]:
    yield f"the key ({_list(looked.get_pk_constraint(name)['constrained_columns'])})"
    for index in looked.get_indexes(name):
        if index["unique"]:
            yield f"uniqueness of ({_list(index['column_names'])})"
    for unique in looked.get_unique_constraints(name):
        yield f"uniqueness of ({_list(unique['column_names'])})"
    for key in looked.get_foreign_keys(name):
        yield f"a reference of ({_list(key['constrained_columns'])}) to {key['referred_table']}"
    for check in looked.get_check_constraints(name):
        yield f"the check {check['sqltext']}"


def _list(names: list[str | None]) -> str:
    return ", ".join(name or "an expression" for name in names)


def troubles(before: dict[str, Table], after: dict[str, Table]) -> list[str]:
    """What a program that knows the schema before would stumble over."""
    found = [f"the table {name} is gone" for name in before if name not in after]
    for name in before.keys() & after.keys():
        old, new = before[name], after[name]
        found += [f"{name}.{column} is gone" for column in old.columns if column not in new.columns]
        for column, (kind, may_be_empty, is_filled) in new.columns.items():
            was = old.columns.get(column)
            if was is None and not may_be_empty and not is_filled:
                found.append(f"{name}.{column} is new, not null, and has no default")
            elif was is not None and was[0] != kind:
                found.append(f"{name}.{column} was {was[0]} and is {kind}")
            elif was is not None and was[1] and not may_be_empty:
                found.append(f"{name}.{column} may no longer be null")
            elif was is not None and was[2] and not is_filled:
                found.append(f"{name}.{column} has lost its default")
        found += [
            f"{name} has a new rule, {rule}" for rule in sorted(new.rules - old.rules) if not _is_wider(rule, old)
        ]
    return sorted(found)


def _is_wider(rule: str, old: Table) -> bool:
    """Whether it is a list of words that a column may hold, and holds every word that it held before."""
    listed = _LIST.fullmatch(rule)
    return listed is not None and any(
        was["column"] == listed["column"] and set(_WORD.findall(was["words"])) <= set(_WORD.findall(listed["words"]))
        for one in old.rules
        if (was := _LIST.fullmatch(one)) is not None
    )


def check(url: str, scripts: ScriptDirectory) -> list[str]:
    """Every migration after the oldest that breaks the rule, with what it does."""
    migrations.migrate_to(url, OLDEST)
    before, found = migrations.on_connection(url, snapshot), []
    for script in reversed(list(scripts.walk_revisions(base=OLDEST))):
        if script.revision == OLDEST:
            continue
        migrations.migrate_to(url, script.revision)
        after = migrations.on_connection(url, snapshot)
        said, seen = second_step(scripts, script.revision), troubles(before, after)
        if said and not OLDEST <= said < script.revision:
            found.append(f"{script.revision}: {MARK} names an earlier revision, from {OLDEST} on, and not {said}")
        if seen and not said:
            found += [f"{script.revision}: {trouble}" for trouble in seen]
        before = after
    return found


def main() -> None:
    with tempfile.TemporaryDirectory(prefix="tablegram-steps-") as folder:
        found = check(f"sqlite:///{Path(folder) / 'steps.db'}", migrations.scripts())
    if found:
        print("\n".join(found))
        sys.exit(
            f'A server of the version before would fail on this. Add in one release, and take away in a later one whose migration says {MARK} = "NNNN": CONTRIBUTING.md.'
        )
    print(f"Migrations since {OLDEST} only add, or are second steps.")


if __name__ == "__main__":
    main()
