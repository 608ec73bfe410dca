"""A call in curl, Python and JavaScript, to be pasted as it is: nothing has to be installed for it.

The key is read from TABLEGRAM_KEY. The page puts a remembered key in its place; it never comes to the server for that.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

# The texts that the page exchanges for the key that it remembers.
CURL_KEY = "$TABLEGRAM_KEY"
PYTHON_KEY = 'os.environ["TABLEGRAM_KEY"]'
JAVASCRIPT_KEY = "process.env.TABLEGRAM_KEY"

_PRINTED = ("application/json", "text/csv")


@dataclass(frozen=True, slots=True)
class Sample:
    name: str
    label: str
    code: str


@dataclass(frozen=True, slots=True)
class Asked:
    method: str
    url: str
    values: dict[str, str]
    query: dict[str, str]
    body: Any
    takes_file: bool
    # The content type of the answer; empty when there is none.
    answers: str

    @property
    def address(self) -> str:
        path = self.url
        for name, value in self.values.items():
            path = path.replace("{" + name + "}", quote(value, safe=""))
        return f"{path}?{urlencode(self.query)}" if self.query else path


def every(asked: Asked) -> list[Sample]:
    return [
        Sample("curl", "curl", _curl(asked)),
        Sample("python", "Python", _python(asked)),
        Sample("javascript", "JavaScript", _javascript(asked)),
    ]


def pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _curl(asked: Asked) -> str:
    method = "" if asked.method == "GET" or (asked.method == "POST" and _has_body(asked)) else f" -X {asked.method}"
    stream = " -N" if asked.answers == "text/event-stream" else ""
    words = [f"curl -sS{stream}{method} {_shell(asked.address)}", f'-H "Authorization: Bearer {CURL_KEY}"']
    if asked.takes_file:
        words += ["-H 'Content-Type: application/octet-stream'", "--data-binary @file"]
    elif asked.body is not None:
        words += ["-H 'Content-Type: application/json'", f"-d {_shell(pretty(asked.body))}"]
    if _is_file(asked):
        words.append("-o answer")
    return " \\\n  ".join(words)


def _python(asked: Asked) -> str:
    headers = {"Authorization": "key"}
    data = ""
    if asked.takes_file:
        headers["Content-Type"] = "application/octet-stream"
        data = '    data=open("file", "rb").read(),\n'
    elif asked.body is not None:
        headers["Content-Type"] = "application/json"
        data = "    data=json.dumps(body).encode(),\n"
    fields = "".join(f"        {json.dumps(name)}: {json.dumps(value)},\n" for name, value in headers.items())
    fields = fields.replace('"key"', f'"Bearer " + {PYTHON_KEY}')
    body = f"body = {_literal(asked.body)}\n" if asked.body is not None else ""
    if asked.answers == "text/event-stream":
        ending = '    for line in answer:\n        print(line.decode(), end="")'
    elif _is_file(asked):
        ending = '    open("answer", "wb").write(answer.read())'
    elif asked.answers == "application/json":
        ending = "    print(json.dumps(json.load(answer), ensure_ascii=False, indent=2))"
    else:
        ending = "    print(answer.status, answer.read().decode())"
    imports = (
        "import json\nimport os\nimport urllib.request"
        if "json." in data + ending
        else "import os\nimport urllib.request"
    )
    return (
        f"{imports}\n\n{body}request = urllib.request.Request(\n    {json.dumps(asked.address)},\n{data}"
        f"    headers={{\n{fields}    }},\n    method={json.dumps(asked.method)},\n)\n"
        f"with urllib.request.urlopen(request) as answer:\n{ending}"
    )


def _javascript(asked: Asked) -> str:
    headers = [f"    Authorization: `Bearer ${{{JAVASCRIPT_KEY}}}`,"]
    body = ""
    if asked.takes_file:
        headers.append('    "Content-Type": "application/octet-stream",')
        body = '  body: await (await import("node:fs")).openAsBlob("file"),\n'
    elif asked.body is not None:
        headers.append('    "Content-Type": "application/json",')
        body = f"  body: JSON.stringify({_indented(pretty(asked.body))}),\n"
    if asked.answers == "text/event-stream":
        ending = "for await (const part of answer.body) console.log(new TextDecoder().decode(part));"
    elif _is_file(asked):
        ending = '(await import("node:fs")).writeFileSync("answer", Buffer.from(await answer.arrayBuffer()));'
    elif asked.answers == "application/json":
        ending = "console.log(JSON.stringify(await answer.json(), null, 2));"
    else:
        ending = "console.log(answer.status, await answer.text());"
    return (
        f"const answer = await fetch({json.dumps(asked.address)}, {{\n  method: {json.dumps(asked.method)},\n"
        f"  headers: {{\n" + "\n".join(headers) + f"\n  }},\n{body}}});\n{ending}"
    )


def _has_body(asked: Asked) -> bool:
    return asked.takes_file or asked.body is not None


def _is_file(asked: Asked) -> bool:
    return bool(asked.answers) and asked.answers not in (*_PRINTED, "text/event-stream")


def _shell(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def _indented(text: str) -> str:
    return text.replace("\n", "\n  ")


def _literal(value: Any, depth: int = 0) -> str:
    """JSON's values as Python writes them."""
    inner, outer = "    " * (depth + 1), "    " * depth
    if isinstance(value, dict) and value:
        rows = "".join(f"{inner}{_quoted(name)}: {_literal(one, depth + 1)},\n" for name, one in value.items())
        return f"{{\n{rows}{outer}}}"
    if isinstance(value, list) and value:
        rows = "".join(f"{inner}{_literal(one, depth + 1)},\n" for one in value)
        return f"[\n{rows}{outer}]"
    return _quoted(value) if isinstance(value, str) else repr(value)


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
