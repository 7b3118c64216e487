"""What is kept of a card besides itself: what is to be done, what happened, its files; read field
by field.
"""

from collections.abc import Mapping, Sequence

import orjson

from core.cards.activities.record import ACTIVITY as ACTIVITY_RECORD
from core.cards.files.listing import URL_TTL
from core.cards.files.record import CARD_FILE as FILE_RECORD
from core.cards.history import HISTORY as HISTORY_RECORD
from core.foundation.database.where import Where
from core.foundation.files import blob_store
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Order,
    OrderKey,
    SelectedRelation,
    fields_of,
)

# Open ones by when they are due, then done ones, the latest first: all of it as numbers that grow.
TO_DO = Order(
    "a fazer",
    (
        OrderKey("CASE WHEN {t}.done_at IS NULL THEN 0 ELSE 1 END", "numeric"),
        OrderKey(
            "CASE WHEN {t}.done_at IS NULL THEN coalesce(extract(epoch FROM {t}.due_at), 1e15) "
            "ELSE -extract(epoch FROM {t}.done_at) END",
            "numeric",
        ),
        OrderKey("(-extract(epoch FROM {t}.created_at))", "numeric"),
        OrderKey("{t}.id", "text"),
    ),
)


LATEST = Order(
    "latest", (OrderKey("{t}.at", "timestamptz"), OrderKey("{t}.id", "text")), descending=True
)

OPENED_BY = "json_build_array({p}.blob_key, {p}.name, {p}.mime_type)::text"
"""What the address of a file is made of."""


async def urls_of(
    caller: Caller, files: Sequence[str], selected: SelectedRelation
) -> Mapping[str, str]:
    """Addresses that open files for an hour, without a credential."""
    urls = await blob_store().signed_urls([*map(orjson.loads, files)], seconds=URL_TTL)
    return dict(zip(files, urls, strict=True))


def _narrow_activities(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    if (done := filter.get("concluida")) is not None:
        where.narrow(f"done_at IS {'NOT ' if done else ''}NULL")
    return _narrow_kind(where, caller, filter)


def _narrow_kind(where: Where, caller: Caller, filter: Arguments) -> Sequence[str]:
    if (kind := filter.get("tipo")) is not None:
        where.narrow("kind = {}", kind)
    return ()


ACTIVITY = Entity(
    name="Activity",
    table="card_activities",
    alias="a",
    scope=Scope.CRM_READ,
    prefix="atv",
    fields=fields_of(ACTIVITY_RECORD),
    orders={"": TO_DO},
    narrow=_narrow_activities,
)

HISTORY = Entity(
    name="CardHistoryEntry",
    table="card_history",
    alias="h",
    scope=Scope.CRM_READ,
    prefix="his",
    fields=fields_of(HISTORY_RECORD),
    orders={"": LATEST},
    narrow=_narrow_kind,
)

CARD_FILE = Entity(
    name="CardFile",
    table="card_files",
    alias="f",
    scope=Scope.CRM_READ,
    prefix="arq",
    fields=fields_of(FILE_RECORD),
)
