"""People of every role at the panel's own door, in this process: pages are fetched and forms are sent as a browser would."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlencode

from tablegram.accounts.people import store
from tablegram.accounts.team import Team
from tests.api.product_in_process import Running, product

UNHURRIED = {"page_rate_burst": 10_000, "session_rate_burst": 10_000}


@dataclass(frozen=True)
class Page:
    status: int
    headers: dict[str, str]
    text: str
    # Every cookie that the answer sets, as `name=value`.
    cookies: tuple[str, ...] = ()
    # As it came: for files.
    raw: bytes = b""

    @property
    def words(self) -> str:
        """What a person reads, without the tags."""
        return html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", self.text)))

    @property
    def location(self) -> str:
        return self.headers.get("location", "")


@dataclass
class Person:
    """Somebody with a browser who is signed in."""

    running: Running
    token: str
    _proof: tuple[str, str] = ("", "")

    async def get(self, path: str, **headers: str) -> Page:
        return await self._ask("GET", path, b"", headers)

    async def post(self, path: str, fields: dict[str, Any] | None = None, *, csrf: str | None = None) -> Page:
        """Send a form. Its proof is that of this browser unless another is given."""
        proof = await self._own_proof() if csrf is None else csrf
        body = urlencode({**(fields or {}), **({"csrf": proof} if proof else {})}, doseq=True).encode()
        return await self._ask("POST", path, body, {"content-type": "application/x-www-form-urlencoded"})

    async def read(self, path: str) -> bytes:
        """A file that the panel hands out."""
        found = await self.get(path)
        assert found.status == 200, found.words
        return found.raw

    async def upload(self, path: str, fields: dict[str, Any], name: str, filename: str, content: bytes) -> Page:
        """Send a form with a file."""
        edge = "edge-of-a-part"
        parts = [
            (f'name="{key}"', str(value).encode()) for key, value in {**fields, "csrf": await self._own_proof()}.items()
        ]
        parts.append((f'name="{name}"; filename="{filename}"\r\nContent-Type: application/octet-stream', content))
        heads = [f"--{edge}\r\nContent-Disposition: form-data; {head}\r\n\r\n".encode() for head, _ in parts]
        body = b"".join(head + part[1] + b"\r\n" for head, part in zip(heads, parts, strict=True))
        whole = body + f"--{edge}--\r\n".encode()
        return await self._ask("POST", path, whole, {"content-type": f"multipart/form-data; boundary={edge}"})

    async def csrf(self) -> str:
        """As a page has it: another one each time."""
        found = re.search(r'data-csrf="([^"]+)"', (await self.get("/panel/no-such-page")).text)
        assert found is not None
        return found[1]

    async def _own_proof(self) -> str:
        """One serves for as long as somebody stays signed in."""
        if self._proof[0] != self.token:
            self._proof = self.token, await self.csrf()
        return self._proof[1]

    async def _ask(self, method: str, path: str, body: bytes, headers: dict[str, str]) -> Page:
        target, _, query = path.partition("#")[0].partition("?")
        fields = {"cookie": f"tablegram_session={self.token}", "content-length": str(len(body)), **headers}
        scope: dict[str, object] = {
            "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": method, "scheme": "http",
            "path": unquote(target), "raw_path": target.encode(), "query_string": query.encode(), "root_path": "",
            "headers": [(name.lower().encode(), value.encode("latin-1")) for name, value in fields.items()],
            "client": ("127.0.0.1", 1), "server": ("127.0.0.1", 8000), "state": {},
        }  # fmt: skip
        sent: list[Any] = []
        asked, ended = False, asyncio.Event()

        async def receive() -> Any:
            nonlocal asked
            if asked:
                # A file that is read piece by piece ends when the browser, which has all of it, is gone.
                await ended.wait()
                return {"type": "http.disconnect"}
            asked = True
            return {"type": "http.request", "body": body, "more_body": False}

        async def send(message: Any) -> None:
            sent.append(message)
            if message["type"] == "http.response.body" and not message.get("more_body"):
                ended.set()

        await self.running.api(scope, receive, send)
        raw = b"".join(message.get("body", b"") for message in sent[1:])
        answered = {name.decode().lower(): value.decode("latin-1") for name, value in sent[0]["headers"]}
        cookies = [value.decode() for name, value in sent[0]["headers"] if name.lower() == b"set-cookie"]
        named = tuple(cookie.partition(";")[0] for cookie in cookies)
        return Page(sent[0]["status"], answered, raw.decode(errors="replace"), named, raw)


@dataclass
class House:
    running: Running

    async def person(self, role: str = "owner", *, account: int = 1, language: str = "en") -> Person:
        """A new member with a role, signed in."""
        people, db = self.running.api.people, self.running.api.db
        email = f"{role}.{account}.{language}@example.com"
        member = await Team(db, self.running.api.clock).add(account, email, role, role.title())
        person = await people.register.create(email, role.title(), language)
        join = {"account": account, "which": member.email, "person": person.id, "name": member.name}
        await db.put((store.JOIN, join))
        token = await people.sessions.open(person.id, passed_second=True, remote="127.0.0.1", user_agent="test")
        return Person(self.running, token)


@asynccontextmanager
async def house(database_url: str, folder: Path, **settings: Any) -> AsyncIterator[House]:
    # A test may ask for every page there is, at whatever pace the machine has; how often one may ask is tested by itself.
    async with product(database_url, folder, **{**UNHURRIED, **settings}) as running:
        yield House(running)
