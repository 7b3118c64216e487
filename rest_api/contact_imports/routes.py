"""The operation that brings contacts in."""

from core import contact_imports
from core.foundation.security.caller import Scope
from rest_api.contact_imports import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call

BODY_LIMIT = 50_000_000


async def import_contacts(call: Call[contact_imports.ContactImport]) -> contact_imports.ImportDone:
    return await contact_imports.import_contacts(call.caller, call.body)


operations = [
    Operation(
        "POST",
        "/contacts/import",
        import_contacts,
        Scope.CONTACTS_WRITE,
        "Create and change many contacts",
        "Contacts",
        description=(
            "At most 10,000 lines in the format of creation. Good lines enter even when others "
            "fail. A line about a "
            "contact that exists changes only the fields that it has, and never makes a denied "
            "consent granted without "
            "an `optIn.at` later than the revocation. `simular` answers what would happen and "
            "changes nothing."
        ),
        heavy=True,
        errors=(400, 401, 403, 422),
        body=contact_imports.ContactImport,
        body_limit=BODY_LIMIT,
        answer=contact_imports.ImportDone,
        answers={"done": examples.DONE, "one line was faulty": examples.ONE_FAULTY},
        examples={"two lines": examples.TWO_LINES, "only try it": examples.TRIED},
    ),
]
