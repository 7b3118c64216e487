"""Use cases: read one conversational message, and pages of them."""

from collections.abc import Set
from datetime import datetime

from pydantic import TypeAdapter, ValidationError

from core.conversations.inputs import MessageFilter
from core.conversations.record import (
    CONVERSATION_MESSAGE,
    SENDER_NAME,
    ConversationPage,
    ConversationRecord,
    message_record,
    names_of,
)
from core.foundation.absent import existing
from core.foundation.database.pages import UnreadableCursor, cut, read_cursor
from core.foundation.database.where import Where
from core.foundation.ids import well_formed_id
from core.foundation.records import WrittenPage, read_rows
from core.foundation.security.caller import Caller, Scope
from core.foundation.validation.inputs import UtcTime
from core.messaging import CONVERSATIONS, StoredMessage, fetch_message

CHANNELS = [channel.value for channel in CONVERSATIONS]
OURS = "channel IN ('whatsapp', 'instagram')"
ONLY_OURS = {"number_id", "batch_id", "sent_by_account_id"}
"""Filters with an index, on columns that messages of other channels do not have."""

OTHERS_TOO = {"contact_id", "campaign_id"}
"""Filters with an index in which messages of all channels stand."""

COUNTED = {"status", "limit", "skip", "cursor"}
"""What may be asked for without counting."""

MAX_SKIP = 10_000_000
"""Beyond this many rows a page by `skip` is empty; deep readers follow the cursor."""

_time = TypeAdapter[datetime](UtcTime)


async def get_message(caller: Caller, id: str) -> ConversationRecord:
    """One message of the caller's organization and environment. Raises NotFound."""
    caller.require(Scope.MESSAGES_READ)
    row = await message_row(caller, id)
    names = await names_of(caller.organization_id, [row])
    return message_record(row, masked=not caller.sees_personal_data, names=names)


async def message_row(caller: Caller, id: str) -> StoredMessage:
    """The row of a conversational message of the caller's. Raises NotFound."""
    return existing(
        await fetch_message(
            ONE, caller.organization_id, caller.env, well_formed_id("msg", id), CHANNELS
        )
    )


async def list_messages(caller: Caller, filter: MessageFilter) -> WrittenPage[ConversationPage]:
    """A page, newest first.

    A cursor or a time that cannot be read gives an empty page, never the first one: that would loop
    a synchronisation.
    """
    caller.require(Scope.MESSAGES_READ)
    where = Where.visible_to(caller)
    warnings = narrow_messages(where, filter)
    place = None
    if filter.cursor is not None:
        try:
            place = read_cursor(filter.cursor)
        except UnreadableCursor:
            warnings.append("cursor_invalido")
    if warnings:
        return WrittenPage([], 0, warnings=warnings)
    asked = {name for name in filter.model_fields_set if getattr(filter, name) is not None}
    total = _total(asked, str(where))
    if place is not None:
        where.narrow("(created_at, id) < ({}, {})", *place)
    limit, skip = cut(filter.limit), min(filter.skip, MAX_SKIP)
    read = await read_rows(
        caller,
        CONVERSATION_MESSAGE,
        _page(asked, str(where), limit + 1, skip),
        where.values,
        order="created_at DESC, id DESC",
        place=("created_at", "id"),
        total=total,
        limit=limit,
        keeps_plan=filter.is_plain,
    )
    return WrittenPage(read.items, read.total, read.next_cursor)


def narrow_messages(where: Where, filter: MessageFilter) -> list[str]:
    """Add the conditions that are asked for. Answers warnings about times that cannot be read."""
    where.narrow_given(
        ("status = {}", filter.status),
        ("number_id = {}", filter.number_id),
        ("contact_id = {}", filter.contact_id),
        ("campaign_id = {}", filter.campaign_id),
        ("batch_id = {}", filter.batch_id),
        ("sent_by_account_id = {}", filter.sent_by_account_id),
    )
    warnings: list[str] = []
    where.narrow_period(
        "created_at", _read("from", filter.from_, warnings), _read("to", filter.to, warnings)
    )
    return warnings


def _read(name: str, text: str | None, warnings: list[str]) -> datetime | None:
    """A time; one that cannot be read is named among the warnings."""
    try:
        return None if text is None else _time.validate_python(text)
    except ValidationError:
        warnings.append(f"{name}_invalido")
        return None


def _total(asked: Set[str], where: str) -> str:
    """From the counts that are kept, unless something is asked that they do not know."""
    if asked <= COUNTED:
        return (
            f"SELECT coalesce(sum(delta), 0)::bigint FROM message_counts WHERE {where} AND {OURS}"
        )
    return (
        f"SELECT count(*) FROM messages WHERE {where}{'' if asked & ONLY_OURS else f' AND {OURS}'}"
    )


def _page(asked: Set[str], where: str, limit: int, skip: int) -> str:
    """In the order of an index, that of the filter or, without one, that of each channel: a
    condition on several channels would lose its order.
    """
    if asked & ONLY_OURS:
        wheres = [where]
    elif asked & OTHERS_TOO:
        wheres = [f"{where} AND {OURS}"]
    else:
        wheres = [f"{where} AND channel = '{channel}'" for channel in CHANNELS]
    branches = " UNION ALL ".join(
        f"(SELECT id, created_at FROM messages WHERE {where} ORDER BY created_at DESC, id DESC LIMIT {limit + skip})"
        for where in wheres
    )
    return f"""
        SELECT m.*, {SENDER_NAME} FROM messages m JOIN (
            SELECT id FROM ({branches}) AS branch ORDER BY created_at DESC, id DESC LIMIT {limit} OFFSET {skip}
        ) AS shown USING (id)
        ORDER BY m.created_at DESC, m.id DESC"""


ONE = (
    "SELECT * FROM messages WHERE organization_id = $1 AND env = $2 AND id = $3 "
    "AND channel = ANY ($4)"
)
