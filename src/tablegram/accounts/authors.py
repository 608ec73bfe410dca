"""Who wrote what the team reads: the reference that is kept beside it, as a name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta, Struct

from tablegram.accounts import store
from tablegram.storage.database import Tx
from tablegram.values.authors import AUTOMATIC, BY_PHONE, KEY_PREFIX, MEMBER_PREFIX

Kind = Literal["member", "key", "phone", "automatic"]


class Author(Struct, frozen=True, kw_only=True):
    """Who wrote it."""

    kind: Annotated[
        Kind,
        Meta(description="A member in the panel, a key of the API, the network's own app, or the product on its own."),
    ]
    id: Annotated[str, Meta(description="Of the member or the key; the kind of an automatic message.")] = ""
    name: Annotated[str, Meta(description="Empty where nobody has it any more, such as a member who left.")] = ""


def read(reference: str | None) -> Author | None:
    """Without the name; nothing for what was sent before this was kept."""
    if not reference:
        return None
    if reference == BY_PHONE:
        return Author(kind="phone")
    for prefix, kind in _KINDS.items():
        if reference.startswith(prefix):
            return Author(kind=kind, id=reference.removeprefix(prefix))
    return None


_KINDS: dict[str, Kind] = {MEMBER_PREFIX: "member", KEY_PREFIX: "key", AUTOMATIC: "automatic"}


async def named(tx: Tx, account_id: int, references: Iterable[str | None]) -> dict[str | None, Author]:
    """The authors behind the references, with their present names."""
    authors = {one: author for one in references if (author := read(one)) is not None}
    if not authors:
        return {}
    names: dict[tuple[str, str], str] = {}
    for member in await tx.all(store.MEMBERS, {"account_id": account_id}):
        names["member", member["id"]] = member["name"] or member["email"]
    keys = {author.id for author in authors.values() if author.kind == "key"}
    for key in await tx.gather(store.KEY_BY_ID, [{"account_id": account_id, "id": one} for one in sorted(keys)]):
        names["key", key["id"]] = key["name"]
    return {
        one: Author(kind=author.kind, id=author.id, name=names.get((author.kind, author.id), ""))
        for one, author in authors.items()
    }
