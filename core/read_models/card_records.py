"""What is kept of a card besides itself: what is to be done, what happened, its files; read field
by field.
"""

import asyncio
from collections.abc import Mapping, Sequence

import orjson

from core.cards.files.listing import URL_TTL
from core.foundation.database.where import Where
from core.foundation.files import Served, blob_store
from core.foundation.security.caller import Caller, Scope
from core.read_models.query_compiler import (
    Arguments,
    Entity,
    Field,
    Key,
    Order,
    SelectedRelation,
    column,
    time,
)

ACTIVITY_FIELDS = {
    "id": column("id"),
    "cardId": column("card_id"),
    "tipo": column("kind"),
    "titulo": column("title"),
    "texto": column("text"),
    "venceEm": time("due_at"),
    "concluidaEm": time("done_at"),
    "responsavelId": column("owner_id"),
    "messageId": column("message_id"),
    "createdById": column("created_by_id"),
    "createdAt": time("created_at"),
    "updatedAt": time("updated_at"),
}

# Open ones by when they are due, then done ones, the latest first: all of it as numbers that grow.
TO_DO = Order(
    "a fazer",
    (
        Key("CASE WHEN {t}.done_at IS NULL THEN 0 ELSE 1 END", "numeric"),
        Key(
            "CASE WHEN {t}.done_at IS NULL THEN coalesce(extract(epoch FROM {t}.due_at), 1e15) "
            "ELSE -extract(epoch FROM {t}.done_at) END",
            "numeric",
        ),
        Key("(-extract(epoch FROM {t}.created_at))", "numeric"),
        Key("{t}.id", "text"),
    ),
)


def _stage_of_the_time(side: str) -> Field:
    return Field(
        f"CASE WHEN {{t}}.{side}_stage_id IS NOT NULL AND {{t}}.{side}_name IS NOT NULL "
        f"THEN json_build_object('etapaId', {{t}}.{side}_stage_id, 'nome', {{t}}.{side}_name) END"
    )


HISTORY_FIELDS = {
    "id": column("id"),
    "tipo": column("kind"),
    "de": _stage_of_the_time("from"),
    "para": _stage_of_the_time("to"),
    "campo": column("field"),
    "entrouEm": time("entered_at"),
    "saiuEm": time("left_at"),
    "duracaoSegundos": column("seconds"),
    "motivoPerdaId": column("lost_reason_id"),
    "porId": column("by_id"),
    "porNome": column("by_name"),
    "em": time("at"),
}

LATEST = Order("latest", (Key("{t}.at", "timestamptz"), Key("{t}.id", "text")), descending=True)

FILE_FIELDS = {
    "id": column("id"),
    "cardId": column("card_id"),
    "nome": column("name"),
    "mimeType": column("mime_type"),
    "tamanho": column("size"),
    "sha256": column("sha256"),
    "createdById": column("created_by_id"),
    "createdAt": time("created_at"),
}

OPENED_BY = "json_build_array({p}.blob_key, {p}.name, {p}.mime_type)::text"
"""What the address of a file is made of."""


async def urls_of(
    caller: Caller, files: Sequence[str], selected: SelectedRelation
) -> Mapping[str, str]:
    """Addresses that open files for an hour, without a credential."""
    store = blob_store()

    async def url(file: str) -> str:
        key, name, mime_type = orjson.loads(file)
        return await store.signed_url(key, Served(name, mime_type), seconds=URL_TTL)

    return dict(zip(files, await asyncio.gather(*map(url, files)), strict=True))


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
    fields=ACTIVITY_FIELDS,
    orders={"": TO_DO},
    narrow=_narrow_activities,
)

HISTORY = Entity(
    name="CardHistoryEntry",
    table="card_history",
    alias="h",
    scope=Scope.CRM_READ,
    prefix="his",
    fields=HISTORY_FIELDS,
    orders={"": LATEST},
    narrow=_narrow_kind,
)

CARD_FILE = Entity(
    name="CardFile",
    table="card_files",
    alias="f",
    scope=Scope.CRM_READ,
    prefix="arq",
    fields=FILE_FIELDS,
)
