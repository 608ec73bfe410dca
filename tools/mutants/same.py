"""Changes that change no meaning, by name, each with the reason why nobody could notice."""

from __future__ import annotations

SAME: dict[str, str] = {
    "294a6420fd": "values/secrets.py: only a power cut shows whether the folder of a new key was written to disk",
    "d7996964fd": "values/secrets.py: only a power cut shows whether a folder was written to disk",
    "2f5ad1f8de": "values/secrets.py: a new key of a few more characters is as good",
    "10bdb340b1": "engine/idempotency.py: keys that are forgotten have no name to be counted under",
    "d46156b183": "storage/rows.py: two values are picked in the same order by either way, one of them is quicker",
    "824c39f906": "storage/rows.py: whatever is picked of a row is as many values as of the next",
    "edcf7b716d": "storage/rows.py: the rows are made with a column for each value",
    "0d4bba6144": "restaurant/bills/keeping.py: whoever calls it names an order and a line of it, or neither",
    "21de5383a1": "campaigns/comparing.py: the end of an interval of two shares is never exactly nothing",
    "029211ba78": "events/waiting/items.py: what is known already is not put in again, so no two are called the same",
    "074ec248f0": "messaging/transmission/draining.py: two looks at the clock of the machine never show the same moment",
    "5ed43f1e23": "restaurant/store/orders.py: the id of a dish has letters and digits only, and nothing to escape",
    "7c562ca760": "restaurant/store/orders.py: what is read of other orders is not looked at, it only takes longer",
    "0e7700adc8": "messaging/transmission/pacing.py: only paces that hold nobody back are dropped, one call earlier",
    "a7e780259d": "restaurant/orders/finding/searching.py: one row more is asked for, and only whether there is one is looked at",
    "0a7fccd9b4": "accounts/people/passwords.py: what is longer than any password may be is wrong, wherever it is cut",
    "3805e8eb23": "values/http/outbound.py: an exception has what it was made with by itself",
    "2263ce6d44": "values/http/wire.py: a connection that closes already, and for which nobody waits, may as well be cut",
    "2af48483ef": "values/http/wire.py: whoever is hung up on with enough told is answered the same when the connection is gone",
    "09e67ceb1b": "storage/sqlite.py: two rows are gathered the same by one statement or by two",
    "16fad9ea21": "storage/sqlite.py: a cursor that nobody holds any more is closed by itself",
    "033b3d0ed4": "flows/gateway/inbound.py: whoever is recognised is as many as have written",
    "0ce5560305": "flows/gateway/inbound.py: what names no writer is nobody's word, ours or not",
    "041dea5337": "flows/delivery/couriers/delivery_desk.py: rows beyond a page are not shown, and only whether there is one is looked at",
    "10723b1b56": "printing/transports/cloudprnt.py: nothing is nothing either way",
}
