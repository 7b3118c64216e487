"""Why a message was sent, or why not."""

from core.decisions import (
    DecisionFilter,
    DecisionPage,
    DecisionRecord,
    ExplanationRecord,
    SendQuestion,
)
from core.foundation.records import WrittenPage
from core.read_models import decisions
from core.read_models.explain_send import explain_send as explain_send_of
from rest_api.decisions import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import DECISION, MESSAGE


async def list_decisions(call: Call[None, DecisionFilter]) -> WrittenPage[DecisionPage]:
    return await decisions.list_decisions(call.caller, call.query)


async def get_decision(call: Call) -> DecisionRecord:
    return await decisions.get_decision(call.caller, call.path["id"])


async def get_decision_of_message(call: Call) -> DecisionRecord:
    return await decisions.get_decision_of_message(call.caller, call.path["id"])


async def explain_send(call: Call[SendQuestion]) -> ExplanationRecord:
    return await explain_send_of(call.caller, call.body)


operations = [
    Operation(
        "POST",
        "/v2/decisions/explicar",
        explain_send,
        None,
        "Ask whether a message could be sent, and when",
        "Decisions",
        description=(
            "The send itself, made at that instant and taken back: the same rules in the same "
            "order, and nothing is sent, charged or kept. Whoever may read the channel may ask. "
            "Rules are as they stand now, whatever the instant."
        ),
        errors=(400, 401, 403, 409, 422),
        body=SendQuestion,
        answer=ExplanationRecord,
        examples={"an SMS": examples.QUESTION},
        answers={"it is refused": examples.EXPLAINED},
    ),
    Operation(
        "GET",
        "/v2/decisions",
        list_decisions,
        None,
        "List the sends that were refused, newest first",
        "Decisions",
        description=(
            "Each with the rule that stopped it and what to do about it, on the channels that the "
            "credential may read. At most 50 a second are kept of an environment, for 90 days."
        ),
        errors=(401, 403, 422),
        query=DecisionFilter,
        answer=DecisionPage,
        answers={"one page": examples.PAGE},
    ),
    Operation(
        "GET",
        "/v2/decisions/{id}",
        get_decision,
        None,
        "Read why a send was refused, or what became of a message",
        "Decisions",
        description=(
            "`dec_…` stands in `meta.decisaoId` of the refusal; a message's own id answers the "
            "trace of the message."
        ),
        errors=(401, 403, 404),
        answer=DecisionRecord,
        answers={"a refused send": examples.REFUSED, "a message": examples.SENT},
        ids={"id": DECISION},
    ),
    Operation(
        "GET",
        "/v2/messages/{id}/decisao",
        get_decision_of_message,
        None,
        "Read why a message was sent, or why it was not delivered",
        "Decisions",
        errors=(401, 403, 404),
        answer=DecisionRecord,
        answers={"a message": examples.SENT},
        ids={"id": MESSAGE},
    ),
]
