"""A Star printer: polls, gets and confirms, as the CloudPRNT protocol guide says.

    round     poll; if a job is ready, get it, print it, confirm it
    poll, get, confirm     one step of that alone

Faults of a round: `lose_poll` and `lose_get` (the answer never comes), `lose_confirmation` (the call never goes out),
`code` (what it confirms with instead of 200), `download_timeout` (520, nothing printed), `status` (what its polls say),
`nulls` (every optional field is null), `bare` (no optional field), `tokens` false (old firmware), `encodings`, `by_get`.
"""

from __future__ import annotations

import base64
import json
import sys
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from typing import Any

url = sys.argv[1]
settings: dict[str, Any] = {
    "mac": "00:11:62:1b:e4:13", "tokens": True, "nulls": False, "bare": False, "status": "200%20OK", "basic": "",
    "encodings": ["application/vnd.star.starprnt", "image/png", "text/plain"], "width": 72, "interval": "5",
}  # fmt: skip
papers: list[bytes] = []
asked: list[dict[str, Any]] = []
offered: dict[str, Any] = {}


def call(
    method: str, address: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[int, dict[str, str], bytes]:
    headers = {"User-Agent": "Star mC-Print3", "X-Star-Mac": settings["mac"], **(headers or {})}
    if settings["basic"]:
        headers["Authorization"] = "Basic " + base64.b64encode(settings["basic"].encode()).decode()
    request = urllib.request.Request(address, data=body, method=method, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, dict(answer.headers.items()), answer.read()
    except urllib.error.HTTPError as error:
        return error.code, dict(error.headers.items()), error.read()


def poll(printing: bool = False) -> dict[str, Any]:
    """Once, and again at once when the server asked something."""
    global asked, offered
    for _ in range(3):
        said: dict[str, Any] = {"statusCode": settings["status"]}
        if not settings["bare"]:
            said |= {
                "status": "23 6 0 0 0 0 0 0 0", "printerMAC": settings["mac"], "uniqueID": None, "jobToken": None,
                "printingInProgress": printing, "clientAction": asked or None, "barcodeReader": None, "keyboard": None,
                "display": None,
            }  # fmt: skip
        if settings["nulls"]:
            nulls: list[dict[str, Any] | None] = [None, *asked] if asked else []
            said = {**dict.fromkeys(said), "statusCode": settings["status"], "clientAction": nulls}
        status, headers, raw = call("POST", url, json.dumps(said).encode(), {"Content-Type": "application/json"})
        answer = json.loads(raw) if status == 200 else {}
        wanted, asked = answer.get("clientAction") or [], []
        offered = answer
        if not wanted or settings["bare"]:
            break
        results = {
            "ClientType": "Star mC-Print3", "Encodings": "; ".join(settings["encodings"]),
            "GetPollInterval": settings["interval"],
            "PageInfo": {"paperWidth": 80, "printWidth": settings["width"], "horizontalResolution": 8, "verticalResolution": 8},
        }  # fmt: skip
        asked = [
            {"request": one["request"], "result": None if settings["nulls"] else results.get(one["request"])}
            for one in wanted
        ]
        printing = False
    return {"status": status, "headers": headers, "answer": answer}


def place(token: str | None = None, **more: str) -> str:
    fields = {"mac": settings["mac"], **more}
    if settings["tokens"] and (token or offered.get("jobToken")):
        fields["token"] = token or offered["jobToken"]
    return f"{url}?{urllib.parse.urlencode(fields)}"


def get(media: str | None = None, token: str | None = None) -> dict[str, Any]:
    media = media or next((one for one in offered.get("mediaTypes", []) if one in settings["encodings"]), "image/png")
    status, headers, raw = call("GET", place(token, type=media))
    return {"status": status, "headers": headers, "media": media, "content": base64.b64encode(raw).decode()}


def confirm(code: str = "200 OK", by_get: bool = False, token: str | None = None) -> dict[str, Any]:
    if by_get:
        status, headers, raw = call("GET", place(token, code=code) + "&delete")
    else:
        status, headers, raw = call("DELETE", place(token, code=code))
    return {"status": status, "headers": headers, "content": raw.decode()}


def take_turn(
    code: str = "200 OK",
    download_timeout: bool = False,
    lose_poll: bool = False,
    lose_get: bool = False,
    lose_confirmation: bool = False,
    by_get: bool = False,
) -> dict[str, Any]:
    answer = poll()
    if lose_poll or answer["status"] != 200 or not answer["answer"].get("jobReady"):
        return {"ready": False, **answer}
    if settings["status"].startswith(("4", "5")):
        return {"ready": True, "fetched": False}
    got = get()
    if lose_get:
        return {"ready": True, "fetched": False}
    if download_timeout or got["status"] != 200:
        return {
            "ready": True,
            "fetched": False,
            "got": got["status"],
            "confirmed": confirm("520 Download timeout")["status"],
        }
    if code.startswith("2"):
        papers.append(base64.b64decode(got["content"]))
    token = offered.get("jobToken")
    if lose_confirmation:
        return {"ready": True, "fetched": True, "media": got["media"], "token": token}
    done = confirm(code, by_get)
    return {"ready": True, "fetched": True, "media": got["media"], "token": token, "confirmed": done["status"]}


def do(what: str, more: dict[str, Any]) -> dict[str, Any]:
    global settings
    if what == "set":
        settings |= more
        return {}
    if what == "papers":
        return {"papers": [base64.b64encode(one).decode() for one in papers]}
    ways: dict[str, Callable[..., dict[str, Any]]]
    ways = {"round": take_turn, "poll": poll, "get": get, "confirm": confirm}
    return ways[what](**more)


for line in sys.stdin:
    order = json.loads(line)
    try:
        said = do(order.pop("do"), order)
    except Exception as error:
        said = {"raised": repr(error)}
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()
