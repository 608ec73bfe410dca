"""The places of the panel, as data: an area adds its line here and appears where its visitors may see it.

Another part of the product declares places of its own: `Group("restaurant", (Place("printers", "/panel/printers"),))`
adds one to a group that is there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from tablegram.panel.visitor import Visitor


@dataclass(frozen=True, slots=True)
class Place:
    # Also the key of its words (`nav.<name>`) and of its icon.
    name: str
    path: str
    # What one of a visitor's scopes must be; empty for everybody, "operator" for operators only.
    scopes: tuple[str, ...] = ()
    # Other addresses that belong to it.
    also: tuple[str, ...] = ()
    # Shown in the bar at the bottom of a phone; the others are in the menu.
    on_bar: bool = False
    # Where several parts bring places to one group, they stand in this order.
    rank: int = 0


@dataclass(frozen=True, slots=True)
class Group:
    # Also the key of its words (`group.<name>`).
    name: str
    places: tuple[Place, ...]


# What the account spends is for who manages its instances, not for everybody who answers messages.
COSTS = "instances:manage"
# The group without a heading: it stands first and does not fold.
DAILY = "daily"

GROUPS = (
    Group(
        DAILY,
        (
            Place("home", "/panel/", on_bar=True),
            Place("inbox", "/panel/inbox", ("messages:read",), on_bar=True),
            Place("contacts", "/panel/contacts", ("contacts:read",), on_bar=True),
        ),
    ),
    Group(
        "restaurant",
        (
            Place("board", "/panel/board", ("orders:manage",), on_bar=True),
            Place("kitchen", "/panel/kitchen", ("orders:manage",), also=("/panel/print",)),
            Place("orders", "/panel/orders", ("orders:manage",), also=("/panel/take",)),
            Place("bills", "/panel/bills", ("payments:manage",)),
            Place("sales", "/panel/sales", ("restaurant:manage",), also=("/panel/takings",)),
            Place("till", "/panel/till", ("payments:manage",)),
            Place("menu_editor", "/panel/menu", ("restaurant:read",)),
            Place("tables", "/panel/tables", ("restaurant:read",)),
            Place("venue", "/panel/venue", ("restaurant:read",)),
        ),
    ),
    Group(
        "gateway",
        (
            Place("lines", "/panel/lines", ("instances:manage",)),
            Place("templates", "/panel/templates", ("instances:manage",)),
            Place("network", "/panel/network", ("instances:manage",)),
            Place("usage", "/panel/usage", (COSTS,)),
            Place("requests", "/panel/requests", ("keys:manage", "account:manage")),
        ),
    ),
    Group(
        "account",
        (
            Place("team", "/panel/team", ("account:manage",)),
            Place(
                "integrations",
                "/panel/keys",
                ("keys:manage", "webhooks:manage"),
                also=("/panel/webhooks", "/panel/samples", "/panel/deliveries"),
            ),
            Place("audit", "/panel/audit", ("account:manage",)),
            Place("security", "/panel/security"),
            Place("operator", "/panel/operator", ("operator",)),
        ),
    ),
)


@dataclass(frozen=True, slots=True)
class ShownPlace:
    name: str
    path: str
    current: bool
    on_bar: bool
    count: int


@dataclass(frozen=True, slots=True)
class ShownGroup:
    name: str
    places: tuple[ShownPlace, ...]
    folds: bool
    folded: bool


def joined(groups: Sequence[Group], more: Iterable[Group]) -> tuple[Group, ...]:
    """Places of a group that is there already go to its end, by their rank; a new group comes before the last one, the account's."""
    found = {group.name: group for group in groups}
    last = groups[-1].name
    for group in more:
        known = found.get(group.name)
        places = group.places if known is None else (*known.places, *group.places)
        found[group.name] = replace(group, places=tuple(sorted(places, key=lambda place: place.rank)))
    return (*(group for name, group in found.items() if name != last), found[last])


class Navigation:
    """The groups of the panel, and what parts add to them."""

    def __init__(self, more: Iterable[Group] = ()) -> None:
        self.groups = joined(GROUPS, more)

    def shown_to(self, visitor: Visitor, path: str, folded: Sequence[str] = ()) -> tuple[ShownGroup, ...]:
        """The groups with the places that this visitor may enter; the present one is marked."""
        current = self._current(path)
        shown = []
        for group in self.groups:
            places = tuple(
                ShownPlace(place.name, place.path, place is current, place.on_bar, visitor.badges.get(place.name, 0))
                for place in group.places
                if not place.scopes or any(visitor.can(scope) for scope in place.scopes)
            )
            if places:
                folds = group.name != DAILY
                shown.append(ShownGroup(group.name, places, folds, folds and group.name in folded))
        return tuple(shown)

    def _current(self, path: str) -> Place | None:
        """The place whose address is the longest beginning of the path."""
        best: tuple[int, Place] | None = None
        for group in self.groups:
            for place in group.places:
                for root in (place.path, *place.also):
                    is_inside = path.rstrip("/") == root.rstrip("/") or (
                        root != "/panel/" and path.startswith(root + "/")
                    )
                    if is_inside and (best is None or len(root) > best[0]):
                        best = len(root), place
        return None if best is None else best[1]
