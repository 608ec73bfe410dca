"""Callbacks about messages of somebody who was erased: late or repeated, they must not bring anything of them back."""

from __future__ import annotations

from collections.abc import Iterable

from tablegram.crm.store import contacts as contact_store
from tablegram.messaging.erased import erased_ids
from tablegram.messaging.rows.messages import MessageRow
from tablegram.messaging.store import messages as store
from tablegram.storage.database import Tx
from tablegram.values.secrets import SecretBox

# Account, line, and the network's id of a message.
Key = tuple[int, int, str]


class Echoes:
    def __init__(self, box: SecretBox) -> None:
        self._box = box

    async def find(self, tx: Tx, keys: Iterable[Key]) -> dict[Key, MessageRow]:
        """The emptied messages that were known by these ids."""
        names = {
            (account_id, line_id, hashed): (account_id, line_id, network_id)
            for account_id, line_id, network_id in keys
            for hashed in erased_ids(self._box, network_id)
        }
        params = [{"b_account": a, "b_instance": line, "b_network_id": hashed} for a, line, hashed in names]
        rows = await tx.gather(store.GET_BY_LINE_AND_NETWORK_ID, params)
        return {names[row["account_id"], row["instance_id"], row["network_id"] or ""]: row for row in rows}

    async def among(self, tx: Tx, keys: list[Key]) -> set[Key]:
        """Those of newly arrived messages that are repetitions of emptied ones.

        Asked for every message, so accounts that never erased anybody pay one short look for it.
        """
        accounts = [{"b_account": account_id} for account_id in {key[0] for key in keys}]
        erasing = {row["account_id"] for row in await tx.gather(contact_store.ANY_ERASED, accounts)}
        return set(await self.find(tx, [key for key in keys if key[0] in erasing])) if erasing else set()
