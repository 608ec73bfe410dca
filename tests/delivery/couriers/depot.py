"""The demo's restaurant with couriers: orders that are to be delivered, and people who bring them."""

from __future__ import annotations

from typing import Any, Unpack

from tablegram.delivery.couriers.fields import CourierFields
from tablegram.engine.idempotency import Call
from tablegram.flows.delivery.couriers.answers import CourierView, WholeOrderDelivery
from tablegram.flows.delivery.couriers.services import CourierServices
from tablegram.flows.delivery.fields import AssignFields, StepFields
from tablegram.flows.restaurant.fields import TakeFields
from tests.restaurant.flows.house import House

MERT, SEDA = "905550000001", "905550000002"


class Depot:
    def __init__(self, one: House) -> None:
        self.one = one
        self.services = one.product.of(CourierServices)
        self.owner = one.caller("owner")

    async def hire(self, name: str, phone: str = "", **fields: Any) -> CourierView:
        given: CourierFields = {"name": name, "phone": phone, **fields}  # type: ignore[typeddict-item]
        answer = await self.services.couriers.create(self.owner, given, Call("hire"))
        return answer.value

    async def order(self, *, ready: bool = True, **fields: Unpack[TakeFields]) -> str:
        """A delivery that a waiter took by phone."""
        given: TakeFields = {
            "venue_id": self.one.venue.id, "order_type": "delivery", "lines": [self.one.line("Lahmacun", 2)],
            "address": "Moda Cad. 12, Kadıköy", "customer_phone": "905559998877", "customer_name": "Ayşe",
            "payment_method": "cash", **fields,
        }  # fmt: skip
        taken = (await self.one.orders.take(self.owner, given, Call("take"))).value
        if ready:
            await self.one.act(taken.order_id, "finish")
        return taken.order_id

    async def assign(self, order_id: str, courier_id: str, key: str | None = None) -> WholeOrderDelivery:
        fields: AssignFields = {"order_id": order_id, "courier_id": courier_id}
        call = Call("POST /restaurant/deliveries", idempotency_key=key, fingerprint=f"{order_id}{courier_id}")
        return (await self.services.deliveries.assign(self.owner, fields, call)).value

    async def act(
        self, delivery_id: str, action: str, key: str | None = None, **fields: Unpack[StepFields]
    ) -> WholeOrderDelivery:
        call = Call(f"act {action}", idempotency_key=key, fingerprint=f"{delivery_id}")
        return (await self.services.deliveries.act(self.owner, delivery_id, action, fields, call)).value

    async def undo(self, delivery_id: str, step_id: str) -> WholeOrderDelivery:
        return (await self.services.deliveries.undo(self.owner, delivery_id, step_id, Call("undo"))).value

    async def states(self, order_id: str) -> tuple[str, str]:
        """Of the order, and of the delivery that it was given to last."""
        order = await self.one.orders.get(self.owner, order_id)
        found = (await self.services.deliveries.page(self.owner, order_id=order_id)).data
        return order.status, found[0].state if found else ""
