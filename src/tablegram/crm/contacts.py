"""Who wrote? Each sender is one contact, whatever names a network knows them by."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import msgspec

from tablegram.crm import profiles
from tablegram.crm.merging import find_living, merge
from tablegram.crm.rows import AliasRow, ContactRow, KnownAs, NewContact
from tablegram.crm.said.words import earlier, keep
from tablegram.crm.store import contacts as store
from tablegram.storage.database import Tx
from tablegram.storage.group_commit import CameSecond
from tablegram.values.clock import DAY_MS
from tablegram.values.ids import new_id

# Within this time of a customer's last message they may be answered in free form.
WINDOW_MS = DAY_MS


class Sender(msgspec.Struct, frozen=True):
    """One sight of a customer. `phone` or `user_id` may be empty, not both; the new ones are what they go by from now on.

    With a `group_id` it is the group that was seen, and nobody in it.
    """

    account_id: int
    instance_id: int
    phone: str
    user_id: str
    name: str
    at_ms: int
    new_phone: str = ""
    parent_user_id: str = ""
    new_user_id: str = ""
    new_parent_user_id: str = ""
    username: str = ""
    group_id: str = ""

    def aliases(self) -> list[tuple[str, str]]:
        """Everything that the network calls them, the surest first."""
        if self.group_id:
            return [("group_id", self.group_id)]
        known = [
            ("phone", self.phone), ("user_id", self.user_id), ("phone", self.new_phone), ("user_id", self.new_user_id),
            ("parent_user_id", self.parent_user_id), ("parent_user_id", self.new_parent_user_id),
        ]  # fmt: skip
        return list(dict.fromkeys((kind, value) for kind, value in known if value))


class Recognised(msgspec.Struct, frozen=True):
    """The contact that a sender is, and when they wrote last before this time; empty when they never did.

    `joined` are contacts that turned out to be the same person in this batch, for whatever else is kept under their ids.
    """

    contact_id: str
    previous_at_ms: int | None
    joined: tuple[str, ...] = ()


# Account, kind and value of an alias; account and id of a contact.
Key = tuple[int, str, str]
Who = tuple[int, str]


class _Known(msgspec.Struct):
    """What is known of a contact before this batch."""

    name: str
    name_is_own: bool
    last_at_ms: int | None
    username: str = ""


async def recognise(tx: Tx, senders: list[Sender]) -> list[Recognised]:
    """The contact of each sender, in the same order; whoever is new is added, and everybody was seen."""
    batch = _Recognition(tx)
    await batch.find(senders)
    for sender in senders:
        await batch.place(sender)
    await batch.flush()
    await batch.see(senders)
    return batch.recognised(senders)


async def know(tx: Tx, senders: list[Sender]) -> list[Recognised]:
    """The contact of each, added where new, without anybody having been seen: the network tells of them, and they
    wrote nothing."""
    batch = _Recognition(tx)
    await batch.find(senders)
    for sender in senders:
        await batch.place(sender)
    await batch.flush()
    await batch.tell()
    return batch.recognised(senders)


async def are_known(tx: Tx, sender: Sender) -> bool:
    """Whether any of their names is somebody's."""
    names = [{"account_id": sender.account_id, "kind": kind, "value": value} for kind, value in sender.aliases()]
    return bool(await tx.gather(store.FIND_ALIAS, names))


async def of_phone(tx: Tx, account_id: int, phone: str) -> ContactRow | None:
    """The contact that a number is known of; nothing where nobody has it."""
    found = await tx.first(store.FIND_ALIAS, {"account_id": account_id, "kind": "phone", "value": phone})
    return None if found is None else await find_living(tx, account_id, found["contact_id"])


async def by_ids(tx: Tx, account_id: int, ids: Collection[str]) -> dict[str, ContactRow]:
    """The rows of these contacts; whoever is not there is left out."""
    rows = await tx.gather(store.MANY, [{"b_account": account_id, "b_id": one} for one in ids])
    return {row["id"]: row for row in rows}


async def name_unnamed(tx: Tx, account_id: int, contact_id: str, name: str) -> None:
    """A name for who has none yet."""
    if await tx.run(store.NAME_UNNAMED, {"b_account": account_id, "b_id": contact_id, "new_name": name}):
        await profiles.tell_terms(tx, account_id, contact_id)


async def known_phones(tx: Tx, who: Collection[Who]) -> dict[Who, str]:
    """The number of each contact that has one; of several, the one over which something was said last."""
    found: dict[Who, list[str]] = {}
    which = [{"b_account": account_id, "b_id": contact_id} for account_id, contact_id in who]
    for row in await tx.gather(store.ALIASES, which):
        if row["kind"] == "phone":
            found.setdefault((row["account_id"], row["contact_id"]), []).append(row["value"])
    several = [
        {"b_account": account_id, "b_phone": phone}
        for (account_id, _), phones in found.items()
        if len(phones) > 1
        for phone in phones
    ]
    said = {(row["account_id"], row["phone"]): row["last"] for row in await tx.gather(store.LAST_SAID, several)}
    return {one: max(phones, key=lambda phone: (said.get((one[0], phone), ""), phone)) for one, phones in found.items()}


async def owners_of_phones(tx: Tx, account_id: int, contact_ids: Collection[str]) -> dict[str, str]:
    """Every number that these contacts are known by, and whose it is."""
    rows = await tx.gather(store.ALIASES, [{"b_account": account_id, "b_id": one} for one in contact_ids])
    return {row["value"]: row["contact_id"] for row in rows if row["kind"] == "phone"}


def new_contact(account_id: int, contact_id: str, name: str, at_ms: int) -> NewContact:
    """The row of a contact of whom nothing but a name is known."""
    return {
        "account_id": account_id,
        "id": contact_id,
        "name": name,
        "name_is_own": 0,
        "username": "",
        "birthday": "",
        "language": "",
        "tags": "[]",
        "notes": "",
        "consent": "unknown",
        "consent_at": None,
        "consent_source": "",
        "last_instance_id": None,
        "first_seen_at": at_ms,
        "last_seen_at": at_ms,
        "window_until": None,
    }


class _Recognition:
    """One batch of senders on its way through the store. Merges are rare, so what is new is written in one go."""

    def __init__(self, tx: Tx) -> None:
        self._tx = tx
        self._alias: dict[Key, str] = {}
        self._known: dict[Who, _Known] = {}
        self._fresh: dict[Who, NewContact] = {}
        self._claims: dict[Key, str] = {}
        self._moved: dict[Who, str] = {}
        # Contacts whose words have to be told anew.
        self._stale: set[Who] = set()

    async def find(self, senders: list[Sender]) -> None:
        wanted = {(sender.account_id, kind, value) for sender in senders for kind, value in sender.aliases()}
        params = [{"account_id": account, "kind": kind, "value": value} for account, kind, value in sorted(wanted)]
        for found in await self._tx.gather(store.FIND_ALIAS, params):
            if found["merged_into"] is None:
                self._remember(found, found["contact_id"], found)
                continue
            # It was merged by another process while we waited for it.
            living = await find_living(self._tx, found["account_id"], found["merged_into"])
            if living is not None:
                self._remember(found, living["id"], living)

    def _remember(self, alias: AliasRow, contact_id: str, contact: KnownAs) -> None:
        self._alias[alias["account_id"], alias["kind"], alias["value"]] = contact_id
        wrote = contact["last_seen_at"] if contact["window_until"] is not None else None
        known = _Known(contact["name"], bool(contact["name_is_own"]), wrote, contact["username"])
        self._known[alias["account_id"], contact_id] = known

    async def place(self, sender: Sender) -> None:
        """Find the sender's contact or plan a new one; two that turn out to be one are merged."""
        account_id = sender.account_id
        keys = [(account_id, kind, value) for kind, value in sender.aliases()]
        known = list(dict.fromkeys(self._alias[key] for key in keys if key in self._alias))
        if not known:
            known = [new_id()]
            who = (account_id, known[0])
            fresh = new_contact(account_id, known[0], sender.name, sender.at_ms)
            self._fresh[who] = {**fresh, "username": sender.username}
            self._known[who] = _Known(sender.name, False, None, sender.username)
        for other in known[1:]:
            # The network has just told us that two contacts are the same person.
            await self.flush()
            await self._merge(account_id, other, known[0])
        for key in keys:
            if key not in self._alias:
                self._alias[key] = self._claims[key] = known[0]

    async def flush(self) -> None:
        """Write new contacts and names. Where another process took one meanwhile, all of it is done again: theirs is locked with the others."""
        fresh, claims = self._fresh, self._claims
        self._fresh, self._claims = {}, {}
        if not claims:
            return
        if fresh:
            await self._tx.many(store.INSERT, list(fresh.values()))
        rows = [{**_alias_row(key), "contact_id": claims[key]} for key in sorted(claims)]
        for row in await self._tx.gather(store.CLAIM_ALIAS, rows):
            if claims[row["account_id"], row["kind"], row["value"]] != row["contact_id"]:
                raise CameSecond
        await self._tell_words(fresh, claims)

    async def _tell_words(self, fresh: dict[Who, NewContact], claims: dict[Key, str]) -> None:
        names: dict[Who, list[tuple[str, str]]] = {}
        for (account_id, kind, value), contact_id in claims.items():
            names.setdefault((account_id, contact_id), []).append((kind, value))
        for account_id, contact_id in sorted(names.keys() - fresh.keys()):
            # A contact who was there already has a new name, which may have been written to before.
            self._stale.add((account_id, contact_id))
            before = [(value, new_id()) for _, value in names[account_id, contact_id]]
            await keep(self._tx, account_id, await earlier(self._tx, account_id, before))
        await profiles.add_terms(self._tx, [(row, names.get(who, [])) for who, row in fresh.items()])

    async def _merge(self, account_id: int, gone: str, kept: str) -> None:
        await merge(self._tx, account_id, gone, kept)
        self._moved[account_id, gone] = kept
        for key, contact_id in self._alias.items():
            if contact_id == gone:
                self._alias[key] = kept
        old, new = self._known.get((account_id, gone)), self._known.get((account_id, kept))
        if old is not None and new is not None and old.last_at_ms is not None:
            new.last_at_ms = max(old.last_at_ms, new.last_at_ms or 0)

    async def see(self, senders: list[Sender]) -> None:
        sights: dict[Who, dict[str, Any]] = {}
        for sender in senders:
            _note_sight(sights, sender, self._contact_of(sender))
        await self._tx.many(store.SEEN, [sights[who] for who in sorted(sights)])
        for who, sight in sights.items():
            known = self._known.get(who)
            if (
                known is None
                or (sight["new_name"] not in ("", known.name) and not known.name_is_own)
                or sight["new_username"] not in ("", known.username)
            ):
                self._stale.add(who)
        await self.tell()

    async def tell(self) -> None:
        """The words of whoever has changed."""
        for account_id, contact_id in sorted(self._stale):
            await profiles.tell_terms(self._tx, account_id, self._moved.get((account_id, contact_id), contact_id))

    def _contact_of(self, sender: Sender) -> str:
        kind, value = sender.aliases()[0]
        return self._alias[sender.account_id, kind, value]

    def recognised(self, senders: list[Sender]) -> list[Recognised]:
        """Each sender's contact; of several messages in one batch, the later ones follow the earlier."""
        result = []
        for sender in senders:
            found = self._contact_of(sender)
            who = (sender.account_id, self._moved.get((sender.account_id, found), found))
            known = self._known.setdefault(who, _Known("", False, None))
            joined = tuple(gone for (account_id, gone), kept in self._moved.items() if (account_id, kept) == who)
            result.append(Recognised(who[1], known.last_at_ms, joined))
            known.last_at_ms = max(sender.at_ms, known.last_at_ms or 0)
        return result


def _alias_row(key: Key) -> dict[str, Any]:
    return {"account_id": key[0], "kind": key[1], "value": key[2]}


def _note_sight(sights: dict[Who, dict[str, Any]], sender: Sender, contact_id: str) -> None:
    """Several messages of one customer in a batch are one sight: the first, the last, the latest name."""
    sight = sights.setdefault(
        (sender.account_id, contact_id),
        {
            "b_account": sender.account_id,
            "b_id": contact_id,
            "new_name": "",
            "new_username": "",
            "first": sender.at_ms,
            "last": sender.at_ms,
            "until": sender.at_ms + WINDOW_MS,
            "line": sender.instance_id,
        },
    )
    sight["first"] = min(sight["first"], sender.at_ms)
    if sender.at_ms >= sight["last"]:
        sight |= {"last": sender.at_ms, "until": sender.at_ms + WINDOW_MS, "line": sender.instance_id}
    if sender.name:
        sight["new_name"] = sender.name
    if sender.username:
        sight["new_username"] = sender.username
