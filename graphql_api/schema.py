"""The schema: what can be asked, composed of what every domain offers."""

import strawberry
from strawberry.schema.config import StrawberryConfig

import core.dashboards.graph  # noqa: F401 - the edges between what is read
from graphql_api.cards.mutations import CardMutations
from graphql_api.cards.queries import CardQueries
from graphql_api.companies.mutations import CompanyMutations
from graphql_api.companies.queries import CompanyQueries
from graphql_api.contacts.mutations import ContactMutations
from graphql_api.contacts.queries import ContactQueries
from graphql_api.credentials.mutations import CredentialMutations
from graphql_api.customer_events.mutations import CustomerEventMutations
from graphql_api.customer_events.queries import CustomerEventQueries
from graphql_api.email.mutations import EmailMutations
from graphql_api.lists.mutations import ListMutations
from graphql_api.lists.queries import ListQueries
from graphql_api.me.queries import MeQueries
from graphql_api.messages.queries import MessageQueries
from graphql_api.messages.types import EmailMessage, RcsMessage, SmsMessage
from graphql_api.nodes.queries import NodeQueries
from graphql_api.pipelines.mutations import PipelineMutations
from graphql_api.pipelines.queries import PipelineQueries
from graphql_api.push.mutations import PushMutations, PushPreviews
from graphql_api.push.queries import PushQueries
from graphql_api.rcs.mutations import RcsMutations
from graphql_api.resolvers import resolve_records
from graphql_api.scalars import SCALARS
from graphql_api.segments.mutations import SegmentMutations, SegmentPreviews
from graphql_api.segments.queries import SegmentQueries
from graphql_api.sms.mutations import SmsMutations, SmsPreviews
from graphql_api.statistics.queries import StatisticsQueries
from graphql_api.subscriptions.queries import Subscription
from graphql_api.timeline.types import ENTRIES
from graphql_api.wallet.mutations import WalletMutations
from graphql_api.webhooks.mutations import WebhookMutations
from graphql_api.webhooks.queries import WebhookQueries


@strawberry.type
class Query(
    MeQueries,
    ContactQueries,
    CompanyQueries,
    MessageQueries,
    StatisticsQueries,
    ListQueries,
    SegmentQueries,
    CustomerEventQueries,
    WebhookQueries,
    PipelineQueries,
    CardQueries,
    NodeQueries,
    SegmentPreviews,
    SmsPreviews,
    PushQueries,
    PushPreviews,
):
    pass


@strawberry.type
class Mutation(
    ContactMutations,
    CompanyMutations,
    ListMutations,
    SegmentMutations,
    CustomerEventMutations,
    SmsMutations,
    RcsMutations,
    EmailMutations,
    PushMutations,
    PipelineMutations,
    CardMutations,
    WebhookMutations,
    WalletMutations,
    CredentialMutations,
):
    pass


schema = strawberry.Schema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    types=[SmsMessage, RcsMessage, EmailMessage, *ENTRIES],
    config=StrawberryConfig(scalar_map=SCALARS),
)
graphql_schema = schema._schema  # noqa: SLF001 - what graphql-core executes
resolve_records(graphql_schema)
