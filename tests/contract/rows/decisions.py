"""The decision trace: why a message was sent, or why not."""

from datetime import timedelta

from core import decisions
from core.decisions import RefusedSend
from core.foundation.clock import now
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

EXPLAIN = "POST /v2/decisions/explicar"

ENDPOINTS = [
    Endpoint(
        address=EXPLAIN,
        scope=None,
        errors="400 401 403 409 422",
        fields="canal! contactId to rota categoria from templateId templateVars[] body em",
        whole="required",
        body={"canal": "sms", "to": "+5511987650005"},
    ),
    Endpoint(
        address="GET /v2/decisions",
        scope=None,
        errors="401 403 422",
        parameters="contactId requestId parteDe regra* canal* from* to* limit* cursor",
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
    Limit(
        address=EXPLAIN,
        field="/canal",
        takes=["sms", "rcs"],
        refuses=[("fax", "not_allowed"), ("push", "not_allowed")],
    ),
    Limit(
        address=EXPLAIN,
        field="/to",
        takes=["+5511987650005", "(11) 98765-0005"],
        refuses=[("", "too_short"), ("12", "invalid_phone"), ("9" * 255, "too_long")],
    ),
    Limit(
        address=EXPLAIN,
        field="/contactId",
        change={"to": None},
        takes=["<contact>"],
        refuses=[("", "too_short"), ("c" * 31, "too_long"), ("cnt_1", "CONTATO_INEXISTENTE")],
    ),
    Limit(
        address=EXPLAIN,
        field="/rota",
        takes=["premium", "otp"],
        refuses=[("", "too_short"), ("r" * 31, "too_long"), ("expresso", "not_allowed")],
    ),
    Limit(
        address=EXPLAIN,
        field="/body",
        takes=["x", "x" * 1600],
        refuses=[("", "too_short"), ("x" * 1601, "too_long"), ("a\x00", "nul")],
    ),
    Limit(
        address=EXPLAIN,
        field="/em",
        takes=[(now() + timedelta(days=7)).isoformat()],
        refuses=[
            ("amanhã", "wrong_format"),
            ((now() + timedelta(days=400)).isoformat(), "too_large"),
        ],
    ),
    Limit(
        address=EXPLAIN,
        field="/templateVars",
        takes=[[], ["Ana"] * 100, ["a" * 1024]],
        refuses=[(["Ana"] * 101, "too_many"), (["a" * 1025], "too_long", "/0")],
    ),
    *(
        Limit(
            address=EXPLAIN,
            field=field,
            takes=["a" * most],
            refuses=[("", "too_short"), ("a" * (most + 1), "too_long")],
        )
        for field, most in (("/from", 254), ("/templateId", 30), ("/categoria", 30))
    ),
]

REFUSALS = [
    Refusal(
        status=403,
        address=endpoint.address,
        proven_by="tests/core/read_models/test_decisions.py::test_who_may_not_read_a_channel_is_not_told",
    )
    for endpoint in ENDPOINTS
    if endpoint.address != EXPLAIN
] + [
    Refusal(
        status=403,
        address=EXPLAIN,
        proven_by="tests/core/read_models/test_explain_send.py::test_who_reads_a_channel_may_ask_and_nobody_else",
    ),
    Refusal(
        status=409,
        address=EXPLAIN,
        meta={"code": "SIMULACAO_OCUPADA"},
        proven_by="tests/rest_api/test_dry_runs.py::test_what_somebody_else_is_changing_is_waited_for_briefly",
    ),
    Refusal(
        status=400,
        address="POST /webhooks/validate",
        meta={"code": "SIMULACAO_NAO_SUPORTADA"},
        proven_by="tests/contract/test_dry_runs.py::test_a_dry_run_leaves_nothing",
    ),
    Refusal(
        status=400,
        address=EXPLAIN,
        wrong={"X-SVC-Dry-Run": "invalid"},
        proven_by="tests/rest_api/test_dry_runs.py::test_a_header_that_is_not_understood_does_nothing",
    ),
    Refusal(
        status=429,
        address="POST /v2/lists",
        proven_by="tests/rest_api/test_dry_runs.py::test_an_organization_has_five_a_second",
    ),
    Refusal(
        status=422,
        address=EXPLAIN,
        change={"contactId": "cnt_NOBODY", "to": ...},
        meta={"code": "CONTATO_INEXISTENTE"},
        wrong={"/contactId": "CONTATO_INEXISTENTE"},
    ),
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
