"""Numbers."""

from typing import TYPE_CHECKING, Annotated

import strawberry

from graphql_api.connections import Connection, hangs_page
from graphql_api.nodes.types import Node
from graphql_api.numbers.enums import (
    MessagingTier,
    NumberNameStatus,
    NumberQuality,
    NumberState,
    PartnerRemovedReason,
)
from graphql_api.scalars import DateTime

if TYPE_CHECKING:
    from graphql_api.messages.types import Message


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
        Connection[Annotated["Message", strawberry.lazy("graphql_api.messages.types")]] | None
    ) = hangs_page("messages", description="Newest first, in either direction")
