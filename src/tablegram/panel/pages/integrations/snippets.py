"""Code that sends a first message, ready to be copied: in four languages, with the line and the key filled in."""

from __future__ import annotations

import json
from dataclasses import dataclass

from tablegram.messaging.records.lines import InstanceView
from tablegram.panel.deps import PanelDeps
from tablegram.panel.visitor import Visitor

# Stands where the key belongs once the real one is no longer shown.
PLACEHOLDER = "tg_live_YOUR_KEY"
# The number of the sandbox's first phone.
SHOWN_PHONE = "905551112233"


@dataclass(frozen=True, slots=True)
class Snippet:
    """One sample: what the language is called, and the code."""

    name: str
    label: str
    code: str


@dataclass(frozen=True, slots=True)
class FirstMessage:
    """What the samples send. Without a line they use the account's default."""

    base_url: str
    phone: str
    text: str
    key: str = PLACEHOLDER
    instance_id: int | None = None

    @property
    def url(self) -> str:
        return f"{self.base_url}/api/v1/messages/send"

    @property
    def body(self) -> dict[str, str | int]:
        line: dict[str, str | int] = {} if self.instance_id is None else {"instance_id": self.instance_id}
        return {"phone": self.phone, "message": self.text, **line}


async def every_line(deps: PanelDeps, visitor: Visitor) -> list[InstanceView]:
    """The account's lines as the API shows them."""
    found: list[InstanceView] = []
    cursor: str | None = None
    while True:
        page = await deps.gateway.lines.page(visitor.caller, 200, cursor)
        found += page.data
        cursor = page.next_cursor
        if cursor is None:
            return found


async def first_messages(
    deps: PanelDeps, visitor: Visitor, *, key: str = PLACEHOLDER, line_id: int | None = None, sandbox_only: bool = False
) -> list[Snippet]:
    """The samples for a line: the one that is named, else the one that a key without a wish would use."""
    if line_id is None:
        lines = await every_line(deps, visitor)
        fitting = [line for line in lines if (line.kind == "sandbox" if sandbox_only else line.is_default)]
        line_id = fitting[0].id if fitting else None
    text = visitor.t("samples.hello")
    return snippets(FirstMessage(deps.settings.base_url, SHOWN_PHONE, text, key, line_id))


def snippets(message: FirstMessage) -> list[Snippet]:
    return [
        Snippet("curl", "curl", curl(message)),
        Snippet("python", "Python", _python(message)),
        Snippet("javascript", "JavaScript", _javascript(message)),
        Snippet("php", "PHP", _php(message)),
    ]


def curl(message: FirstMessage) -> str:
    """One line of a shell, broken where it reads well."""
    body = json.dumps(message.body, ensure_ascii=False)
    return "\n".join(
        [
            f"curl -X POST {_shell(message.url)} \\",
            f"  -H {_shell('Authorization: Bearer ' + message.key)} \\",
            "  -H 'Content-Type: application/json' \\",
            f"  -d {_shell(body)}",
        ]
    )


def _python(message: FirstMessage) -> str:
    # What JSON writes for texts and numbers is Python too.
    fields = ",\n".join(f"    {json.dumps(n)}: {json.dumps(v, ensure_ascii=False)}" for n, v in message.body.items())
    return f"""import json
import urllib.request

message = {{
{fields},
}}
request = urllib.request.Request(
    {json.dumps(message.url)},
    data=json.dumps(message).encode(),
    headers={{
        "Authorization": {json.dumps("Bearer " + message.key)},
        "Content-Type": "application/json",
    }},
)
with urllib.request.urlopen(request) as answer:
    print(json.load(answer))"""


def _javascript(message: FirstMessage) -> str:
    fields = ",\n".join(f"    {n}: {json.dumps(v, ensure_ascii=False)}" for n, v in message.body.items())
    return f"""const answer = await fetch({json.dumps(message.url)}, {{
  method: "POST",
  headers: {{
    "Authorization": {json.dumps("Bearer " + message.key)},
    "Content-Type": "application/json",
  }},
  body: JSON.stringify({{
{fields},
  }}),
}});
console.log(await answer.json());"""


def _php(message: FirstMessage) -> str:
    fields = ",\n".join(f"        {_single(n)} => {_php_value(v)}" for n, v in message.body.items())
    return f"""<?php
$call = curl_init({_single(message.url)});
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_HTTPHEADER => [
        {_single("Authorization: Bearer " + message.key)},
        'Content-Type: application/json',
    ],
    CURLOPT_POSTFIELDS => json_encode([
{fields},
    ]),
]);
print_r(json_decode(curl_exec($call), true));"""


def _shell(text: str) -> str:
    """A word of a shell command; a quote inside ends the quotes, stands alone, and begins them again."""
    return "'" + text.replace("'", "'\\''") + "'"


def _single(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _php_value(value: str | int) -> str:
    return str(value) if isinstance(value, int) else _single(value)
