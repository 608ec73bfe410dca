"""What the form of a line is filled in with."""

from __future__ import annotations

CLOUD = {
    "kind": "cloud",
    "phone_number_id": "1065",
    "access_token": "t0ken",
    "app_secret": "s3cret",
    "verify_token": "w0rd",
}
