"""Venues, their waiters and their sections, as people and programs manage them.

Fields on the wire: `service_charge` is a percentage, pauses have moments (`starts_at`, `ends_at`) in RFC 3339, and what
the venue keeps among its details (`address`, `phone`, `preparation_min`, `answer_within_min`, `reads_texts`,
`skips_read_back`, `asks_for_offers`, `pays_online`, `prepaid`, `pay_within_min`, `payment_provider_id`, `day_ends_at`,
`calls_couriers`, `alert_phone`, `logo_id`, `how_to`) stands beside the rest.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from tablegram.accounts.audit import Acting, Audit
from tablegram.accounts.keys.keys import Caller
from tablegram.accounts.team import Team
from tablegram.engine.idempotency import Call, Idempotency, Result
from tablegram.errors import Invalid, NotFound, no_such
from tablegram.flows.delivery.points import degrees_of
from tablegram.flows.restaurant.answers.venues import (
    PauseView,
    SectionView,
    VenuePage,
    VenueStanding,
    VenueView,
    WaiterView,
)
from tablegram.flows.restaurant.desks.desk import CHANGE, LOOK, Desk, Told
from tablegram.flows.restaurant.desks.venue_changing import DETAILS, PLAIN, changed
from tablegram.flows.restaurant.fields import SectionFields, WaiterFields
from tablegram.flows.restaurant.venue_fields import VenueFields
from tablegram.flows.wire import DayOff, OpenSpan, days_of, picked
from tablegram.messaging.instances import Instances
from tablegram.restaurant import staff, tables, venues
from tablegram.restaurant.hours import VenueHours, look
from tablegram.restaurant.pictures import keeping as pictures
from tablegram.restaurant.staff import Section, Waiter
from tablegram.restaurant.store import venues as store
from tablegram.restaurant.venues import Venue
from tablegram.storage.database import Database, Tx
from tablegram.values.clock import Clock, iso
from tablegram.values.cursor import decode_cursor, encode_cursor
from tablegram.values.ids import new_id
from tablegram.values.opening_hours import DAYS, WeekSpan
from tablegram.values.secrets import SecretBox

replace = msgspec.structs.replace


class Staff(msgspec.Struct, kw_only=True, frozen=True):
    """Who serves where."""

    waiters: list[WaiterView]
    sections: list[SectionView]


class VenueDesk(Desk):
    def __init__(
        self,
        db: Database,
        idempotency: Idempotency,
        clock: Clock,
        audit: Audit,
        told: Told,
        instances: Instances,
        box: SecretBox,
        api_url: str,
    ) -> None:
        super().__init__(db, idempotency, clock, audit, told)
        self._instances = instances
        self._box = box
        self._api_url = api_url.rstrip("/")
        # Each refuses fields that name something which the account does not have.
        self.checks: list[Callable[[Caller, VenueFields], Awaitable[None]]] = [self._check_line]

    async def page(self, caller: Caller, limit: int = 200, cursor: str | None = None) -> VenuePage:
        """All venues, oldest first."""
        caller.require(LOOK, "orders:manage")
        after = "" if cursor is None else decode_cursor(cursor)
        known = await self._db.snapshot(lambda tx: venues.every(tx, caller.account_id))
        found = sorted((venue for venue in known if venue.id > after), key=lambda venue: venue.id)
        return VenuePage(
            data=[self._view(venue) for venue in found[:limit]],
            next_cursor=encode_cursor(found[limit - 1].id) if len(found) > limit else None,
        )

    async def hours_of_lines(self, account_id: int) -> dict[int, Callable[[int], bool]]:
        """For each line that guests of a venue write to, whether that venue is open at a moment; pauses count."""
        known = await self._db.snapshot(lambda tx: venues.every(tx, account_id))
        # The default one speaks for a line that several share, else the oldest.
        known.sort(key=lambda venue: not venue.is_default)
        return {one.instance_id: _is_open(one) for one in reversed(known) if one.instance_id is not None}

    async def get(self, caller: Caller, venue_id: str) -> VenueView:
        async def work(tx: Tx, venue: Venue) -> VenueView:
            return self._view(venue)

        return await self._look(caller, venue_id, work)

    async def create(self, caller: Caller, fields: VenueFields, call: Call) -> Result[VenueView]:
        """A new venue: `name`, `currency` and `time_zone` are needed. Without hours it is open day and night."""
        caller.require(CHANGE)
        for check in self.checks:
            await check(caller, fields)
        now = self._clock.now_ms()
        zone = fields["time_zone"]
        around_the_clock = VenueHours(zone, [WeekSpan(day, "00:00", "00:00") for day in DAYS])
        blank = Venue(
            caller.account_id, new_id(now), "", fields["currency"], zone, around_the_clock,
            tables.new_signing_key(self._box), now, now,
        )  # fmt: skip
        if "languages" not in fields:
            blank = replace(blank, languages=[fields.get("locale", blank.locale).partition("-")[0]])
        if fields.get("logo_id") is not None:
            raise Invalid.field(
                "logo_id", "image_unknown", "A new venue has no images yet. Upload the logo afterwards."
            )
        venue = changed(blank, fields)
        acting = self._audit.acting(caller)

        async def work(tx: Tx) -> Result[VenueView]:
            kept = await venues.add(tx, venue)
            await acting.note(tx, "venue.added", "venue", kept.id, {"name": kept.name})
            return Result(self._view(kept), 201)

        answer = await self._idempotency.once_for(VenueView, caller.account_id, call, work)
        self._told(caller.account_id, answer.value.id)
        return answer

    async def update(self, caller: Caller, venue_id: str, fields: VenueFields) -> VenueView:
        """Change what is given and leave the rest."""
        caller.require(CHANGE)
        for check in self.checks:
            await check(caller, fields)

        async def work(tx: Tx, venue: Venue, acting: Acting) -> VenueView:
            await pictures.check_known(tx, venue.account_id, venue.id, fields.get("logo_id"), "logo_id")
            await venues.update(tx, changed(venue, fields), self._clock.now_ms())
            # What the menu says of languages and stations follows from the venue.
            await tx.run(store.GROW, {"b_account": venue.account_id, "b_id": venue.id})
            await acting.note(tx, "venue.changed", "venue", venue.id, {"fields": sorted(fields)})
            return self._view(await venues.find(tx, venue.account_id, venue.id))

        # The default is one of them all.
        return await self._change(caller, venue_id, work, others_too=bool(fields.get("is_default")))

    async def delete(self, caller: Caller, venue_id: str) -> None:
        """Close a venue for good. Its orders stay."""

        async def work(tx: Tx, venue: Venue, acting: Acting) -> None:
            await venues.remove(tx, venue.account_id, venue.id, self._clock.now_ms())
            await acting.note(tx, "venue.deleted", "venue", venue.id, {"name": venue.name})

        await self._change(caller, venue_id, work)

    async def standing(self, caller: Caller, venue_id: str) -> VenueStanding:
        """Open now? Until when? From when on can an order be had?"""
        now = self._clock.now_ms()

        async def work(tx: Tx, venue: Venue) -> VenueStanding:
            found = look(venue.hours, now, lead_min=venue.details.preparation_min)
            return VenueStanding(
                is_open=found.is_open,
                until=iso(found.until_ms),
                opens_at=iso(found.opens_ms),
                takes_orders=found.takes_orders,
                orders_until=iso(found.orders_until_ms),
                next_slot=iso(found.next_slot_ms),
                reason=found.reason,
            )

        return await self._look(caller, venue_id, work)

    # Waiters and sections.

    async def staff(self, caller: Caller, venue_id: str) -> Staff:
        async def work(tx: Tx, venue: Venue) -> Staff:
            waiters = await staff.waiters(tx, venue.account_id, venue.id)
            sections = await staff.sections(tx, venue.account_id, venue.id)
            return Staff(waiters=[_waiter(one) for one in waiters], sections=[_section(one) for one in sections])

        return await self._look(caller, venue_id, work)

    async def add_waiter(self, caller: Caller, venue_id: str, fields: WaiterFields, call: Call) -> Result[WaiterView]:
        """`name`, a `phone` where calls from their tables are sent to, and the `member_id` of who signs in as them."""
        await self._check_member(caller, fields)

        async def work(tx: Tx, venue: Venue, acting: Acting) -> WaiterView:
            now = self._clock.now_ms()
            phone = fields.get("phone") or ""
            member_id = fields.get("member_id") or None
            made = await staff.add_waiter(tx, venue.account_id, venue.id, fields["name"], phone, now, member_id)
            await acting.note(tx, "venue.waiter_added", "venue", venue.id, {"waiter": made.name})
            return _waiter(made)

        return await self._create(WaiterView, caller, venue_id, call, work)

    async def change_waiter(self, caller: Caller, venue_id: str, waiter_id: str, fields: WaiterFields) -> WaiterView:
        await self._check_member(caller, fields)

        async def work(tx: Tx, venue: Venue, acting: Acting) -> WaiterView:
            known = {one.id: one for one in await staff.waiters(tx, venue.account_id, venue.id)}
            old = known.get(waiter_id)
            if old is None:
                raise NotFound(no_such("waiter", "venue"), code="waiter_unknown")
            member_id = fields.get("member_id", old.member_id) or None
            given = Waiter(old.id, fields.get("name", old.name), fields.get("phone", old.phone) or "", member_id)
            kept = await staff.change_waiter(tx, venue.account_id, venue.id, given)
            await acting.note(tx, "venue.waiter_changed", "venue", venue.id, {"waiter": kept.name})
            return _waiter(kept)

        return await self._change(caller, venue_id, work)

    async def _check_member(self, caller: Caller, fields: WaiterFields) -> None:
        wanted = fields.get("member_id")
        if wanted and wanted not in {
            one.id for one in await Team(self._db, self._clock).list_members(caller.account_id)
        }:
            raise Invalid.field("member_id", "member_not_found", no_such("member"))

    async def remove_waiter(self, caller: Caller, venue_id: str, waiter_id: str) -> None:
        async def work(tx: Tx, venue: Venue, acting: Acting) -> None:
            known = {one.id: one.name for one in await staff.waiters(tx, venue.account_id, venue.id)}
            await staff.remove_waiter(tx, venue.account_id, venue.id, waiter_id)
            told = {"waiter_id": waiter_id, "waiter": known.get(waiter_id, "")}
            await acting.note(tx, "venue.waiter_removed", "venue", venue.id, told)

        await self._change(caller, venue_id, work)

    async def add_section(
        self, caller: Caller, venue_id: str, fields: SectionFields, call: Call
    ) -> Result[SectionView]:
        """`name`, and the `waiter_id` of who serves it."""

        async def work(tx: Tx, venue: Venue, acting: Acting) -> SectionView:
            waiter_id = fields.get("waiter_id")
            made = await staff.add_section(tx, venue.account_id, venue.id, fields["name"], waiter_id)
            await acting.note(tx, "venue.section_added", "venue", venue.id, {"section": made.name})
            return _section(made)

        return await self._create(SectionView, caller, venue_id, call, work)

    async def change_section(
        self, caller: Caller, venue_id: str, section_id: str, fields: SectionFields
    ) -> SectionView:
        """`name`, `waiter_id` (nothing: nobody serves it) and `position`."""

        async def work(tx: Tx, venue: Venue, acting: Acting) -> SectionView:
            known = {one.id: one for one in await staff.sections(tx, venue.account_id, venue.id)}
            old = known.get(section_id)
            if old is None:
                raise NotFound(no_such("section", "venue"), code="section_unknown")
            changes = picked(fields, "name", "waiter_id", "position")
            kept = await staff.change_section(tx, venue.account_id, venue.id, replace(old, **changes))
            await acting.note(tx, "venue.section_changed", "venue", venue.id, {"section": kept.name})
            return _section(kept)

        return await self._change(caller, venue_id, work)

    async def remove_section(self, caller: Caller, venue_id: str, section_id: str) -> None:
        async def work(tx: Tx, venue: Venue, acting: Acting) -> None:
            known = {one.id: one.name for one in await staff.sections(tx, venue.account_id, venue.id)}
            await staff.remove_section(tx, venue.account_id, venue.id, section_id)
            told = {"section_id": section_id, "section": known.get(section_id, "")}
            await acting.note(tx, "venue.section_removed", "venue", venue.id, told)

        await self._change(caller, venue_id, work)

    async def _check_line(self, caller: Caller, fields: VenueFields) -> None:
        line = fields.get("instance_id")
        if line is None:
            return
        try:
            await self._instances.get(caller.account_id, line)
        except NotFound:
            raise Invalid.field("instance_id", "instance_unknown", no_such("line")) from None

    def _view(self, venue: Venue) -> VenueView:
        return venue_view(venue, self._api_url)


def venue_view(venue: Venue, api_url: str) -> VenueView:
    """A venue as programs and forms see it. `api_url` is the API's own address, version included."""
    latitude, longitude = degrees_of(venue.point)
    return VenueView(
        id=venue.id,
        name=venue.name,
        **{name: getattr(venue, name) for name in PLAIN},
        service_charge=venue.service_charge / 100,
        hours=days_of(venue.hours.hours),
        exceptions=[
            DayOff(date=one.date, spans=[OpenSpan(opens=span.opens, closes=span.closes) for span in one.spans])
            for one in venue.hours.exceptions
        ],
        pauses=[
            PauseView(starts_at=iso(one.starts_ms), ends_at=iso(one.ends_ms), reason=one.reason)
            for one in venue.hours.pauses
        ],
        last_order_min=venue.hours.last_order_min,
        **{name: getattr(venue.details, name) for name in DETAILS},
        vat_percent=None if venue.details.vat is None else venue.details.vat / 100,
        latitude=latitude,
        longitude=longitude,
        menu_version=venue.menu_version,
        menu_url=f"{api_url}/menu?venue={venue.id}",
        created_at=iso(venue.created_at),
        updated_at=iso(venue.updated_at),
    )


def _is_open(venue: Venue) -> Callable[[int], bool]:
    return lambda at_ms: look(venue.hours, at_ms).is_open


def _waiter(one: Waiter) -> WaiterView:
    return WaiterView(id=one.id, name=one.name, phone=one.phone, member_id=one.member_id)


def _section(one: Section) -> SectionView:
    return SectionView(id=one.id, name=one.name, waiter_id=one.waiter_id, position=one.position)
