"""Numbers."""

from typing import TYPE_CHECKING, Annotated

import strawberry
from strawberry import UNSET

from core import numbers
from core.foundation.security.caller import Scope
from core.numbers import NameStatus, NumberStatus, Quality, Tier
from core.read_models.numbers import NUMBER
from graphql_api.connections import Connection, connection_field, node_field, relation_connection
from graphql_api.enums import wire_enum
from graphql_api.inputs import name_input, register_field_enums
from graphql_api.mutations import mutation_field, mutation_type
from graphql_api.nodes.schema import Node
from graphql_api.scalars import DateTime

if TYPE_CHECKING:
    from graphql_api.messages.schema import Message


NumberState = wire_enum("NumberStatus", NumberStatus)
NumberQuality = wire_enum("NumberQuality", Quality)
MessagingTier = wire_enum("MessagingTier", Tier)
NumberNameStatus = wire_enum("NumberNameStatus", NameStatus)
PartnerRemovedReason = wire_enum(
    "PartnerRemovedReason", ("PARTNER_REMOVED", "PARTNER_APP_UNINSTALLED")
)


@strawberry.input(description="Conditions that all hold.")
class NumberFilter:
    status: NumberState | None = UNSET
    quality_rating: NumberQuality | None = UNSET


@strawberry.type(description="How many messages may leave the number.")
class NumberRateLimit:
    per_second: int
    per_day: int


@strawberry.type(
    description="What the platform knows; the two partner marks are set and cleared together."
)
class NumberMeta:
    verified_name: str | None
    byo: bool | None = strawberry.field(description="It runs under the customer's own account")
    name_status: NumberNameStatus | None
    partner_removed_at: DateTime | None
    partner_removed_reason: PartnerRemovedReason | None


@strawberry.type(description="What people see of the business.")
class BusinessProfile:
    about: str | None
    address: str | None
    email: str | None
    website: str | None
    vertical: str | None
    profile_picture_url: str | None


@strawberry.type(
    description="A number that conversations leave from. Its phone is masked without pii:full."
)
class Number(Node):
    organization_id: strawberry.ID
    phone_number_id: str
    waba_id: str
    display_phone: str
    status: NumberState
    quality_rating: NumberQuality
    messaging_tier: MessagingTier
    rate_limit: NumberRateLimit
    meta: NumberMeta
    profile: BusinessProfile | None
    last_meta_sync_at: DateTime | None
    created_at: DateTime
    updated_at: DateTime
    messages: (
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.schema")]] | None
    ) = relation_connection("messages", description="Newest first, in either direction")


@strawberry.type
class NumberQueries:
    number: Number | None = node_field(NUMBER)
    numbers: Connection[Number] | None = connection_field(
        NUMBER, filter=NumberFilter, description="Newest first"
    )


name_input(numbers.SandboxEvent, "SandboxNumberEventInput")
register_field_enums(numbers.SandboxEvent, tipo="SandboxNumberEventKind")


@mutation_type
class NumberMutations:
    send_sandbox_number_event: Number | None = mutation_field(
        numbers.simulate_event,
        numbers.SandboxEvent,
        scope=Scope.MESSAGES_SEND,
        answers=NUMBER,
        ids=("id",),
        description="Let the platform tell something of a number; in the test environment only.",
    )
