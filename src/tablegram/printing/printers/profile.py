"""What a printer can do, and how it is reached: given once by people, read whenever bytes are made for it."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Kind = Literal["cloudprnt", "epson", "agent", "direct", "browser", "sandbox"]
KINDS: tuple[Kind, ...] = ("cloudprnt", "epson", "agent", "direct", "browser", "sandbox")

Columns = Literal[32, 42, 48]
CodePage = Literal[
    "cp437", "cp737", "cp775", "cp850", "cp852", "cp857", "cp858", "cp860", "cp861", "cp862", "cp863", "cp864", "cp865",
    "cp866", "cp869", "cp1250", "cp1251", "cp1252", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "cp1258",
    "iso8859_2", "iso8859_7", "iso8859_9", "iso8859_15",
]  # fmt: skip
EpsonVersion = Literal["1.00", "2.00", "3.00"]


class Profile(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Of one printer. Paper of 58 mm has 32 columns and 384 dots, paper of 80 mm 42 or 48 and 576."""

    columns: Columns = 48
    # How letters beyond English are sent as text: the code page, and the number under which this printer has it.
    code_page: CodePage = "cp857"
    slot: Annotated[int, Meta(ge=0, le=255)] = 13
    # `raster` sends every ticket as a picture: slower, and it prints any script.
    mode: Literal["text", "raster"] = "text"
    cut: bool = True
    buzzer: bool = False
    # Opens the drawer with each receipt.
    drawer: bool = False
    dots: Literal[384, 576] = 576
    # Two letters; empty means the venue's own.
    language: Annotated[str, Meta(pattern="^([a-z]{2})?$")] = ""
    # Of a printer that the installation reaches itself (`direct`), or that the agent reaches in its network.
    host: Annotated[str, Meta(max_length=253)] = ""
    port: Annotated[int, Meta(ge=1, le=65535)] = 9100
    # Of an agent's printer: a device file, a CUPS queue, or empty for host and port.
    device: Annotated[str, Meta(max_length=200)] = ""
    epson_version: EpsonVersion = "2.00"
    # Basic (CloudPRNT) or Digest (Epson) authentication, where a name is set. The password is sealed.
    user: Annotated[str, Meta(max_length=80)] = ""
    password: str = ""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(Profile).decode


def write_profile(profile: Profile) -> str:
    return _encode(profile).decode()


def read_profile(raw: str) -> Profile:
    return _decode(raw)
