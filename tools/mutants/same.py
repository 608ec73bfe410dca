"""Changes that change no meaning, by name, each with the reason why nobody could notice."""

from __future__ import annotations

SAME: dict[str, str] = {
    "294a6420fd": "values/secrets.py: only a power cut shows whether the folder of a new key was written to disk",
    "d7996964fd": "values/secrets.py: only a power cut shows whether a folder was written to disk",
    "2f5ad1f8de": "values/secrets.py: a new key of a few more characters is as good",
    "10bdb340b1": "engine/idempotency.py: keys that are forgotten have no name to be counted under",
    "7a9a86776a": "storage/query.py: two values are picked in the same order by either way, one of them is quicker",
    "0d4bba6144": "restaurant/bills/keeping.py: whoever calls it names an order and a line of it, or neither",
    "21de5383a1": "campaigns/comparing.py: the end of an interval of two shares is never exactly nothing",
    "31700bfcbb": "campaigns/audience.py: the first row is taken of one or of two, and one contact has one row at most",
    "029211ba78": "events/waiting/items.py: what is known already is not put in again, so no two are called the same",
    "074ec248f0": "messaging/transmission/draining.py: two looks at the clock of the machine never show the same moment",
    "0e7700adc8": "messaging/transmission/pacing.py: only paces that hold nobody back are dropped, one call earlier",
}
