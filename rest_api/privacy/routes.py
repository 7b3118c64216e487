"""The operations that span domains: a contact's erasure, and the export for the person."""

from core import privacy
from core.foundation.security.caller import Scope
from rest_api.privacy import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import CONTACT


async def erase_contact(call: Call) -> None:
    await privacy.erase_contact(call.caller, call.path["id"])


async def export_contact(call: Call) -> privacy.PersonalData:
    return await privacy.export_contact(call.caller, call.path["id"])


operations = [
    Operation(
        "DELETE",
        "/contacts/{id}",
        erase_contact,
        Scope.CONTACTS_WRITE,
        "Erase a contact",
        "Contacts",
        description=(
            "For good, in one step: the record, its documents, list memberships and links. "
            "Messages keep status, cost "
            "and dates, with the last four digits of the phone. Who opted out stays unwritten "
            "to, also after a new "
            "import."
        ),
        heavy=True,
        errors=(401, 403, 404),
        status=204,
        ids={"id": CONTACT},
    ),
    Operation(
        "GET",
        "/contacts/{id}/dados",
        export_contact,
        Scope.CONTACTS_PII,
        "Export everything that is stored of a contact",
        "Contacts",
        description="In a dashboard session only; the export is audited. For the right of access "
        "of the LGPD.",
        heavy=True,
        errors=(401, 403, 404),
        answer=privacy.PersonalData,
        answers={"everything": examples.EVERYTHING},
        ids={"id": CONTACT},
    ),
]
