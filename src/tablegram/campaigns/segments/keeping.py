"""Segments as they are kept: named once, and speaking of each other without a circle."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from tablegram.campaigns.rows import SegmentChanges, SegmentRow
from tablegram.campaigns.segments.store import saved as store
from tablegram.campaigns.segments.tree import SEGMENT, Node, Rules, leaves, parse
from tablegram.errors import Conflict, Invalid, NotFound, no_such
from tablegram.storage.database import Tx
from tablegram.values import Json, mapping
from tablegram.values.folding import fold

MAX_SEGMENTS = 200
MAX_NAME = 80
# Rules of a segment and of those that it speaks of, all in all.
MAX_WHOLE = 120
_decode = msgspec.json.Decoder().decode


def clean_name(text: str) -> str:
    name = " ".join(text.split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise Invalid.field("name", "name_invalid", f"Give a name of 1 to {MAX_NAME} characters.")
    return name


async def find(tx: Tx, account_id: int, segment_id: str) -> SegmentRow:
    row = await tx.first(store.GET, {"b_account": account_id, "b_id": segment_id})
    if row is None:
        raise NotFound(no_such("segment"), code="segment_unknown")
    return row


def rules_of(row: SegmentRow) -> Json:
    return mapping(_decode(row["rules"]))


async def gather(tx: Tx, account_id: int, node: Node, rules: Rules, field: str = "rules") -> dict[str, Node]:
    """The trees of all segments that a tree speaks of, however far; refuses circles, strangers, and too many."""
    if not _named(node):
        return {}
    rows = {row["id"]: row for row in await tx.all(store.ALL, {"b_account": account_id})}
    return _gather(node, rows, rules, field, frozenset())


def _gather(
    node: Node, rows: Mapping[str, SegmentRow], rules: Rules, field: str, above: frozenset[str]
) -> dict[str, Node]:
    trees: dict[str, Node] = {}
    sizes: dict[str, int] = {}

    def size(one: Node, inside: frozenset[str]) -> int:
        total = 0
        for leaf in leaves(one):
            total += 1 if leaf.rule != SEGMENT else weigh(leaf.values.text("is"), inside)
        if total > MAX_WHOLE:
            raise Invalid.field(field, "rules_too_many", f"With the segments it names, it has over {MAX_WHOLE} rules.")
        return total

    def weigh(name: str, inside: frozenset[str]) -> int:
        if name in inside:
            raise Invalid.field(field, "segment_circle", "A segment cannot be a rule of itself. Name another one.")
        if name not in rows:
            raise Invalid.field(field, "segment_unknown", "The account has no segment with this id.")
        if name not in trees:
            trees[name] = parse(rules_of(rows[name]), rules)
        if name not in sizes:
            sizes[name] = size(trees[name], inside | {name})
        return sizes[name]

    size(node, above)
    return trees


def _named(node: Node) -> set[str]:
    return {leaf.values.text("is") for leaf in leaves(node) if leaf.rule == SEGMENT}


async def add(tx: Tx, row: SegmentRow, rules: Rules) -> None:
    rows = await _lock(tx, row["account_id"])
    if len(rows) >= MAX_SEGMENTS:
        raise Conflict(f"An account has at most {MAX_SEGMENTS} segments. Delete one first.", code="segments_too_many")
    _check(rows, row, rules)
    await tx.run(store.INSERT, row)


async def update(tx: Tx, account_id: int, segment_id: str, changes: SegmentChanges, rules: Rules) -> SegmentRow:
    rows = await _lock(tx, account_id)
    if segment_id not in rows:
        raise NotFound(no_such("segment"), code="segment_unknown")
    new: SegmentRow = {**rows[segment_id], **changes}
    _check({**rows, segment_id: new}, new, rules)
    which = {"b_account": account_id, "b_id": segment_id}
    told = {f"new_{name}": new[name] for name in ("name", "name_key", "rules", "updated_at", "updated_by")}
    await tx.run(store.UPDATE, {**which, **told})
    return new


async def delete(tx: Tx, account_id: int, segment_id: str, rules: Rules) -> SegmentRow:
    rows = await _lock(tx, account_id)
    if segment_id not in rows:
        raise NotFound(no_such("segment"), code="segment_unknown")
    users = [one["name"] for one in rows.values() if segment_id in _named(parse(rules_of(one), rules))]
    users += [one["name"] for one in await tx.all(store.USED, {"b_account": account_id, "b_id": segment_id})]
    if users:
        raise Conflict(f"{', '.join(users[:3])} needs it. Change that first.", code="segment_in_use")
    await tx.run(store.DELETE, {"b_account": account_id, "b_id": segment_id})
    return rows[segment_id]


async def _lock(tx: Tx, account_id: int) -> dict[str, SegmentRow]:
    return {row["id"]: row for row in await tx.all(store.LOCK, {"b_account": account_id})}


def _check(rows: Mapping[str, SegmentRow], row: SegmentRow, rules: Rules) -> None:
    if any(one["name_key"] == row["name_key"] and one["id"] != row["id"] for one in rows.values()):
        raise Conflict("There is a segment of this name already. Choose another name.", code="name_taken")
    node = parse(rules_of(row), rules)
    _gather(node, rows, rules, "rules", frozenset({row["id"]}))
    # What speaks of it must still be small enough.
    for one in rows.values():
        tree = parse(rules_of(one), rules)
        if one["id"] != row["id"] and _named(tree):
            _gather(tree, rows, rules, "rules", frozenset({one["id"]}))


def name_key(name: str) -> str:
    return fold(name)
