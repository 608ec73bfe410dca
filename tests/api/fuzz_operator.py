"""What a fuzzer of the operator's calls cannot know: which accounts and plans there are, and which names are free."""

from __future__ import annotations

from itertools import count
from typing import Any

from tests.product import Product

FRESH = count()


def furnish(product: Product) -> dict[str, Any]:
    """A key for the installation, and an account and a plan that may be changed in every way."""
    name = product.call("GET", "/me")[1]["account"]["name"]
    key = str(product.cli("key", "create", "--account", name, "--operator")["key"])
    spare = product.cli("account", "create", "Spare")["id"]
    product.cli("plan", "set", "spare")
    return {"operator_key": key, "spare_account": spare}


def fit(operation: str, case: Any, facts: dict[str, Any]) -> None:
    path, body = case.path_parameters or {}, case.body
    if "account_id" in path:
        path["account_id"] = facts["spare_account"]
    if "plan_name" in path:
        path["plan_name"] = "spare"
    if not isinstance(body, dict):
        return
    # Names and payments are there once; a plan must exist.
    if operation in ("createAccount", "createPlan"):
        body["name"] = f"fresh {next(FRESH)}"
    if operation in ("createAccount", "changeAccount") and body.get("plan") is not None:
        body["plan"] = "spare"
    if operation == "topUpAccount":
        body["reference"] = f"payment {next(FRESH)}"
