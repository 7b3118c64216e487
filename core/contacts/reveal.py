"""Showing a contact's documents whole, to a person who answers for it."""

from core import audit
from core.contacts.documents import DocumentsRecord, revealed_documents
from core.contacts.queries import contact_row
from core.foundation.clock import now
from core.foundation.database.transactions import transaction
from core.foundation.dry_run import refuse_dry_run
from core.foundation.errors import Forbidden
from core.foundation.security.caller import Caller, Scope


async def reveal_documents(caller: Caller, id: str) -> DocumentsRecord:
    """The documents that the contact has, in clear; the look is audited.

    Only in a session: an API key is refused whatever its scopes. Raises Forbidden, NotFound and NotRehearsable.
    """
    caller.require(Scope.CONTACTS_PII)
    if caller.kind != "session":
        raise Forbidden(
            "Documents are shown in a dashboard session only; an API key cannot reveal them.",
            meta={"escopoExigido": Scope.CONTACTS_PII.value},
        )
    refuse_dry_run()  # a look that is shown and not audited
    async with transaction():
        documents = revealed_documents(await contact_row(caller, id))
        await audit.write_entry(
            caller, "contact.document_revealed", id, {"campos": list(documents)}, at=now()
        )
    return documents
