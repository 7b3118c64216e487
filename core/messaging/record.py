"""What the answers about messages of several channels have in common."""

from typing import Annotated, Any, NotRequired, TypedDict
from uuid import UUID

from pydantic import WithJsonSchema

from core.foundation.described_enum import DescribedEnum
from core.foundation.records import Column, Doc, Id, Instant, Made, Masked, named
from core.foundation.run_id import run_id, run_id_sql
from core.foundation.security.caller import Environment
from core.foundation.validation.inputs import METADATA_SCHEMA
from core.foundation.validation.phones import mask_phone
from core.messaging.models import Direction

IdOfMessage = Annotated[Id, Doc("Names the message")]
EnvOfMessage = Annotated[Environment, Doc("The environment of the key that sent it")]
PhoneOfMessage = Annotated[
    str,
    Column("recipient"),
    Masked(mask_phone),
    Doc("The recipient's phone in E.164; masked without pii:full"),
]
ContactOfMessage = Annotated[Id, Doc("The contact that it goes to")]
CampaignOfMessage = Annotated[str, Doc("A tag of your own for the messages of one campaign")]
MetadataOfMessage = Annotated[
    dict[str, Any], WithJsonSchema(METADATA_SCHEMA), Doc("What your system sent along with it")
]
QuoteOfMessage = Annotated[str, Doc("The quote whose prices it paid at most")]
AcceptedTime = Annotated[Instant, Doc("When it was accepted")]
ScheduledTime = Annotated[Instant, Doc("When it is to leave, of what is sent with a time")]
SentTime = Annotated[Instant, Doc("When the provider took it")]
DeliveredTime = Annotated[Instant, Doc("When it arrived, as the carrier tells it")]
ReadTime = Annotated[Instant, Doc("When the recipient opened it, where that is told")]
FailedTime = Annotated[Instant, Doc("When it was known not to arrive")]
ReplayMark = Annotated[
    bool, Doc("True: nothing new was sent, an earlier request had the same Idempotency-Key")
]


class OriginKind(DescribedEnum, rest="MessageOriginKind", graphql="MessageOriginKind"):
    """What had a message sent."""

    API = "api", "A request: of a system, or of somebody at the console"
    SMPP = "smpp", "A client that is bound over SMPP"
    JOURNEY = "journey", "A step of a journey"


@named(graphql="MessageOrigin")
class MessageOrigin(TypedDict):
    """Where a message came from."""

    tipo: Annotated[OriginKind, Doc("What had it sent")]
    smppAccountId: NotRequired[Annotated[Id, Doc("The account that the client bound with")]]
    journeyRunId: NotRequired[
        Annotated[Id, Doc("The contact's way through the journey; its `trilha` names the message")]
    ]


def origin_of(smpp_account_id: str | None, journey_run: UUID | str | None) -> MessageOrigin:
    """The origin of a message that went out, by its columns."""
    if journey_run is not None:
        return {"tipo": OriginKind.JOURNEY, "journeyRunId": run_id(journey_run)}
    if smpp_account_id is not None:
        return {"tipo": OriginKind.SMPP, "smppAccountId": smpp_account_id}
    return {"tipo": OriginKind.API}


ORIGIN = f"""CASE
    WHEN journey_run IS NOT NULL
    THEN concat('{{"tipo":"journey","journeyRunId":"', {run_id_sql("journey_run")}, '"}}')
    WHEN smpp_account_id IS NOT NULL
    THEN concat('{{"tipo":"smpp","smppAccountId":"', smpp_account_id, '"}}')
    ELSE '{{"tipo":"api"}}' END"""
"""The same in SQL."""

OriginOfMessage = Annotated[
    MessageOrigin,
    Made(origin_of, ("smpp_account_id", "journey_run"), sql=ORIGIN),
    Doc("Where it came from"),
]


def _origin_of_outbound(
    direction: str, smpp_account_id: str | None, journey_run: UUID | str | None
) -> MessageOrigin | None:
    return None if direction != Direction.OUTBOUND else origin_of(smpp_account_id, journey_run)


OriginOfOutbound = Annotated[
    MessageOrigin,
    Made(
        _origin_of_outbound,
        ("direction", "smpp_account_id", "journey_run"),
        sql=f"CASE WHEN direction = 'outbound' THEN {ORIGIN} END",
    ),
    Doc("Where it came from, of what went out"),
]
"""The same of messages of which some come in."""


class Billing(TypedDict):
    """What a send costs."""

    coins: Annotated[int, Doc("1 coin = 0.0001 BRL")]
