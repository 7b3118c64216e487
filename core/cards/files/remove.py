"""Deleting files, one by one or with their cards."""

from collections.abc import Sequence

from core.foundation import files as file_store
from core.foundation.absent import existing
from core.foundation.database import db
from core.foundation.database.rows import column
from core.foundation.database.transactions import transaction
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, Scope


async def remove_file(caller: Caller, id: str) -> None:
    """The record and its bytes. Raises NotFound."""
    caller.require(Scope.CRM_DELETE)
    async with transaction():
        key = existing(
            await db.fetchval(
                "DELETE FROM card_files WHERE organization_id = $1 AND env = $2 AND id = $3 "
                "RETURNING blob_key",
                caller.organization_id,
                caller.env,
                well_formed_id("arq", id),
            )
        )
        await file_store.discard(caller, [key])
    await file_store.remove_now([key])


async def remove_files_of(caller: Caller, card_ids: Sequence[str]) -> int:
    """Delete the files of cards that are being deleted, in their transaction. Answers how many
    there were.
    """
    rows = await db.fetch(
        "DELETE FROM card_files WHERE organization_id = $1 AND env = $2 AND card_id = ANY ($3) "
        "RETURNING blob_key",
        caller.organization_id,
        caller.env,
        list(card_ids),
    )
    await file_store.discard(caller, column(rows, "blob_key"))
    return len(rows)
