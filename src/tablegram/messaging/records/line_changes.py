"""What can be changed of a line."""

from __future__ import annotations

from msgspec import UNSET, Struct, UnsetType


class LineChange(Struct, kw_only=True, frozen=True):
    """What to change of a line; what is not given stays. Of pace and cap, null gives them back to their kind."""

    name: str | UnsetType = UNSET
    pace_milli: int | UnsetType | None = UNSET
    phone_number_id: str | UnsetType = UNSET
    waba_id: str | UnsetType = UNSET
    access_token: str | UnsetType = UNSET
    app_secret: str | UnsetType = UNSET
    verify_token: str | UnsetType = UNSET
    daily_cap: int | UnsetType | None = UNSET
    warm_up: bool | UnsetType = UNSET
    check_numbers: bool | UnsetType = UNSET
    typing: bool | UnsetType = UNSET
    groups: bool | UnsetType = UNSET

    def given(self) -> set[str]:
        return {name for name in self.__struct_fields__ if getattr(self, name) is not UNSET}
