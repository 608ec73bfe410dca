"""From the entries of a batch to the messages they ask for: all of them, or everything that is wrong with any."""

from __future__ import annotations

import asyncio

from tablegram.accounts.keys.keys import Caller
from tablegram.api.deps import ApiDeps
from tablegram.api.schemas.gateway.batches import (
    BatchButtons,
    BatchContacts,
    BatchList,
    BatchLocation,
    BatchMedia,
    BatchMessage,
    BatchTemplate,
    BatchText,
)
from tablegram.api.sends import drafts
from tablegram.errors import FieldError, Invalid
from tablegram.flows.gateway.sending import Draft
from tablegram.messaging.media import MediaFacts
from tablegram.messaging.model import BULK, Content, Text

# Files looked at side by side: a batch of slow servers must not take minutes, nor open a hundred connections.
LOOKS_AT_ONCE = 16

_File = tuple[str, str | None]


async def batch_drafts(deps: ApiDeps, caller: Caller, messages: list[BatchMessage]) -> list[Draft]:
    """One draft for each entry. A batch never delays a single send, so its entries are `bulk` unless they say more."""
    files = await _look_at_files(deps, caller, messages)
    made: list[Draft] = []
    errors: list[FieldError] = []
    for index, message in enumerate(messages):
        try:
            content, media_id = _content(message, files), _media_id(message, files)
            made.append(await drafts.draft(deps, caller, message, content, BULK, media_id))
        except Invalid as problem:
            errors += [_inside(index, error) for error in problem.errors]
    if errors:
        raise Invalid.fields(errors)
    return made


async def _look_at_files(
    deps: ApiDeps, caller: Caller, messages: list[BatchMessage]
) -> dict[_File, MediaFacts | Invalid]:
    """What is behind each address, each looked at once."""
    turn = asyncio.Semaphore(LOOKS_AT_ONCE)
    found: dict[_File, MediaFacts | Invalid] = {}

    async def look(message: BatchMedia) -> None:
        async with turn:
            try:
                facts: MediaFacts | Invalid = await drafts.look_at(deps, caller, message)
            except Invalid as problem:
                facts = problem
        found[_file(message)] = facts

    wanted = {_file(message): message for message in messages if isinstance(message, BatchMedia)}
    async with asyncio.TaskGroup() as looks:
        for message in wanted.values():
            looks.create_task(look(message))
    return found


def _file(message: BatchMedia) -> _File:
    return message.media_url, message.type


def _media_id(message: BatchMessage, files: dict[_File, MediaFacts | Invalid]) -> str:
    facts = files[_file(message)] if isinstance(message, BatchMedia) else None
    return facts.media_id if isinstance(facts, MediaFacts) else ""


def _content(message: BatchMessage, files: dict[_File, MediaFacts | Invalid]) -> Content:
    match message:
        case BatchText():
            return Text(message.message)
        case BatchMedia():
            facts = files[_file(message)]
            if isinstance(facts, Invalid):
                raise facts
            return drafts.media(message, facts)
        case BatchTemplate():
            return drafts.template(message)
        case BatchLocation():
            return drafts.location(message)
        case BatchContacts():
            return drafts.contacts(message)
        case BatchButtons():
            return drafts.buttons(message)
        case BatchList():
            return drafts.list_menu(message)


def _inside(index: int, error: FieldError) -> FieldError:
    return FieldError(f"messages[{index}].{error.field}", error.code, error.detail)
