"""The inbox: conversations with what was said last, and what people do with them."""

from __future__ import annotations

from collections.abc import Sequence

from tablegram.accounts import authors
from tablegram.accounts import store as account_store
from tablegram.accounts.authors import Author
from tablegram.accounts.keys.keys import Caller
from tablegram.crm import conversations, notes, profiles, search
from tablegram.crm.conversations import ConversationChange, ConversationFilter, State
from tablegram.crm.rows import ConversationRow, NoteRow
from tablegram.crm.terms import Word, parse_query
from tablegram.errors import Invalid, no_such
from tablegram.flows.files.media import MediaLibrary
from tablegram.flows.gateway.answers.messages import show as show_message
from tablegram.flows.inbox import threads
from tablegram.flows.inbox.answers import Assignee, ConversationPage, ConversationView, LastMessage
from tablegram.flows.inbox.matching import matches
from tablegram.flows.inbox.threads import Thread, ThreadMessage, ThreadNote
from tablegram.messaging.records.transcripts import details
from tablegram.messaging.records.waiting import why_waiting
from tablegram.messaging.rows.messages import MessageRow, SaidRow
from tablegram.messaging.store import messages as message_store
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import decode_cursor, encode_cursor

PREVIEW = 160


class Conversations:
    def __init__(self, db: Database, clock: Clock, library: MediaLibrary) -> None:
        self._db = db
        self._clock = clock
        self._library = library

    async def page(
        self,
        caller: Caller,
        *,
        state: State = "open",
        assigned: str = "",
        unread: bool = False,
        waiting: bool = False,
        q: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> ConversationPage:
        """The last writers first; with `waiting` only who waits for an answer, and who waits longest first.

        `assigned`: a member's id, or `nobody`. A search also finds who never wrote, and shows the words it was after.
        """
        caller.require("messages:read")
        wanted = ConversationFilter(
            account_id=caller.account_id,
            state="open" if waiting else state,
            owner=assigned,
            unread=unread,
            waiting=waiting,
            now_ms=self._clock.now_ms(),
            words=parse_query(q or ""),
            searched=bool(q and q.strip()),
            after=search.read_position(cursor),
            most=limit,
        )

        async def look(tx: Tx) -> ConversationPage:
            rows, following = await conversations.find(tx, wanted)
            return ConversationPage(data=await self._views(tx, caller, rows, wanted.words), next_cursor=following)

        return await self._db.snapshot(look)

    async def count(self, caller: Caller, *, state: State, q: str, most: int) -> int:
        """How many conversations of a state a search finds, counted as far as `most`."""
        caller.require("messages:read")
        wanted = ConversationFilter(
            account_id=caller.account_id,
            state=state,
            now_ms=self._clock.now_ms(),
            words=parse_query(q),
            searched=True,
            most=most,
        )
        return len((await self._db.snapshot(lambda tx: conversations.find(tx, wanted)))[0])

    async def get(self, caller: Caller, contact_id: str) -> ConversationView:
        caller.require("messages:read")

        async def look(tx: Tx) -> ConversationView:
            row = await conversations.get(tx, caller.account_id, contact_id)
            return (await self._views(tx, caller, [row]))[0]

        return await self._db.snapshot(look)

    async def update(self, caller: Caller, contact_id: str, change: ConversationChange) -> ConversationView:
        """See it, assign it, let it rest, close it or open it again."""
        caller.require("messages:send")
        self._check_rest(change)

        async def work(tx: Tx) -> ConversationView:
            row = await conversations.get(tx, caller.account_id, contact_id, to_change=True)
            if change.assigned_to and change.assigned_to not in await _members(tx, caller):
                raise Invalid.field("assigned_to", "member_not_found", no_such("member"))
            await conversations.change(tx, row, change, now_ms=self._clock.now_ms(), by=caller.key_id)
            return (await self._views(tx, caller, [await conversations.get(tx, caller.account_id, contact_id)]))[0]

        return await self._db.write(work)

    def _check_rest(self, change: ConversationChange) -> None:
        now, until = self._clock.now_ms(), change.snoozed_until
        if until and change.closed:
            raise Invalid.field("snoozed_until", "not_allowed", "A conversation is closed or rests, not both.")
        if until and until <= now:
            raise Invalid.field("snoozed_until", "time_past", "Choose a time that is still to come.")
        if until and until > now + conversations.MAX_REST_MS:
            raise Invalid.field("snoozed_until", "too_far", "Choose a time within a year.")

    async def unread(self, caller: Caller) -> int:
        """How many open conversations wait to be read, up to 100; for who may not read any, none."""
        if not caller.has("messages:read"):
            return 0
        now = self._clock.now_ms()
        return await self._db.snapshot(lambda tx: conversations.count_unread(tx, caller.account_id, now))

    async def members(self, caller: Caller) -> list[Assignee]:
        """Whom a conversation may be given to."""
        known = await self._db.snapshot(lambda tx: _members(tx, caller))
        return [Assignee(id=member_id, name=name) for member_id, name in known.items()]

    async def thread(self, caller: Caller, contact_id: str, limit: int = 50, cursor: str | None = None) -> Thread:
        """Everything said with a contact on all lines and noted about them, newest first.

        Reactions sit on what they are about.
        """
        caller.require("messages:read")
        before = None if cursor is None else decode_cursor(cursor)

        async def look(tx: Tx) -> tuple[list[MessageRow], list[NoteRow], dict[str | None, Author]]:
            row = await conversations.get(tx, caller.account_id, contact_id)
            found: list[MessageRow] = []
            for _, address in await profiles.aliases_of(tx, caller.account_id, row["id"]):
                params = {"b_account": caller.account_id, "b_phone": address, "most": limit + 1, "before": before}
                query = message_store.CONVERSATION if before is None else message_store.CONVERSATION_BEFORE
                found += await tx.all(query, params)
            noted = await notes.page(tx, caller.account_id, row["id"], limit + 1, before)
            writers = {one["sent_by"] for one in found} | {one["written_by"] for one in noted}
            return found, noted, await authors.named(tx, caller.account_id, writers)

        found, noted, named = await self._db.snapshot(look)
        ids = sorted([row["id"] for row in (*found, *noted)], reverse=True)
        last = ids[limit - 1] if len(ids) > limit else ""
        shown = sorted((row for row in found if row["id"] >= last), key=lambda row: row["id"], reverse=True)
        files = await self._library.of_messages(shown)
        waits = await why_waiting(self._db, caller.account_id, shown, self._clock.now_ms())
        entries = [
            ThreadMessage(
                key=row["id"],
                at_ms=row["created_at"],
                author=named.get(row["sent_by"]),
                message=show_message(row, files.get(row["id"]), waits.get(row["id"])),
                details=details(row),
            )
            for row in shown
        ]
        beside = [threads.noted(row, named.get(row["written_by"])) for row in noted if row["id"] >= last]
        both: list[ThreadMessage | ThreadNote] = [*threads.with_reactions(entries), *beside]
        both.sort(key=lambda entry: entry.key, reverse=True)
        return Thread(data=both, next_cursor=encode_cursor(last) if last else None)

    async def _views(
        self, tx: Tx, caller: Caller, rows: Sequence[ConversationRow], words: list[Word] | None = None
    ) -> list[ConversationView]:
        now = self._clock.now_ms()
        contacts = await profiles.views(tx, rows, now)
        addresses = {contact.id: [alias.value for alias in contact.aliases] for contact in contacts}
        counts = await conversations.count_newer(tx, [(row, addresses[row["id"]]) for row in rows])
        last = await _last_messages(tx, caller.account_id, addresses)
        members = await _members(tx, caller)
        waits = await conversations.waiting_since(tx, caller.account_id, rows, now)
        matched = await matches(tx, caller.account_id, addresses, words) if words else {}
        views = []
        for row, contact in zip(rows, contacts, strict=True):
            known, state = last.get(row["id"]), conversations.state_of(row, now)
            assigned, hit = row["assigned_to"], matched.get(row["id"])
            views.append(
                ConversationView(
                    contact_id=row["id"],
                    name=contact.name,
                    phones=contact.phones,
                    # Where a message to them goes; a group has none.
                    addresses=contact.phones + [one.value for one in contact.aliases if one.kind == "user_id"],
                    is_group=any(one.kind == "group_id" for one in contact.aliases),
                    tags=contact.tags,
                    unread=counts.get(row["id"], 0),
                    # Somebody who left the team looks after nothing any more.
                    assigned_to=Assignee(id=assigned, name=members[assigned]) if assigned in members else None,
                    last_message=None if known is None else _preview(known),
                    last_seen_at=contact.last_seen_at,
                    last_instance_id=row["last_instance_id"],
                    window_until=contact.window_until,
                    window_open=contact.window_open,
                    state=state,
                    snoozed_until=iso(row["snoozed_until"]) if state == "snoozed" else None,
                    waiting_since=iso(waits.get(row["id"])),
                    matched_message=None if hit is None else _preview(hit),
                )
            )
        return views


async def _members(tx: Tx, caller: Caller) -> dict[str, str]:
    rows = await tx.all(account_store.MEMBERS, {"account_id": caller.account_id})
    return {row["id"]: row["name"] or row["email"] for row in rows}


async def _last_messages(tx: Tx, account_id: int, addresses: dict[str, list[str]]) -> dict[str, MessageRow]:
    owner = {address: contact_id for contact_id, known in addresses.items() for address in known}
    wanted = [{"b_account": account_id, "b_phone": address, "most": 1} for address in owner]
    last: dict[str, MessageRow] = {}
    for row in await tx.gather(message_store.CONVERSATION, wanted):
        contact_id = owner[row["phone"]]
        if contact_id not in last or last[contact_id]["id"] < row["id"]:
            last[contact_id] = row
    return last


def _preview(row: SaidRow) -> LastMessage:
    return LastMessage(
        direction=row["direction"],
        type=row["type"],
        text=row["text"][:PREVIEW],
        deleted_at=iso(row["deleted_at"]),
        status=row["state"],
        at=iso(row["created_at"]),
    )
