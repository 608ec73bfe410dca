"""The tags that an account's contacts have, those of most contacts first."""

from __future__ import annotations

from tablegram.crm import profiles
from tablegram.crm.store import tags as store
from tablegram.crm.terms import TAGS, tag_term
from tablegram.storage.database import Tx

# Of an account that makes a tag for each contact, only so many are looked at.
MAX_WALKED = 200
# Tags of more contacts than this are equally common.
MAX_COUNTED = 500


async def common_tags(tx: Tx, account_id: int, most: int) -> list[str]:
    """At most `most` tags, each in one spelling."""
    params = {"b_account": account_id, "low": TAGS[0], "high": TAGS[1], "walked": MAX_WALKED, "counted": MAX_COUNTED}
    found: list[tuple[int, str]] = []
    for row in await tx.all(store.WALK, params):
        # The words that find a contact are folded; how people write the tag is told by a contact that has it.
        spelt = [tag for tag in profiles.read_tags(row["tags"]) if tag_term(tag) == row["term"]] if row["tags"] else []
        if spelt:
            found.append((int(row["n"]), spelt[0]))
    return [tag for _, tag in sorted(found, key=lambda one: (-one[0], tag_term(one[1])))[:most]]
