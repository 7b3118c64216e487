"""The schema: what can be asked, composed of what every domain offers."""

import strawberry
from strawberry.schema.config import StrawberryConfig

import core.dashboards.graph  # noqa: F401 - the edges between what is read
from graphql_api.companies.queries import CompanyQueries
from graphql_api.contacts.queries import ContactQueries
from graphql_api.me.queries import MeQueries
from graphql_api.messages.queries import MessageQueries
from graphql_api.messages.types import SmsMessage
from graphql_api.resolvers import resolve_records
from graphql_api.scalars import SCALARS
from graphql_api.subscriptions.queries import Subscription


@strawberry.type
class Query(MeQueries, ContactQueries, CompanyQueries, MessageQueries):
    pass


schema = strawberry.Schema(
    query=Query, subscription=Subscription, types=[SmsMessage], config=StrawberryConfig(scalar_map=SCALARS)
)
graphql_schema = schema._schema  # noqa: SLF001 - what graphql-core executes
resolve_records(graphql_schema)
