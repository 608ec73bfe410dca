"""Orders from free words are read back, changed as the guest says, and ordered by a yes: once, at the price that was shown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from tablegram.events.planning import Statement
from tablegram.flows.delivery import terms
from tablegram.flows.delivery.words import minimum_words, refusal_words
from tablegram.flows.restaurant.orders.ordering import Ordering, OrderWish, charges_for
from tablegram.flows.restaurant.texts import whereabouts
from tablegram.flows.restaurant.texts.drafts import read_back, saved
from tablegram.flows.restaurant.texts.said import Said, may_complain, may_serve
from tablegram.flows.restaurant.texts.whereabouts import Where
from tablegram.restaurant import hours
from tablegram.restaurant.carts import contents, tabs
from tablegram.restaurant.destinations import Destination
from tablegram.restaurant.dialogues import CLOCKS_MS
from tablegram.restaurant.guests import MAX_ADDRESS, is_address
from tablegram.restaurant.lines import Reckoning, Trouble, join_same, tidy
from tablegram.restaurant.orders import keeping as orders
from tablegram.restaurant.orders.totals import total
from tablegram.restaurant.reading import Reading
from tablegram.restaurant.reading.dialogue.held import HeldChange
from tablegram.restaurant.reading.dialogue.paying import Way, says_online, way_of, without_online, without_way
from tablegram.restaurant.reading.dialogue.signs import Sign
from tablegram.restaurant.reading.sentences import places
from tablegram.restaurant.reading.sentences.addresses import where_alone
from tablegram.restaurant.reading.sentences.details import detail_in, joined
from tablegram.restaurant.reading.sentences.wishes import is_allergic
from tablegram.restaurant.tables import MAX_LABEL
from tablegram.restaurant.texts import drafts, facts, ways
from tablegram.restaurant.texts.drafts import OrderDraft
from tablegram.restaurant.texts.words import speak
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Tx
from tablegram.values.coordinates import Point, route_to
from tablegram.values.folding import words as words_of


class Drafts:
    def __init__(self, ordering: Ordering) -> None:
        self._ordering = ordering
        self._telling = ordering.telling

    async def start(
        self, tx: Tx, said: Said, heard: Reading, where: Where | None, *, waits: bool = False, number: int = 1
    ) -> OrderDraft:
        """A new draft, open or behind the open one. `number`: which of the orders in one message it is."""
        key = said.message_key if number == 1 else f"{said.message_key}/{number}"
        draft = OrderDraft(
            account_id=said.venue.account_id, venue_id=said.venue.id, phone=said.phone, contact_id=said.contact_id,
            message_key=key, language=said.language, name=said.name, lines=heard.lines, notes=_notes(heard.notes),
            missed=heard.missed, is_sure=heard.is_sure, **_place(where, heard.address),
        )  # fmt: skip
        return await drafts.keep(tx, draft, said.now, waits=waits)

    # What the guest says about it.

    async def sign(
        self, tx: Tx, said: Said, draft: OrderDraft, sign: Sign, revision: int | None = None, *, online: bool = False
    ) -> list[Statement]:
        """A yes, a no, or that something is to be changed; by a word, or by a button of an earlier `revision`.

        `online`: a yes of somebody who pays right away.
        """
        said = msgspec.structs.replace(said, language=draft.language)
        if draft.state == "confirmed":
            return await self._tell_again(tx, said, draft)
        if draft.state == "open" and not draft.is_open(said.now):
            await drafts.end(tx, draft, "expired", said.now)
            draft = msgspec.structs.replace(draft, state="expired")
        if draft.state == "expired" and sign == "yes":
            fresh = await drafts.keep(tx, msgspec.structs.replace(draft, revision=1, order_id=""), said.now)
            return await self.show(tx, said, fresh, "read_back_old")
        if draft.state != "open":
            await self._word(tx, said, "draft_over")
            return []
        if sign == "no":
            return await self.drop(tx, said, draft)
        if sign == "change" or not draft.lines:
            # What is to come in the place of the only dish may still be open.
            await self._word(tx, said, "change_how", where=_hint(draft, said.venue))
            return []
        is_seen = said.written_at > draft.updated_at - CLOCKS_MS and revision in (None, draft.revision)
        if not draft.is_placed or not is_seen:
            return await self.show(tx, said, draft, "read_back" if is_seen else "read_back_moved")
        return await self._confirm(tx, said, draft, online=online)

    async def drop(self, tx: Tx, said: Said, draft: OrderDraft) -> list[Statement]:
        await drafts.end(tx, draft, "dropped", said.now)
        if await may_serve(tx, said):
            await self._telling.word(tx, said.venue, said.phone, said.language, said.now, "draft_dropped")
        return await self._go_on(tx, said, draft)

    async def doubt(self, tx: Tx, said: Said, draft: OrderDraft, words: str = "") -> None:
        """The guest has said something that was not understood: nothing of it goes straight through any more.

        `words` are shown with the draft as not understood, until something is said of them.
        """
        if words and words not in draft.missed:
            await drafts.change(tx, draft, said.now, is_sure=False, missed=(*draft.missed, words))
        elif draft.is_sure:
            await drafts.change(tx, draft, said.now, is_sure=False)

    async def edit(self, tx: Tx, said: Said, draft: OrderDraft, made: HeldChange) -> list[Statement]:
        """Take the change over and show it; without any dish left, the guest does without."""
        said = msgspec.structs.replace(said, language=draft.language)
        if not made.lines and not made.questions:
            return await self.drop(tx, said, draft)
        changes: dict[str, Any] = {"lines": made.lines, "missed": made.missed}
        if made.notes:
            changes["notes"] = _notes("; ".join(one for one in (draft.notes, made.notes) if one))
        unknown = ""
        if made.table or made.order_type or made.address:
            where = await whereabouts.find_named(tx, said, made.table, made.order_type or _brought(made, said.venue))
            unknown = "" if where is not None else made.table
            detail = detail_in(made.address) if draft.has_address else ""
            address = joined(draft.address, detail) if detail else made.address or draft.address
            changes |= _place(where, address) if where is not None else {}
            changes |= {} if detail else _other_place(draft, changes.get("address", draft.address))
        is_placing = made.lines == draft.lines and not made.missed and not made.questions
        if is_placing and (made.table or made.order_type or made.address):
            # Where it goes says nothing of what was not understood before.
            changes["missed"] = draft.missed
        edited = await drafts.change(tx, draft, said.now, **changes, is_sure=draft.is_sure and is_placing)
        if is_placing and not made.address and self._goes_through(said.venue, edited):
            return await self._confirm(tx, said, edited, is_shown=False)
        if made.questions:
            return []
        # Where nothing is changed, the guest hears so.
        is_same = edited.lines == draft.lines and read_back.where(edited) == read_back.where(draft)
        is_unsure = is_same and edited.notes == draft.notes and bool(made.missed) and not unknown
        lead = "read_back_unsure" if is_unsure else "read_back_edited"
        return await self.show(tx, said, edited, lead, unknown_table=unknown)

    async def add(self, tx: Tx, said: Said, draft: OrderDraft, heard: Reading) -> list[Statement]:
        """Dishes that had to be asked about come to those that were read back."""
        lines = join_same([*draft.lines, *heard.lines])
        return await self.edit(
            tx, said, draft, HeldChange(lines, heard.table, heard.order_type, heard.address, heard.notes, heard.missed)
        )

    async def take_where(self, tx: Tx, said: Said, draft: OrderDraft, heard: Reading) -> list[Statement] | None:
        """The answer to where it goes: a table by any name, a saved address, or another one."""
        text = tidy(said.text)
        chosen = await saved.choose(tx, said, text) if draft.needs_address and not heard.lines else None
        if chosen is not None and chosen.point is not None:
            return await self.take_place(tx, said, draft, chosen.point, chosen.address)
        if chosen is not None:
            return await self.edit(
                tx, said, draft, HeldChange(draft.lines, order_type="delivery", address=chosen.address)
            )
        if draft.needs_address and is_address(text) and not heard.lines and not heard.tells:
            change = HeldChange(draft.lines, order_type="delivery", address=where_alone(text), missed=draft.missed)
            return await self.edit(tx, said, draft, change)
        detail = detail_in(text) if draft.has_address and not heard.lines and not heard.names_dish else ""
        if detail:
            # `flat 5, ring the top bell`: the way to a place that is known.
            address = joined(draft.address, detail)[:MAX_ADDRESS]
            edited = await drafts.change(tx, draft, said.now, address=address)
            return await self.show(tx, said, edited, "read_back_edited")
        number = places.number_alone(text)
        if draft.order_type or (len(text) > MAX_LABEL and not number) or (heard.lines and not number):
            return None
        table = await whereabouts.named_table(tx, said, number or text)
        if table is None:
            return None
        return await self.edit(tx, said, draft, HeldChange(draft.lines, table=table.label, missed=draft.missed))

    async def take_way(self, tx: Tx, said: Said, draft: OrderDraft, way: Way) -> list[Statement]:
        """The guest says how they pay; where that is not offered, they hear what is."""
        offered = await self._ordering.methods(tx, said.venue, draft.order_type or said.venue.order_types[0])
        if ways.method_for(way, offered) is None:
            words = speak(draft.language)
            shown = ", ".join(words[f"fact_{one}"] for one in offered)
            await self._word(tx, said, "fact_paying", ways=shown)
            return []
        edited = await drafts.change(tx, draft, said.now, notes=_notes(ways.noted(draft, tidy(said.text))))
        return await self.show(tx, said, edited, "read_back_edited")

    async def take_place(self, tx: Tx, said: Said, draft: OrderDraft, point: Point, written: str) -> list[Statement]:
        """The guest has shared where a delivery goes; where nobody brings it there, they hear what would be possible."""
        looked = await terms.look(tx, said.venue, point, said.now)
        address = draft.address if draft.address and not draft.needs_address else written[:MAX_ADDRESS]
        edited = await drafts.change(
            tx, draft, said.now, route_url=route_to(point), address=address, destination=looked.destination
        )
        if looked.destination.standing == "outside":
            words = speak(draft.language)
            told = refusal_words(words, said.venue, looked, 0, draft.language)
            await self._telling.say(tx, said.venue, said.phone, told, said.now)
            return []
        return await self.show(tx, said, edited, "read_back_edited")

    # Showing and ordering.

    async def show_or_order(self, tx: Tx, said: Said, draft: OrderDraft, *, unknown_table: str = "") -> list[Statement]:
        """Read a new draft back, unless the venue lets what is beyond doubt go straight through."""
        if self._goes_through(said.venue, draft):
            return await self._confirm(tx, said, draft, is_shown=False)
        return await self.show(tx, said, draft, unknown_table=unknown_table)

    async def show(
        self, tx: Tx, said: Said, draft: OrderDraft, lead: str = "read_back", *, unknown_table: str = "",
        reckoned: Reckoning | None = None,
    ) -> list[Statement]:  # fmt: skip
        """Read it back, without what cannot be had; where it is not known where it goes, that is asked first."""
        venue, now = said.venue, said.now
        order_type = draft.order_type or venue.order_types[0]
        reckoned = reckoned or await self._ordering.reckon(tx, venue, draft.lines, order_type, draft.language, now)
        troubles: Sequence[Trouble] = reckoned.troubles
        if troubles:
            if not reckoned.lines:
                await drafts.end(tx, draft, "dropped", now)
                await self._telling.nothing_left(tx, venue, said.phone, draft.language, now, troubles)
                return await self._go_on(tx, said, draft)
            draft = await drafts.change(tx, draft, now, lines=reckoned.remaining, is_sure=False)
        charges = charges_for(venue, order_type, reckoned.lines, draft.language, draft.destination)
        draft = await drafts.show(tx, draft, total(reckoned.lines, charges))
        if not await may_serve(tx, said):
            return []
        offered = await self._ordering.methods(tx, venue, order_type)
        text = read_back.render(venue, draft, reckoned.lines, charges, lead, troubles, offered)
        if is_allergic(draft.notes):
            menu = await self._ordering.menus.load(tx, venue)
            dishes = [menu.items_by_id[line.item_id] for line in draft.lines if line.item_id in menu.items_by_id]
            text = f"{text}\n\n{facts.allergens(dishes, draft.language)}"
        words = speak(draft.language)
        if lead == "read_back_unsure":
            dish = _meant([line.name for line in reckoned.lines], said.text)
            text = f"{text}\n\n{words['unsure_how'].format(dish=dish, where=_hint(draft, venue))}"
            await self._telling.say(tx, venue, said.phone, text, now)
        elif not draft.order_type:
            ask = self._telling.where_question(venue, draft.language, unknown_table)
            await self._telling.say(tx, venue, said.phone, f"{text}\n\n{ask}", now)
        elif draft.needs_address:
            ask = await saved.offer(tx, said, draft.language) or words["ask_address"]
            await self._telling.say(tx, venue, said.phone, text, now, asks=ask)
        elif draft.destination is not None and draft.destination.missing(reckoned.subtotal):
            missing = minimum_words(words, venue, draft.destination, reckoned.subtotal, draft.language)
            await self._telling.say(tx, venue, said.phone, f"{text}\n\n{missing}", now)
        elif await self._asks_for_place(tx, venue, draft):
            await drafts.show(tx, msgspec.structs.replace(draft, destination=Destination(is_asked=True)), draft.total)
            await self._telling.say(tx, venue, said.phone, text, now, asks=words["ask_place"])
        else:
            online = "online_card" in offered
            more = f" {words['or_online']}" if online else ""
            whole = f"{text}\n\n{words['confirm_how']}{more}"
            await self._telling.say(tx, venue, said.phone, whole, now, buttons=read_back.buttons(draft, online=online))
        return []

    async def _confirm(
        self, tx: Tx, said: Said, draft: OrderDraft, *, is_shown: bool = True, online: bool = False
    ) -> list[Statement]:
        """Order it, if it is still what the guest has seen."""
        venue, now = said.venue, said.now
        standing = hours.look(venue.hours, now)
        if not standing.takes_orders:
            await drafts.end(tx, draft, "dropped", now)
            await self._telling.closed(tx, venue, said.phone, draft.language, now, standing, keeps_cart=False)
            return []
        table = await whereabouts.table_by_id(tx, said, draft.table_id)
        offered = next((one for one in venue.order_types if one == draft.order_type), None)
        if offered is None or (offered == "dine_in" and table is None):
            lost = await drafts.change(tx, draft, now, **_place(None, ""))
            return await self.show(tx, said, lost, "read_back_moved", unknown_table=draft.table_label)
        reckoned = await self._ordering.reckon(tx, venue, draft.lines, draft.order_type, draft.language, now)
        draft = await self._at_this_moment(tx, venue, draft, now)
        charges = charges_for(venue, draft.order_type, reckoned.lines, draft.language, draft.destination)
        amount = total(reckoned.lines, charges)
        where = draft.destination
        is_open = where is not None and (where.standing == "outside" or where.missing(reckoned.subtotal) > 0)
        if not is_shown and draft.address and await self._asks_for_place(tx, venue, draft):
            is_open = True
        if reckoned.troubles or is_open or (is_shown and amount != draft.total):
            lead = "read_back_moved" if is_shown else "read_back"
            return await self.show(tx, said, draft, lead, reckoned=reckoned)
        goes = Where(offered, table)
        statements = await self._place(tx, said, draft, goes, reckoned, online=online)
        return [*statements, *await self._go_on(tx, said, draft)]

    async def _place(
        self, tx: Tx, said: Said, draft: OrderDraft, where: Where, reckoned: Reckoning, *, online: bool
    ) -> list[Statement]:
        venue, table = said.venue, where.table
        wants_online = online or says_online(draft.notes)
        method = await self._ordering.online_if_offered(tx, venue, where.order_type, wants_online)
        notes = draft.notes if method is None else without_online(draft.notes)
        if method is None and (way := way_of(notes)) is not None:
            method = ways.method_for(way, await self._ordering.methods(tx, venue, where.order_type))
        # Who cooks and who brings it need not read what is done already.
        notes = notes if method is None else without_way(notes)
        tab_id = None if table is None else await tabs.join(tx, venue.account_id, venue.id, table.id, said.now)
        wish = OrderWish(
            order_type=where.order_type,
            lines=reckoned.lines,
            language=draft.language,
            table=table,
            tab_id=tab_id,
            contact_id=said.contact_id,
            phone=said.phone,
            name=said.name or draft.name,
            notes=notes,
            address=draft.address,
            route_url=draft.route_url,
            destination=draft.destination,
            message_key=draft.message_key,
            payment_method=method,
        )
        placed, statements = await self._ordering.place(tx, venue, wish, said.now)
        await drafts.end(tx, draft, "confirmed", said.now, placed.order.order_id)
        if not placed.is_new:
            await self._telling.again(tx, venue, placed.order, said.now)
        return statements

    async def _tell_again(self, tx: Tx, said: Said, draft: OrderDraft) -> list[Statement]:
        """A second yes is no second order; the guest hears what became of the first."""
        if await may_complain(tx, said):
            order = await orders.find(tx, draft.account_id, draft.order_id)
            await self._telling.again(tx, said.venue, order, said.now)
        return []

    async def _go_on(self, tx: Tx, said: Said, settled: OrderDraft) -> list[Statement]:
        """What waited behind it is next."""
        following = await drafts.take_next(tx, settled, said.now)
        return [] if following is None else await self.show(tx, said, following, "read_back_next")

    async def _at_this_moment(self, tx: Tx, venue: Venue, draft: OrderDraft, now: int) -> OrderDraft:
        """With the terms of now: zones have hours, and somebody may have changed them."""
        point = None if draft.destination is None else draft.destination.point
        if draft.order_type != "delivery" or point is None:
            return draft
        looked = await terms.look(tx, venue, point, now)
        return msgspec.structs.replace(draft, destination=looked.destination)

    async def _asks_for_place(self, tx: Tx, venue: Venue, draft: OrderDraft) -> bool:
        """An address in words has no zone: its point is asked for, once."""
        if draft.order_type != "delivery" or draft.destination is not None:
            return False
        return await terms.has_zones(tx, venue)

    def _goes_through(self, venue: Venue, draft: OrderDraft) -> bool:
        return venue.details.skips_read_back and draft.is_sure and bool(draft.order_type)

    async def _word(self, tx: Tx, said: Said, kind: str, **facts: str) -> None:
        if await may_complain(tx, said):
            await self._telling.word(tx, said.venue, said.phone, said.language, said.now, kind, **facts)


def _hint(draft: OrderDraft, venue: Venue) -> str:
    """How something of where it goes may be said."""
    return speak(draft.language)[f"hint_{draft.order_type or venue.order_types[0]}"]


def _meant(names: Sequence[str], text: str) -> str:
    """The dish that a text is likely about."""
    begins = {word[:4] for word in words_of(text)}
    return next((name for name in names if not begins.isdisjoint(word[:4] for word in words_of(name))), names[0])


def _brought(made: HeldChange, venue: Venue) -> str:
    """Who gives an address wants it brought."""
    return "delivery" if made.address and not made.table and "delivery" in venue.order_types else ""


def _other_place(draft: OrderDraft, address: str) -> dict[str, Any]:
    """Other words mean another place, whose point nobody knows; words that come to a point say more of it."""
    moved = draft.address and address != draft.address
    if not moved and not (draft.destination is not None and draft.destination.standing == "outside"):
        return {}
    return {"route_url": "", "destination": None}


def _place(where: Where | None, address: str) -> dict[str, Any]:
    table = None if where is None else where.table
    return {
        "order_type": "" if where is None else where.order_type,
        "table_id": None if table is None else table.id,
        "table_label": "" if table is None else table.label,
        "address": tidy(address)[:MAX_ADDRESS],
    }


def _notes(notes: str) -> str:
    return tidy(notes)[: contents.MAX_NOTES]
