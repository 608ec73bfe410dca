"""The pay page. Its address is its key; it works without a script, and leaves the payer's way back as a plain link.

GET  /sandbox/pay/{reference}            ?lang=&step=3d&wrong=&refused=
POST /sandbox/pay/{reference}            play=pay|step|late|twice|other|refuse|expire, or code= of the 3-D step
GET  /sandbox/pay/{reference}/{file}     its styles
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast, get_args
from urllib.parse import parse_qs

from litestar import Request, Response, get, post
from litestar.di import NamedDependency
from litestar.params import FromPath
from litestar.response import Redirect

from tablegram.errors import Invalid, NotFound
from tablegram.sandbox.network import Network
from tablegram.sandbox.page.routes import POLICY, choose_language, pages, words
from tablegram.sandbox.payments.desk import Outcome, SandboxPayment
from tablegram.values.money import written
from tablegram.values.words import LANGUAGES
from tablegram.web import STATIC as SHARED
from tablegram.web.assets import Shelf, read_folders
from tablegram.web.guards import page_headers
from tablegram.web.static_file import static_answer

SHELF = Shelf(lambda: read_folders(SHARED, Path(__file__).parent / "static"))
MAX_FORM_BYTES = 2_000
# What the bank of the 3-D step has sent to the phone of whoever plays.
CODE = "1234"
_FILES = ("tokens.css", "pay.css", "mark.svg")
_FIRST, _MORE = ("pay", "step", "refuse"), ("late", "twice", "other", "expire")


@get("/pay/{reference:str}")
async def pay_page(
    request: Request[Any, Any, Any], network: NamedDependency[Network], reference: FromPath[str]
) -> Response[str]:
    payment, asked = _payment(network, reference), request.query_params
    wish = asked.get("lang") or (payment.language if payment.language in LANGUAGES else None)
    language = choose_language(wish, request.headers.get("accept-language", ""))
    step = asked.get("step") == "3d" and payment.state == "open"
    text = pages.get_template("pay.html").render(
        language=language, languages=LANGUAGES, words=words(language), version=SHELF.edition, payment=payment,
        other_words={one: words(one) for one in LANGUAGES}, first=_FIRST, more=_MORE, step=step, code=CODE,
        wrong="wrong" in asked, refused="refused" in asked, money=lambda amount: written(amount, payment.currency, language),
    )  # fmt: skip
    # Others are told nothing of the address; our own form says where it comes from.
    return Response(text, media_type="text/html", headers=page_headers(POLICY, language, "same-origin"))


@post("/pay/{reference:str}", status_code=303)
async def play(
    request: Request[Any, Any, Any], network: NamedDependency[Network], reference: FromPath[str]
) -> Redirect:
    payment, form = _payment(network, reference), await _form(request)
    here, language = f"/sandbox/pay/{payment.reference}", form.get("lang", "")
    stay = f"&lang={language}" if language in LANGUAGES else ""
    if form.get("play") == "step":
        return Redirect(f"{here}?step=3d{stay}", status_code=303)
    if "code" in form and form["code"].strip() != CODE:
        return Redirect(f"{here}?step=3d&wrong=1{stay}", status_code=303)
    outcome = "pay" if "code" in form else form.get("play", "")
    if outcome not in get_args(Outcome):
        raise Invalid.field("play", "play_unknown", f"play is one of step, {', '.join(get_args(Outcome))}.")
    after = network.desk.play(payment, cast(Outcome, outcome))
    network.teller.wake()
    if outcome == "refuse" and after.state == "open":
        return Redirect(f"{here}?refused=1{stay}", status_code=303)
    return Redirect(f"{here}?{stay.removeprefix('&')}".rstrip("?"), status_code=303)


@get("/pay/{reference:str}/{name:str}")
async def pay_file(request: Request[Any, Any, Any], reference: FromPath[str], name: FromPath[str]) -> Response[bytes]:
    if name not in _FILES:
        raise NotFound(f"There is no file {name[:80]!r}.")
    found = static_answer(request, SHELF.find(name), SHELF.keep(request.query_params.get("v", "")))
    found.headers["X-Content-Type-Options"] = "nosniff"
    return found


def _payment(network: Network, reference: str) -> SandboxPayment:
    found = network.desk.find(reference) if reference.isascii() and len(reference) <= 60 else None
    if found is None:
        raise NotFound("There is no such payment.", code="payment_unknown")
    return found


async def _form(request: Request[Any, Any, Any]) -> dict[str, str]:
    raw = await request.body()
    try:
        fields = parse_qs(raw[:MAX_FORM_BYTES].decode("ascii"), max_num_fields=10)
    except ValueError:
        raise Invalid("The form cannot be read.") from None
    return {name: values[0] for name, values in fields.items()}


HANDLERS = [pay_page, play, pay_file]
