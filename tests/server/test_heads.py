"""HEAD is answered wherever GET is: the same status and fields, and not a byte of the body."""

from __future__ import annotations

import socket
from http.client import HTTPConnection
from urllib.parse import urlsplit

from tests.product import running_product

# They tell the moment, not the page.
OF_THE_MOMENT = {"date", "x-request-id", "ratelimit", "set-cookie", "content-length", "server-timing"}


def test_head_is_get_without_its_body(database_url: str) -> None:
    with running_product(database_url) as product:
        site = urlsplit(product.url).netloc
        asking = HTTPConnection(site, timeout=30)

        def ask(method: str, path: str) -> tuple[int, dict[str, str], bytes]:
            asking.request(method, path, headers=product.headers() if path.startswith("/api") else {})
            answer = asking.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()

        menu = urlsplit(product.extra["menu"])
        for path in (
            "/api/v1/me",
            "/api/v1/messages?limit=1",
            "/api/v1/docs",
            "/api/v1/docs/docs.css",
            "/api/v1/openapi.json",
            f"{menu.path}?{menu.query}",
            "/panel/sign-in",
            "/panel/",
            "/sandbox/",
            "/sandbox/phones",
            "/sandbox/static/phones.js",
            "/healthz",
            "/api/v1/nowhere",
            "/nowhere",
        ):
            status, fields, body = ask("GET", path)
            # On the same connection: a byte too many would be read as the next answer.
            alone = ask("HEAD", path)
            assert (alone[0], alone[2]) == (status, b""), path
            for name in set(fields) - OF_THE_MOMENT:
                assert alone[1].get(name) == fields[name], (path, name)
            assert "content-length" not in alone[1] or abs(int(alone[1]["content-length"]) - len(body)) < 200, path
        status, fields, _ = ask("HEAD", "/api/v1/messages/send")
        assert (status, fields["allow"]) == (405, "POST")
        assert ask("DELETE", "/api/v1/me")[1]["allow"] == "GET, HEAD"
        # A stream has no end; its HEAD has.
        assert ask("HEAD", "/api/v1/events/stream")[1]["content-type"].startswith("text/event-stream")
        assert ask("GET", "/healthz")[0] == 200
        asking.close()
        # Many of them, and the server still has room for others.
        for _ in range(30):
            with socket.create_connection((site.split(":")[0], int(site.split(":")[1])), timeout=30) as one:
                one.sendall(b"HEAD /sandbox/events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                assert one.recv(65_536).startswith(b"HTTP/1.1 200")
        assert product.call("GET", "/me")[0] == 200
