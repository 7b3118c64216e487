"""The decision trace: why a message was sent, or why not."""

from core import decisions
from core.decisions import RefusedSend
from core.foundation.errors import Forbidden
from core.foundation.security.caller import Caller
from tests.contract.table import Endpoint, Limit, Page, Refusal
from tests.contract.world import World
from tests.factories.messages import a_message


async def a_refusal(caller: Caller) -> str:
    """A send that was refused for want of a scope."""
    refusal = Forbidden()
    await decisions.keep_refusal(caller, "sms", refusal)
    assert refusal.decision_id is not None
    return refusal.decision_id


RECORDS = {"refused send": a_refusal, "decided message": a_message}

ENDPOINTS = [
    Endpoint(
        address="GET /v2/decisions",
        scope=None,
        errors="401 403 422",
        parameters="contactId requestId regra* canal* from* to* limit* cursor",
    ),
    Endpoint(
        address="GET /v2/decisions/{id}",
        scope=None,
        errors="401 403 404",
        ids={"id": "<refused send>"},
    ),
    Endpoint(
        address="GET /v2/messages/{id}/decisao",
        scope=None,
        errors="401 403 404",
        ids={"id": "<decided message>"},
    ),
]

LIMITS = [
    Limit(address="GET /v2/decisions", field="?regra", refuses=[("sorte", "not_allowed")]),
    Limit(address="GET /v2/decisions", field="?canal", refuses=[("fax", "not_allowed")]),
]

REFUSALS = [
    Refusal(
        status=403,
        address=endpoint.address,
        proven_by="tests/core/read_models/test_decisions.py::test_who_may_not_read_a_channel_is_not_told",
    )
    for endpoint in ENDPOINTS
]


async def refusals(world: World, count: int) -> None:
    """So many refused sends, of which no more than fifty a second are kept: the rest is written here."""
    id = await a_refusal(world.caller)
    kept = await RefusedSend.get(id=id)
    others = [
        {
            **{field: getattr(kept, field) for field in kept._meta.db_fields},
            "id": f"dec_{place:021}",
        }
        for place in range(count - 1)
    ]
    await RefusedSend.bulk_create([RefusedSend(**fields) for fields in others])


PAGES = [Page(address="GET /v2/decisions", skips=False, fill=refusals)]
