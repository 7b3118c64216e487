"""Attaching a file to a card."""

import asyncio
from hashlib import sha256

from core.cards.files.record import CardFileRecord, file_record
from core.cards.models import CardFile
from core.cards.queries import hold_card
from core.foundation import files as file_store
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.dry_run import refuse_dry_run
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.files import Upload
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope

MAX_BYTES = 25_000_000
MAX_FILES = 50


class TooManyFiles(ValidationFailed):
    default_detail = f"A card holds {MAX_FILES} files at most; delete one first."

    def __init__(self) -> None:
        super().__init__(
            errors=[
                FieldError("pointer", "", "too_many", f"The card has {MAX_FILES} files already")
            ]
        )


async def attach_file(caller: Caller, card_id: str, upload: Upload) -> CardFileRecord:
    """The record of the file. Its type is read from the bytes. Raises NotFound, TooManyFiles,
    StoreAway.
    """
    caller.require(Scope.CRM_WRITE)
    refuse_dry_run()
    async with transaction():
        await _hold_with_room(caller, card_id)
        id = new_id("arq")
        key = f"{caller.organization_id}/{id}"
        await file_store.announce(caller, key)
    digest = await asyncio.to_thread(lambda: sha256(upload.content).hexdigest())
    mime_type = file_store.mime_type_of(upload.content, declared=upload.declared_type)
    await file_store.blob_store().put(key, upload.content)
    async with transaction():
        await _hold_with_room(caller, card_id)
        await file_store.adopt(key)
        file = await CardFile.create(
            id=id,
            card_id=card_id,
            name=upload.name,
            mime_type=mime_type,
            size=len(upload.content),
            sha256=digest,
            blob_key=key,
            created_by_id=caller.account_id or caller.organization_id,
            created_at=now(),
            **owned_by(caller),
        )
    return file_record(vars(file))


async def _hold_with_room(caller: Caller, card_id: str) -> None:
    """The card stays until the transaction ends, and nobody attaches to it meanwhile."""
    await hold_card(caller, card_id, lock="UPDATE")
    if await CardFile.visible_to(caller).filter(card_id=card_id).count() >= MAX_FILES:
        raise TooManyFiles
