"""Finding the messages that a report names, by our id or by the provider's."""

from collections.abc import Collection, Sequence
from typing import TypedDict, cast

from core.foundation.database import db
from core.foundation.database.rows import by_column, pairs_of
from core.messaging.stored_message import StoredMessage, fetch_messages


async def lock_matching(
    organization_id: str,
    env: str,
    channel: str | None,
    provider: str,
    mentions: Sequence[tuple[str | None, str | None]],
) -> list[StoredMessage | None]:
    """The message of each (our id, provider's reference), locked in one order for all; our id
    decides. `channel` None: of any channel.

    None where the organization has no such outbound message.
    """
    ids = [id for id, _ in mentions if id is not None]
    references = [reference for _, reference in mentions if reference is not None]
    rows = await fetch_messages(LOCK, organization_id, env, channel, provider, ids, references)
    by_id = by_column(rows, "id")
    by_reference = by_column(rows, "provider_reference")
    return [
        by_id.get(id)
        if id is not None
        else by_reference.get(reference)
        if reference is not None
        else None
        for id, reference in mentions
    ]


class _Known(TypedDict):
    """A message that a provider knows by its reference."""

    id: str
    provider_reference: str
    organization_id: str


async def owners_of_references(provider: str, references: Collection[str]) -> dict[str, str]:
    """The organizations of the live messages that a provider knows by these references. For
    providers that do not say whose message they speak of.
    """
    return pairs_of(await _known(provider, references), "provider_reference", "organization_id")


async def ids_of_references(provider: str, references: Collection[str]) -> dict[str, str]:
    """Our ids of these messages."""
    return pairs_of(await _known(provider, references), "provider_reference", "id")


async def _known(provider: str, references: Collection[str]) -> list[_Known]:
    rows = await db.fetch(
        "SELECT id, provider_reference, organization_id FROM messages "
        "WHERE provider = $1 AND provider_reference = ANY ($2) AND provider <> 'svc-sandbox' "
        "AND env = 'live' AND direction = 'outbound'",
        provider,
        sorted(references),
    )
    return cast("list[_Known]", rows)


async def remember_references(references: Sequence[tuple[str, str]]) -> None:
    """Write the provider's references (message id, reference) where none is known yet."""
    await db.execute_for(
        references,
        "UPDATE messages m SET provider_reference = r.reference "
        "FROM unnest($1::text[], $2::text[]) AS r (id, reference) "
        "WHERE m.id = r.id AND m.provider_reference IS NULL",
        *db.columns(references, 2),
    )


# Two branches, one per index; an OR over both would scan.
LOCK = """
SELECT m.* FROM messages m
WHERE m.id IN (
    SELECT id FROM messages WHERE id = ANY ($5)
    UNION
    SELECT id FROM messages WHERE provider = $4 AND provider_reference = ANY ($6) AND provider <> 'svc-sandbox')
  AND m.organization_id = $1 AND m.env = $2 AND ($3::text IS NULL OR m.channel = $3)
  AND m.provider = $4 AND m.direction = 'outbound'
ORDER BY m.id
FOR UPDATE
"""
