"""Why a message was sent, or why not."""

from typing import Annotated, cast

import strawberry
from strawberry.types import Info

from core.decisions import (
    DecisionFilter,
    DecisionPage,
    DecisionRecord,
    ExplanationRecord,
    SendQuestion,
)
from core.foundation.errors import NotFound
from core.read_models import decisions
from core.read_models.decisions import list_decisions
from core.read_models.explain_send import explain_send
from graphql_api.context import caller_of
from graphql_api.mutations import mutation_field, mutation_type
from graphql_api.records import type_of

Decision = type_of(DecisionRecord)
SendExplanation = type_of(ExplanationRecord)

ID = "The id that the refusal named, or the message's own"


async def _decision(
    info: Info, id: Annotated[strawberry.ID, strawberry.argument(description=ID)]
) -> Decision | None:
    try:
        return cast("Decision", await decisions.get_decision(caller_of(info), id))
    except NotFound:
        return None


@strawberry.type
class DecisionQueries:
    decision: Decision | None = strawberry.field(
        resolver=_decision,
        description=(
            "The decision about a refused send (`dec_…`) or a message (`msg_…`), rule by rule"
        ),
    )


@mutation_type
class SendExplanations:
    decisions: type_of(DecisionPage) | None = mutation_field(
        list_decisions,
        DecisionFilter,
        scope=None,
        optional=True,
        description="Sends that were refused, newest first, on the channels that one may read.",
    )
    send_explanation: SendExplanation | None = mutation_field(
        explain_send,
        SendQuestion,
        scope=None,
        description="Whether a message could be sent, and when; nothing is sent, charged or kept.",
    )
