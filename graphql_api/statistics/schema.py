"""Statistics: message, contact and campaign figures over time."""

from dataclasses import fields, is_dataclass
from typing import Annotated, Any, cast

import strawberry
from strawberry import UNSET
from strawberry.types import Info
from strawberry.utils.str_converters import to_camel_case

from core import sms
from core.decisions import DecisionChannel
from core.foundation.rules import Rule
from core.read_models import statistics
from core.read_models.statistics import Bucket, DecisionGroup, Group
from core.sms import GroupBy
from graphql_api.context import caller_of
from graphql_api.enums import enum_of
from graphql_api.inputs import read_input
from graphql_api.messages.schema import MessageChannel, MessageFilter, MessageStatus
from graphql_api.scalars import BigInt, DateTime

StatsBucket = enum_of(Bucket)
StatsGroup = enum_of(Group)
CostGroup = enum_of(GroupBy)


def _told(**given: Any) -> dict[str, Any]:
    """The arguments by their wire names; null is as good as left out."""
    return {name: value for name, value in given.items() if value is not None}


def by_wire_name(value: Any) -> Any:
    """An input object as the mapping that core reads, without what was left out."""
    if not is_dataclass(value):
        return value
    said = ((field.name, getattr(value, field.name)) for field in fields(value))
    return {
        to_camel_case(name).rstrip("_"): by_wire_name(one) for name, one in said if one is not UNSET
    }


SENT = "Those that left for their recipients."
DELIVERED = "Of these, those that arrived."
READ = "Of these, those that were read. SMS does not tell."
FAILED = "Those that will not arrive; some had been sent."
RECEIVED = "Those that came in."
AGREED = "Times that somebody agreed to messages."
OPTED_OUT = "Times that somebody refused messages, on one channel or all."
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


@strawberry.type(description="Messages of a period over time.")
class MessageStats:
    totals: MessageStatsTotals = strawberry.field(description="Of the whole period.")
    points: list[MessageStatsPoint] = strawberry.field(
        description="Oldest first, also of buckets where nothing happened. Grouped: for each "
        "group of the period."
    )


@strawberry.type(description="Of all contacts in the period.")
class ContactStatsTotals:
    created: int = strawberry.field(description="New contacts, of those that exist today.")
    total: int = strawberry.field(description="At the end of the period.")
    opt_ins: int = strawberry.field(description=AGREED)
    opt_outs: int = strawberry.field(description=OPTED_OUT)


@strawberry.type(description="Of the contacts in a bucket.")
class ContactStatsPoint:
    at: DateTime = strawberry.field(
        description="When the bucket begins; the first may begin before the period."
    )
    created: int = strawberry.field(description="New contacts, of those that exist today.")
    total: int = strawberry.field(
        description="How many there were at its end, of those that exist today."
    )
    opt_ins: int = strawberry.field(description=AGREED)
    opt_outs: int = strawberry.field(description=OPTED_OUT)


@strawberry.type(description="Contacts of a period over time.")
class ContactStats:
    totals: ContactStatsTotals = strawberry.field(description="Of the whole period.")
    points: list[ContactStatsPoint] = strawberry.field(
        description="Oldest first, also of buckets where nothing happened."
    )


@strawberry.type(description="A sum of one currency; nothing is converted.")
class CampaignValue:
    currency: str = strawberry.field(description="The currency, by ISO 4217.")
    value: float = strawberry.field(description="The sum, in units of the currency.")


@strawberry.type(
    description="The steps by distinct contact; messages to nobody in particular are left out."
)
class CampaignContacts:
    sent: int = strawberry.field(description="Contacts that a message left for.")
    delivered: int = strawberry.field(description="Contacts that one arrived at.")
    read: int = strawberry.field(description="Contacts that read one.")
    clicked: int = strawberry.field(description="Contacts that followed a link.")
    converted: int = strawberry.field(
        description="Contacts with a customer event that is attributed to it."
    )


@strawberry.type(description="The funnel of a campaign since it began; each step counts messages.")
class CampaignStats:
    campaign_id: strawberry.ID = strawberry.field(
        description="The tag that its messages were sent with."
    )
    sent: int = strawberry.field(description=SENT)
    delivered: int = strawberry.field(description=DELIVERED)
    read: int = strawberry.field(description=READ)
    clicked: int = strawberry.field(
        description="Those with a link that a person followed; bots do not count."
    )
    converted: int = strawberry.field(description="Those that a customer event is attributed to.")
    contacts: CampaignContacts = strawberry.field(description="The same steps by distinct contact.")
    events: int = strawberry.field(description="Customer events attributed to the campaign.")
    values: list[CampaignValue] = strawberry.field(description="What these events were worth.")


@strawberry.type(
    description=(
        "What a provider asked for the messages of a group, beside what was charged for them."
    )
)
class ProviderCost:
    group: str | None = strawberry.field(description="The route, country or carrier.")
    provider: str = strawberry.field(description="Who carried the messages.")
    messages: int = strawberry.field(description="How many of them it told the cost of.")
    parts: int = strawberry.field(description="Their parts, as the provider counts them.")
    segments: int = strawberry.field(description="Their segments, as they were charged.")
    currency: str = strawberry.field(description="That of the provider's amounts, by ISO 4217.")
    amount: str = strawberry.field(description="Exact, in the currency.")
    fee: str = strawberry.field(description="What carriers add to it.")
    charged_coins: BigInt = strawberry.field(description="What was charged for them.")
    cost_coins: BigInt | None = strawberry.field(
        description="Amount and fee in coins, where the operator set a rate."
    )
    margin_coins: BigInt | None = strawberry.field(
        description="Charged less cost, where the operator set a rate."
    )


@strawberry.type(description="What providers asked for live messages, group by group.")
class ProviderCosts:
    items: list[ProviderCost] = strawberry.field(description="The dearest group first.")


REFUSED = "Those that a rule stopped, also those of which no trace is kept."


@strawberry.type(description="Of all refused sends of the period.")
class DecisionStatsTotals:
    recusadas: int = strawberry.field(description=REFUSED)


@strawberry.type(description="Of the sends that were refused in a bucket.")
class DecisionStatsPoint:
    at: DateTime = strawberry.field(
        description="When the bucket begins; the first may begin before the period."
    )
    regra: enum_of(Rule) | None = strawberry.field(description="When grouped by REGRA.")
    canal: enum_of(DecisionChannel) | None = strawberry.field(description="When grouped by CANAL.")
    recusadas: int = strawberry.field(description=REFUSED)


@strawberry.type(description="Refused sends of the last 90 days over time, by rule and channel.")
class DecisionStats:
    totals: DecisionStatsTotals = strawberry.field(description="Of the whole period.")
    points: list[DecisionStatsPoint] = strawberry.field(
        description="Oldest first, also of buckets where nothing happened. Grouped: for each "
        "group of the period."
    )


PeriodStart = Annotated[
    DateTime | None,
    strawberry.argument(
        name="from", description="At or after this instant; 30 days before `to` unless told."
    ),
]
PeriodEnd = Annotated[
    DateTime | None, strawberry.argument(description="Before this instant; now unless told.")
]
BucketSize = Annotated[
    StatsBucket,
    strawberry.argument(description=f"Up to {statistics.MAX_BUCKETS:,} of them in the period."),
]
StatsTimezone = Annotated[
    str, strawberry.argument(description="An IANA name, such as America/Sao_Paulo.")
]


async def _message_stats(
    info: Info,
    *,
    from_: PeriodStart = None,
    to: PeriodEnd = None,
    bucket: BucketSize = StatsBucket.DAY,
    timezone: StatsTimezone = "UTC",
    filter: Annotated[
        MessageFilter | None,
        strawberry.argument(description="Which messages are counted; unless told, all."),
    ] = None,
    group_by: Annotated[
        list[StatsGroup] | None,
        strawberry.argument(description="What the messages are counted apart by."),
    ] = None,
) -> MessageStats | None:
    given = _told(to=to, bucket=bucket, timezone=timezone, groupBy=group_by, **{"from": from_})
    query = read_input(statistics.MessageStatsQuery, given)
    return cast(
        "MessageStats", await statistics.message_stats(caller_of(info), query, by_wire_name(filter))
    )


async def _contact_stats(
    info: Info,
    *,
    from_: PeriodStart = None,
    to: PeriodEnd = None,
    bucket: BucketSize = StatsBucket.DAY,
    timezone: StatsTimezone = "UTC",
) -> ContactStats | None:
    given = _told(to=to, bucket=bucket, timezone=timezone, **{"from": from_})
    query = read_input(statistics.ContactStatsQuery, given)
    return cast("ContactStats", await statistics.contact_stats(caller_of(info), query))


async def _decision_stats(
    info: Info,
    *,
    from_: PeriodStart = None,
    to: PeriodEnd = None,
    bucket: BucketSize = StatsBucket.DAY,
    timezone: StatsTimezone = "UTC",
    group_by: Annotated[
        list[enum_of(DecisionGroup)] | None,
        strawberry.argument(description="What the sends are counted apart by."),
    ] = None,
) -> DecisionStats | None:
    given = _told(to=to, bucket=bucket, timezone=timezone, groupBy=group_by, **{"from": from_})
    query = read_input(statistics.DecisionStatsQuery, given)
    return cast("DecisionStats", await statistics.decision_stats(caller_of(info), query))


async def _campaign_stats(
    info: Info,
    campaign_id: Annotated[
        strawberry.ID,
        strawberry.argument(description="The tag that its messages were sent with."),
    ],
) -> CampaignStats | None:
    query = read_input(statistics.CampaignStatsQuery, {"campaignId": campaign_id})
    return cast("CampaignStats", await statistics.campaign_stats(caller_of(info), query))


async def _provider_costs(
    info: Info,
    *,
    from_: Annotated[
        DateTime | None,
        strawberry.argument(name="from", description="Created at or after this instant."),
    ] = None,
    to: Annotated[
        DateTime | None, strawberry.argument(description="Created before this instant.")
    ] = None,
    group_by: Annotated[
        CostGroup, strawberry.argument(description="What the costs are added up by.")
    ] = CostGroup.ROUTE,
) -> ProviderCosts | None:
    query = read_input(sms.CostFilter, {"from": from_, "to": to, "groupBy": group_by})
    return cast("ProviderCosts", await sms.provider_costs(caller_of(info), query))


@strawberry.type
class StatisticsQueries:
    message_stats: MessageStats | None = strawberry.field(
        resolver=_message_stats,
        description="Messages over time: those that `messages` lists by the same filter.",
    )
    contact_stats: ContactStats | None = strawberry.field(
        resolver=_contact_stats, description="Contacts over time. Needs contacts:read."
    )
    decision_stats: DecisionStats | None = strawberry.field(
        resolver=_decision_stats,
        description="Refused sends over time, on the channels that the credential may read.",
    )
    campaign_stats: CampaignStats | None = strawberry.field(
        resolver=_campaign_stats, description="How far a campaign came. Needs campaigns:read."
    )
    provider_costs: ProviderCosts | None = strawberry.field(
        resolver=_provider_costs,
        description=(
            "What providers asked for live messages, beside what was charged. Needs wallet:read."
        ),
    )
