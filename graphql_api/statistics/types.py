"""Figures, as the schema shows them."""

import strawberry

from graphql_api.messages.inputs import MessageChannel, MessageStatus
from graphql_api.scalars import BigInt, DateTime

SENT = "Those that left for their recipients."
DELIVERED = "Of these, those that arrived."
READ = "Of these, those that were read. SMS does not tell."
FAILED = "Those that will not arrive; some had been sent."
RECEIVED = "Those that came in."
COINS = "What was charged for good, also for those that came in (1 coin = 0.0001 BRL)."


@strawberry.type(description="Of all messages of the period.")
class MessageStatsTotals:
    sent: int = strawberry.field(description=SENT)
    delivered: int = strawberry.field(description=DELIVERED)
    read: int = strawberry.field(description=READ)
    failed: int = strawberry.field(description=FAILED)
    received: int = strawberry.field(description=RECEIVED)
    coins: BigInt = strawberry.field(description=COINS)


@strawberry.type(
    description="Of the messages created in a bucket, by what has become of them until now."
)
class MessageStatsPoint:
    at: DateTime = strawberry.field(
        description="When the bucket begins; the first may begin before the period."
    )
    channel: MessageChannel | None = strawberry.field(description="When grouped by CHANNEL.")
    status: MessageStatus | None = strawberry.field(description="When grouped by STATUS.")
    campaign_id: strawberry.ID | None = strawberry.field(
        description="When grouped by CAMPAIGN; null for the messages of none."
    )
    number_id: strawberry.ID | None = strawberry.field(
        description="When grouped by NUMBER; null on channels that have none."
    )
    sent: int = strawberry.field(description=SENT)
    delivered: int = strawberry.field(description=DELIVERED)
    read: int = strawberry.field(description=READ)
    failed: int = strawberry.field(description=FAILED)
    received: int = strawberry.field(description=RECEIVED)
    coins: BigInt = strawberry.field(description=COINS)


@strawberry.type
class MessageStats:
    totals: MessageStatsTotals
    points: list[MessageStatsPoint] = strawberry.field(
        description="Oldest first, also of buckets where nothing happened. Grouped: for each group of the period."
    )


@strawberry.type
class ContactStatsTotals:
    created: int
    total: int = strawberry.field(description="At the end of the period.")
    opt_ins: int
    opt_outs: int


@strawberry.type
class ContactStatsPoint:
    at: DateTime = strawberry.field(
        description="When the bucket begins; the first may begin before the period."
    )
    created: int = strawberry.field(description="New contacts, of those that exist today.")
    total: int = strawberry.field(
        description="How many there were at its end, of those that exist today."
    )
    opt_ins: int = strawberry.field(description="Times that somebody agreed to messages.")
    opt_outs: int = strawberry.field(
        description="Times that somebody refused messages, on one channel or all."
    )


@strawberry.type
class ContactStats:
    totals: ContactStatsTotals
    points: list[ContactStatsPoint] = strawberry.field(
        description="Oldest first, also of buckets where nothing happened."
    )


@strawberry.type(description="A sum of one currency; nothing is converted.")
class CampaignValue:
    currency: str
    value: float


@strawberry.type(
    description="The steps by distinct contact; messages to nobody in particular are left out."
)
class CampaignContacts:
    sent: int
    delivered: int
    read: int
    clicked: int
    converted: int


@strawberry.type(description="The funnel of a campaign since it began; each step counts messages.")
class CampaignStats:
    campaign_id: strawberry.ID
    sent: int = strawberry.field(description=SENT)
    delivered: int = strawberry.field(description=DELIVERED)
    read: int = strawberry.field(description=READ)
    clicked: int = strawberry.field(
        description="Those with a link that a person followed; bots do not count."
    )
    converted: int = strawberry.field(description="Those that a customer event is attributed to.")
    contacts: CampaignContacts
    events: int = strawberry.field(description="Customer events attributed to the campaign.")
    values: list[CampaignValue] = strawberry.field(description="What these events were worth.")
