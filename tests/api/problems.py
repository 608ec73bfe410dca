"""What every answer carries, and every refusal."""

from __future__ import annotations

from tests.api.asking import Reply


def check_problem(reply: Reply, status: int, code: str) -> None:
    document = reply.json()
    assert reply.status == status, document
    assert reply.headers["content-type"] == "application/problem+json"
    assert document["status"] == status
    assert document["code"] == code
    assert document["type"] == f"/api/v1/docs#problem-{code}"
    assert document["title"]
    assert document["detail"]
    assert document["instance"].startswith("/api/v1")
    assert document["request_id"] == reply.headers["x-request-id"]
    check_headers(reply)


def check_headers(reply: Reply) -> None:
    assert reply.headers["x-request-id"]
    assert reply.headers["x-api-version"] == "1.4"
    assert reply.headers["ratelimit-policy"].startswith('"default";q=')
    assert reply.headers["ratelimit"].startswith('"default";r=')
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert reply.headers["cache-control"]
    assert "access-control-allow-origin" not in reply.headers
