"""An Epson printer: asks by Server Direct Print, prints, tells the result; versions 1.00 to 3.00, as its firmware is.

    round     ask; if a job comes, print it and tell
Faults of a round: `code` (fails with it), `status` (the status word), `lose_result` (never told), `firmware` (the newest
version that it reads), `digest` (user:password).
"""

from __future__ import annotations

import base64
import hashlib
import itertools
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request
import xml.etree.ElementTree as tree
from collections.abc import Callable
from typing import Any

url = sys.argv[1]
settings = {"firmware": "2.00", "digest": "", "id": "kitchen", "name": "TM-m30II", "algorithm": "MD5"}
papers: list[bytes] = []
proof = {"nonce": "", "realm": ""}
proofs = itertools.count(1)
NAMESPACE = "{http://www.epson-pos.com/schemas/2011/03/epos-print}"


def post(fields: dict[str, str], authorization: str = "") -> tuple[int, dict[str, str], bytes]:
    body = urllib.parse.urlencode({"ID": settings["id"], "Name": settings["name"], **fields}).encode()
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    if settings["digest"] and (authorization or proof["nonce"]):
        headers["Authorization"] = authorization or digest()
    request = urllib.request.Request(url, data=body, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, dict(answer.headers.items()), answer.read()
    except urllib.error.HTTPError as error:
        said = error.headers.get_all("WWW-Authenticate") or []
        wanted = next((one for one in said if f"algorithm={settings['algorithm']}" in one), "")
        if error.code == 401 and wanted and settings["digest"] and not authorization:
            for name in ("nonce", "realm"):
                [proof[name]] = re.findall(rf'\b{name}="([^"]+)"', wanted)
            return post(fields, digest())
        return error.code, dict(error.headers.items()), error.read()


def digest() -> str:
    make = hashlib.md5 if settings["algorithm"] == "MD5" else hashlib.sha256
    user, _, password = settings["digest"].partition(":")
    path = urllib.parse.urlsplit(url).path
    count, own = f"{next(proofs):08x}", "0a4f113b"

    def hashed(text: str) -> str:
        return make(text.encode()).hexdigest()

    first, second = hashed(f"{user}:{proof['realm']}:{password}"), hashed(f"POST:{path}")
    response = hashed(f"{first}:{proof['nonce']}:{count}:{own}:auth:{second}")
    return (
        f'Digest username="{user}", realm="{proof["realm"]}", nonce="{proof["nonce"]}", uri="{path}", '
        f'algorithm={settings["algorithm"]}, qop=auth, nc={count}, cnonce="{own}", response="{response}"'
    )


def answer_of(version: str, job: str, success: bool, code: str, status: int) -> str:
    response = (
        f'<response xmlns="http://www.epson-pos.com/schemas/2011/03/epos-print" success="{"true" if success else "false"}" '
        f'code="{code}" status="{status}" battery="0"/>'
    )
    if version == "1.00":
        return f'<?xml version="1.0" encoding="UTF-8"?><PrintResponseInfo Version="1.00">{response}</PrintResponseInfo>'
    named = f"<printjobid>{job}</printjobid>" if job else ""
    return (
        f'<?xml version="1.0" encoding="UTF-8"?><PrintResponseInfo Version="{version}"><ePOSPrint><Parameter>'
        f"<devid>local_printer</devid>{named}</Parameter><PrintResponse>{response}</PrintResponse></ePOSPrint></PrintResponseInfo>"
    )


def refusal(version: str) -> str:
    """3.00 tells of a document that it cannot read in a block of its own."""
    if version == "3.00":
        return (
            '<PrintResponseInfo Version="3.00"><ServerDirectPrint><Response Success="false"><ErrorSummary>SchemaError'
            "</ErrorSummary><ErrorDetail>line 1</ErrorDetail></Response></ServerDirectPrint></PrintResponseInfo>"
        )
    return answer_of(version, "", False, "SchemaError", 0)


def ask() -> dict[str, Any]:
    status, headers, raw = post({"ConnectionType": "GetRequest"})
    return {"status": status, "headers": headers, "content": raw.decode()}


def take_turn(code: str = "", status: int = 251658262, lose_result: bool = False) -> dict[str, Any]:
    asked = ask()
    if asked["status"] != 200 or not asked["content"]:
        return {"ready": False, **asked}
    document = tree.fromstring(asked["content"])
    version = document.attrib["Version"]
    if version > settings["firmware"]:
        told = refusal(settings["firmware"])
        done = post({"ConnectionType": "SetResponse", "ResponseFile": told})
        return {"ready": True, "version": version, "understood": False, "told": done[0]}
    job = document.findtext("ePOSPrint/Parameter/printjobid") or ""
    data = document.find(f"ePOSPrint/PrintData/{NAMESPACE}epos-print")
    assert data is not None, asked["content"]
    assert (version == "1.00") == (not job), asked["content"]
    if not code:
        papers.append("".join(part.text or "" for part in data.iter(f"{NAMESPACE}text")).encode())
    found = {"ready": True, "version": version, "job": job, "understood": True}
    if lose_result:
        return found
    done = post({"ConnectionType": "SetResponse", "ResponseFile": answer_of(version, job, not code, code, status)})
    return {**found, "told": done[0], "said": done[2].decode()}


def notify(asb: str = "0x0F00003C", field: str = "Status") -> dict[str, Any]:
    document = (
        f'<statusmonitor Version="1.00"><printerstatus devicename="local_printer" asbstatus="{asb}"/></statusmonitor>'
    )
    return {"status": post({"ConnectionType": "SetStatus", field: document})[0]}


def do(what: str, more: dict[str, Any]) -> dict[str, Any]:
    global settings
    if what == "set":
        settings |= more
        return {}
    if what == "papers":
        return {"papers": [base64.b64encode(one).decode() for one in papers]}
    ways: dict[str, Callable[..., dict[str, Any]]] = {"round": take_turn, "ask": ask, "notify": notify}
    return ways[what](**more)


for line in sys.stdin:
    order = json.loads(line)
    try:
        said = do(order.pop("do"), order)
    except Exception as error:
        said = {"raised": repr(error)}
    sys.stdout.write(json.dumps(said) + "\n")
    sys.stdout.flush()
