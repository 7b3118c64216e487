"""The figures that can be asked for."""

from typing import Annotated, cast

import strawberry
from strawberry.types import Info

from core.dashboards import statistics
from graphql_api.context import caller_of
from graphql_api.messages.inputs import MessageFilter
from graphql_api.scalars import DateTime
from graphql_api.statistics.enums import StatsBucket, StatsGroup
from graphql_api.statistics.inputs import asked, by_wire_name
from graphql_api.statistics.types import CampaignStats, ContactStats, MessageStats

From = Annotated[
    DateTime | None,
    strawberry.argument(
        name="from", description="At or after this instant; 30 days before `to` unless told."
    ),
]
To = Annotated[
    DateTime | None, strawberry.argument(description="Before this instant; now unless told.")
]
Bucket = Annotated[
    StatsBucket,
    strawberry.argument(description=f"Up to {statistics.MOST_BUCKETS:,} of them in the period."),
]
Timezone = Annotated[
    str, strawberry.argument(description="An IANA name, such as America/Sao_Paulo.")
]


async def _message_stats(
    info: Info,
    *,
    from_: From = None,
    to: To = None,
    bucket: Bucket = StatsBucket.DAY,
    timezone: Timezone = "UTC",
    filter: MessageFilter | None = None,
    group_by: list[StatsGroup] | None = None,
) -> MessageStats | None:
    query = asked(
        statistics.MessageStatsQuery,
        **{"from": from_},
        to=to,
        bucket=bucket,
        timezone=timezone,
        groupBy=group_by,
    )
    return cast(
        "MessageStats", await statistics.message_stats(caller_of(info), query, by_wire_name(filter))
    )


async def _contact_stats(
    info: Info,
    *,
    from_: From = None,
    to: To = None,
    bucket: Bucket = StatsBucket.DAY,
    timezone: Timezone = "UTC",
) -> ContactStats | None:
    query = asked(
        statistics.ContactStatsQuery, **{"from": from_}, to=to, bucket=bucket, timezone=timezone
    )
    return cast("ContactStats", await statistics.contact_stats(caller_of(info), query))


async def _campaign_stats(info: Info, campaign_id: strawberry.ID) -> CampaignStats | None:
    query = asked(statistics.CampaignStatsQuery, campaignId=campaign_id)
    return cast("CampaignStats", await statistics.campaign_stats(caller_of(info), query))


@strawberry.type
class StatisticsQueries:
    message_stats: MessageStats | None = strawberry.field(
        resolver=_message_stats,
        description="Messages over time: those that `messages` lists by the same filter.",
    )
    contact_stats: ContactStats | None = strawberry.field(
        resolver=_contact_stats, description="Contacts over time. Needs contacts:read."
    )
    campaign_stats: CampaignStats | None = strawberry.field(
        resolver=_campaign_stats, description="How far a campaign came. Needs campaigns:read."
    )
