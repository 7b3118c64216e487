"""Who did what, and when."""

from core import audit
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.audit import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call


async def list_entries(call: Call[None, audit.AuditFilter]) -> WrittenPage[audit.AuditPage]:
    return await audit.list_entries(call.caller, call.query)


operations = [
    Operation(
        "GET",
        "/v2/audit",
        list_entries,
        Scope.AUDIT_READ,
        "List what was done, by whom and when, newest first",
        "Audit",
        description=(
            "The trail of the environment of the credential. It is written together with what it "
            "tells of, and never "
            "changes. What concerns the organization as a whole (its opening, its prices) stands "
            "in `live`."
        ),
        errors=(401, 403, 422),
        query=audit.AuditFilter,
        answer=audit.AuditPage,
        answers={"one page": examples.PAGE},
    ),
]
