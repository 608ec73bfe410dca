"""What attackers of the guest's page need of it."""

from __future__ import annotations

from tools.attack.ground import Ground

AT = "/api/v1/menu"
JSON = {"Content-Type": "application/json", "Accept": "application/json"}


async def a_dish(ground: Ground) -> str:
    """The id of a dish that can be had at this hour, without choosing anything."""
    data = (await ground.ask("GET", f"{AT}/data", headers=JSON)).json()
    closed = {item for dishes in data["standing"]["closed"].values() for item in dishes}
    items = (item for category in data["menu"]["categories"] for item in category["items"])
    return next(str(item["id"]) for item in items if not item.get("groups") and item["id"] not in closed)
