"""Contacts with all that segments ask about, written by the product, and the same facts in plain Python."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import insert, update

from tablegram.campaigns.audience import Audience
from tablegram.campaigns.segments.reached import RULES as CAMPAIGN_RULES
from tablegram.crm import profiles
from tablegram.crm.contacts import new_contact
from tablegram.crm.rows import NewContact
from tablegram.crm.store import contacts as contact_store
from tablegram.flows.contacts.segment_rules import RULES as CONTACT_RULES
from tablegram.flows.loyalty.segment_rules import RULES as POINT_RULES
from tablegram.flows.restaurant.segment_rules import RULES as ORDER_RULES
from tablegram.flows.stores.segment_rules import RULES as SHOP_RULES
from tablegram.loyalty import ledger
from tablegram.loyalty.ledger import Cause
from tablegram.restaurant.lines import DishLine
from tablegram.restaurant.orders import keeping as orders
from tablegram.storage.database import Query, Tx
from tablegram.storage.query import columns
from tablegram.storage.tables import campaign_sends, contacts, menu_items, store_orders, store_sources
from tablegram.values.clock import DAY_MS, Clock
from tablegram.values.folding import fold
from tests.restaurant.figures.test_figures_over_time import item
from tests.restaurant.kept import NOON, priced
from tests.restaurant.orders.placing import placing

RULES = [*CONTACT_RULES, *ORDER_RULES, *SHOP_RULES, *CAMPAIGN_RULES, *POINT_RULES]
POINTS = [0, 5, 40, 41]
DISHES = {"tea": "drinks", "coke": "drinks", "lentil": "soups", "baklava": "desserts"}
TAGS = ["vip", "Aile", "İşçi"]
DAYS = [1, 7, 30, 31, 90, 180, 181, 400]
SHOPS = {"shop1": "shopify", "shop2": "woocommerce", "shop3": "shopify"}
CAMPAIGNS = ["spring", "autumn"]


class Still(Clock):
    def now_ms(self) -> int:
        return NOON


async def _istanbul(tx: Tx, account_id: int) -> str:
    return "Europe/Istanbul"


AUDIENCE = Audience(RULES, Still(), _istanbul)

_ITEM = Query(insert(menu_items).values(columns(menu_items)))
_TABLES = {
    table: Query(insert(table).values(columns(table))) for table in (store_orders, store_sources, campaign_sends)
}


def _blank(table: Any, **known: Any) -> dict[str, Any]:
    row = {one.name: None if one.nullable else ("" if one.type.python_type is str else 0) for one in table.c}
    return {**row, **known}


class World:
    """Of two accounts: the second has the same people, so that whatever leaks is counted."""

    def __init__(self) -> None:
        self.chance = random.Random(16)
        self.people: list[dict[str, Any]] = []
        self.orders: list[dict[str, Any]] = []

    async def fill(self, tx: Tx) -> None:
        for account_id in (1, 2):
            for name, category in DISHES.items():
                await tx.run(_ITEM, {**item(name, category), "account_id": account_id})
            for name, platform in SHOPS.items():
                row = _blank(store_sources, account_id=account_id, id=name, platform=platform, name=name)
                await tx.run(_TABLES[store_sources], {**row, "hook_hash": f"{account_id}{name}"})
            for number in range(36 if account_id == 1 else 9):
                await self._contact(tx, account_id, f"c{number:03}")
        for number, person in enumerate([one for one in self.people if one["account_id"] == 1]):
            # Some have never ordered, some very often; and some spend much each time.
            for _ in range((0, 1, 2, 3, 4, 6, 11)[number % 7]):
                await self._order(tx, person, portions=[5, 9] if number % 3 == 0 else [1, 2])
        await self._contact(tx, 1, "c900")
        for _ in range(8):
            # Two of these count, and they were dear: nobody who came more often spent as much.
            if len(self._of(self.people[-1])) < 2:
                await self._order(tx, self.people[-1], portions=[99], at=NOON - 100 * DAY_MS)
        for person in [one for one in self.people if one["account_id"] == 2]:
            await self._order(tx, person)

    def _ago(self) -> int:
        """Often exactly on a limit, or a moment beside it."""
        return NOON - self.chance.choice(DAYS) * DAY_MS + self.chance.choice([-1, 0, 1, -DAY_MS // 2])

    async def _contact(self, tx: Tx, account_id: int, name: str) -> None:
        pick = self.chance.choice
        known: NewContact = {
            **new_contact(account_id, name, f"Person {name}", self._ago()),
            "language": pick(["tr", "tr-TR", "en", "en-GB", "", "tri"]),
            "consent": pick(["granted", "denied", "unknown"]), "last_seen_at": self._ago(),
            "window_until": pick([None, NOON]),
        }  # fmt: skip
        tags = sorted({pick(TAGS) for _ in range(pick([0, 1, 2]))})
        known["tags"] = msgspec.json.encode(tags).decode()
        await tx.run(contact_store.INSERT, known)
        await profiles.add_terms(tx, [(known, [])])
        person: dict[str, Any] = {**known, "tags": tags}
        person |= {"birthday": pick(["", "11-15", "12-31", "01-01", "02-29"]), "shops": [], "sends": {}}
        person["merged_into"] = "c000" if name == "c007" else None
        mine = (contacts.c.account_id == account_id, contacts.c.id == name)
        changed = {"birthday": person["birthday"], "merged_into": person["merged_into"]}
        await tx.run(Query(update(contacts).where(*mine).values(**changed)), {})
        for number in range(pick([0, 0, 1, 2])):
            one = {"source": pick(list(SHOPS)), "kind": pick(["order_created", "order_cancelled"]), "at": self._ago()}
            row = _blank(store_orders, account_id=account_id, id=f"{name}-{number}", source_id=one["source"])
            row |= {"reference": row["id"], "contact_id": name, "kind": one["kind"], "created_at": one["at"]}
            await tx.run(_TABLES[store_orders], row)
            person["shops"].append(one)
        for campaign in CAMPAIGNS:
            state = pick(["", "sent", "read", "failed", "skipped", "holdout"])
            if state:
                person["sends"][campaign] = (state, replied := pick([None, NOON]))
                row = _blank(campaign_sends, account_id=account_id, campaign_id=campaign, contact_id=name, state=state)
                await tx.run(_TABLES[campaign_sends], {**row, "replied_at": replied})
        person["points"] = POINTS[int(name[1:]) % len(POINTS)]
        if person["points"]:
            cause = Cause(name=f"given:{name}")
            await ledger.add(tx, account_id, name, "adjust", person["points"], cause, NOON)
        self.people.append(person)

    async def _order(
        self, tx: Tx, person: dict[str, Any], portions: Sequence[int] = (1, 2), at: int | None = None
    ) -> None:
        pick = self.chance.choice
        lines = priced(*(DishLine(pick(list(DISHES)), pick(portions)) for _ in range(pick([1, 2]))))
        wish = placing(
            account_id=person["account_id"], contact_id=person["id"], lines=lines, venue_id=pick(["v", "w"]),
            order_type=pick(["dine_in", "takeaway", "delivery"]), currency=pick(["TRY", "TRY", "EUR"]),
        )  # fmt: skip
        at = self._ago() if at is None else at
        order = (await orders.place(tx, wish, at)).order
        counts = pick([True, True, True, False])
        if not counts:
            await orders.happen(tx, order.account_id, order.order_id, "cancel", "staff", "Elif", at + 1)
        else:
            self.orders.append({
                "account_id": order.account_id, "contact": order.contact_id, "at": at, "venue": order.venue_id,
                "type": order.order_type, "currency": order.currency, "amount": order.total,
                "dishes": sum((Counter({line.item_id: line.quantity}) for line in lines), Counter()),
            })  # fmt: skip

    def living(self) -> list[dict[str, Any]]:
        return [one for one in self.people if one["account_id"] == 1 and one["merged_into"] is None]

    def members(self, rules: Any, saved: dict[str, Any]) -> list[str]:
        return sorted(one["id"] for one in self.living() if self.holds(rules, one, saved))

    def holds(self, rules: Any, person: dict[str, Any], saved: dict[str, Any]) -> bool:
        if "all" in rules:
            return all(self.holds(one, person, saved) for one in rules["all"])
        if "any" in rules:
            return any(self.holds(one, person, saved) for one in rules["any"])
        if "not" in rules:
            return not self.holds(rules["not"], person, saved)
        if rules["rule"] == "segment":
            return self.holds(saved[rules["is"]], person, saved)
        known = getattr(self, f"_{rules['rule']}")
        return bool(known(rules, person))

    def _of(self, person: dict[str, Any], given: dict[str, Any] | None = None) -> list[dict[str, Any]]:
        since = NOON - (given or {}).get("within_days", 10**6) * DAY_MS
        mine = [one for one in self.orders if (one["account_id"], one["contact"]) == (1, person["id"])]
        return [one for one in mine if one["at"] >= since]

    def _tag(self, given: Any, person: Any) -> bool:
        return fold(given["is"]) in [fold(tag) for tag in person["tags"]]

    def _language(self, given: Any, person: Any) -> bool:
        return bool(str(person["language"]).split("-")[0] == given["is"])

    def _consent(self, given: Any, person: Any) -> bool:
        return bool(person["consent"] == given["is"])

    def _birthday(self, given: Any, person: Any) -> bool:
        month = datetime.fromtimestamp(NOON / 1_000, UTC).month
        wanted = {"this": month, "next": month % 12 + 1}.get(given["month"]) or int(given["month"])
        return bool(person["birthday"]) and int(person["birthday"][:2]) == wanted

    def _first_seen(self, given: Any, person: Any) -> bool:
        if "within_days" in given:
            return bool(person["first_seen_at"] >= NOON - given["within_days"] * DAY_MS)
        return bool(person["first_seen_at"] < NOON - given["not_within_days"] * DAY_MS)

    def _last_seen(self, given: Any, person: Any) -> bool:
        if "never" in given or person["window_until"] is None:
            return "never" in given and person["window_until"] is None
        if "within_days" in given:
            return bool(person["last_seen_at"] >= NOON - given["within_days"] * DAY_MS)
        return bool(person["last_seen_at"] < NOON - given["not_within_days"] * DAY_MS)

    def _last_order(self, given: Any, person: Any) -> bool:
        last = max((one["at"] for one in self._of(person)), default=None)
        if "never" in given or last is None:
            return "never" in given and last is None
        if "within_days" in given:
            return bool(last >= NOON - given["within_days"] * DAY_MS)
        return bool(last < NOON - given["not_within_days"] * DAY_MS)

    def _orders(self, given: Any, person: Any) -> bool:
        count = len(self._of(person, given))
        return bool(count >= given["at_least"] if "at_least" in given else count <= given["at_most"])

    def _spent(self, given: Any, person: Any) -> bool:
        mine = [one["amount"] for one in self._of(person, given) if one["currency"] == given["currency"]]
        if "at_most" in given:
            return bool(sum(mine) <= given["at_most"] * 100)
        return bool(mine) and sum(mine) >= given["at_least"] * 100

    def _customer_class(self, given: Any, person: Any) -> bool:
        mine = self._of(person)
        if not mine:
            return False
        days, many = (NOON - max(one["at"] for one in mine)) / DAY_MS, len(mine)
        much = person["id"] in self._big_spenders()
        if days > 180:
            return bool(given["is"] == "lost")
        if days > 90:
            return bool(given["is"] == ("at_risk" if many >= 4 or (many >= 2 and much) else "slipping"))
        if days <= 30 and (many >= 10 or (many >= 4 and much)):
            return bool(given["is"] == "champions")
        return bool(given["is"] == ("loyal" if many >= 4 else "promising" if many >= 2 else "new"))

    def _big_spenders(self) -> set[str]:
        """The first fifth of each currency, and with it the one who is left over where it does not divide."""
        big: set[str] = set()
        for currency in {one["currency"] for one in self.orders}:
            spent: Counter[str] = Counter()
            for one in self.orders:
                if (one["account_id"], one["currency"]) == (1, currency):
                    spent[one["contact"]] += one["amount"]
            ranked = sorted(spent, key=lambda name: (-spent[name], name))
            big.update(ranked[: -(-len(ranked) // 5)])
        return big

    def _among(self, sums: Counter[str], given: Any) -> bool:
        if "ordered" in given:
            return given["ordered"] in sums
        return given["favourite"] in sums and sums[given["favourite"]] == max(sums.values())

    def _dish(self, given: Any, person: Any) -> bool:
        return self._among(sum((one["dishes"] for one in self._of(person)), Counter()), given)

    def _category(self, given: Any, person: Any) -> bool:
        sums: Counter[str] = Counter()
        for one in self._of(person):
            for dish, many in one["dishes"].items():
                sums[DISHES[dish]] += many
        return self._among(sums, given)

    def _order_type(self, given: Any, person: Any) -> bool:
        return self._among(Counter(one["type"] for one in self._of(person)), given)

    def _venue(self, given: Any, person: Any) -> bool:
        return self._among(Counter(one["venue"] for one in self._of(person)), given)

    def _shop_order(self, given: Any, person: Any) -> bool:
        since = NOON - given.get("within_days", 10**6) * DAY_MS
        mine = [
            one for one in person["shops"]
            if one["kind"] != "order_cancelled" and given.get("shop", one["source"]) == one["source"]
            and given.get("platform", SHOPS[one["source"]]) == SHOPS[one["source"]] and one["at"] >= since
        ]  # fmt: skip
        return bool(len(mine) >= given.get("at_least", 1))

    def _campaign(self, given: Any, person: Any) -> bool:
        [(did, campaign)] = [(key, value) for key, value in given.items() if key != "rule"]
        state, replied = person["sends"].get(campaign, ("", None))
        done = {"received": state in ("sent", "read"), "read": state == "read", "replied": replied is not None}
        return bool(done[did])

    def _points(self, given: Any, person: Any) -> bool:
        held = person["points"]
        return bool(held >= given["at_least"] if "at_least" in given else held <= given["at_most"])
