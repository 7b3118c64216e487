"""The schema: what can be asked, composed of what every domain offers."""

import strawberry
from strawberry.schema.config import StrawberryConfig

import core.read_models.relations  # noqa: F401 - the edges between what is read
from graphql_api.accounts.mutations import AccountMutations
from graphql_api.accounts.schema import AccountQueries
from graphql_api.audit.schema import AuditQueries
from graphql_api.cards.mutations import CardMutations
from graphql_api.cards.schema import CardQueries
from graphql_api.companies.mutations import CompanyMutations
from graphql_api.companies.schema import CompanyQueries
from graphql_api.contacts.mutations import ContactMutations, OptOutWordQueries
from graphql_api.contacts.personal_data import PersonalDataQueries
from graphql_api.contacts.schema import ContactQueries
from graphql_api.conversations.mutations import ConversationMutations
from graphql_api.conversations_inbound.mutations import InboundMutations
from graphql_api.credentials.mutations import CredentialMutations
from graphql_api.credentials.schema import ApiKeyQueries
from graphql_api.customer_events.schema import CustomerEventMutations, CustomerEventQueries
from graphql_api.decisions.schema import DecisionQueries, SendExplanations
from graphql_api.email.mutations import EmailMutations
from graphql_api.email.schema import EmailQueries
from graphql_api.flows.mutations import FlowMutations, FlowValidations
from graphql_api.flows.schema import FlowQueries
from graphql_api.inputs import mark_choices
from graphql_api.journeys.runs import JourneyRehearsals, JourneyRunMutations, JourneyRunQueries
from graphql_api.journeys.schema import JourneyMutations, JourneyQueries
from graphql_api.lists.mutations import ListMutations
from graphql_api.lists.schema import ListQueries
from graphql_api.me.schema import MeQueries
from graphql_api.media.schema import MediaMutations
from graphql_api.message_batches.mutations import MessageBatchMutations, MessageBatchQueries
from graphql_api.messages.schema import (
    ConversationMessage,
    EmailMessage,
    MessageQueries,
    RcsMessage,
    SmsMessage,
)
from graphql_api.nodes.schema import NodeQueries
from graphql_api.numbers.schema import NumberFigures, NumberMutations, NumberQueries
from graphql_api.pipelines.mutations import PipelineMutations
from graphql_api.pipelines.schema import PipelineQueries
from graphql_api.push.mutations import PushMutations, PushPreviews
from graphql_api.push.schema import PushQueries
from graphql_api.quotes.schema import QuoteMutations, QuoteQueries
from graphql_api.rcs.mutations import RcsMutations
from graphql_api.resolvers import resolve_records
from graphql_api.sandbox_clock.schema import SandboxClockMutations, SandboxClockQueries
from graphql_api.scalars import SCALARS
from graphql_api.segments.mutations import SegmentMutations, SegmentPreviews
from graphql_api.segments.schema import SegmentQueries
from graphql_api.smpp.mutations import SmppMutations
from graphql_api.smpp.schema import SmppQueries
from graphql_api.sms.mutations import SmsMutations, SmsPreviews
from graphql_api.statistics.schema import StatisticsQueries
from graphql_api.subscriptions.schema import Subscription
from graphql_api.templates.mutations import TemplateMutations
from graphql_api.templates.schema import TemplateQueries
from graphql_api.timeline.schema import ENTRIES
from graphql_api.wallet.mutations import WalletMutations
from graphql_api.wallet.schema import WalletQueries
from graphql_api.webhooks.mutations import SignatureQueries, WebhookMutations
from graphql_api.webhooks.schema import WebhookQueries


@strawberry.type
class Query(
    MeQueries,
    AccountQueries,
    ApiKeyQueries,
    SmppQueries,
    AuditQueries,
    WalletQueries,
    ContactQueries,
    CompanyQueries,
    MessageQueries,
    StatisticsQueries,
    ListQueries,
    SegmentQueries,
    JourneyQueries,
    JourneyRunQueries,
    JourneyRehearsals,
    CustomerEventQueries,
    WebhookQueries,
    SignatureQueries,
    PipelineQueries,
    CardQueries,
    NodeQueries,
    SegmentPreviews,
    SendExplanations,
    SmsPreviews,
    OptOutWordQueries,
    PersonalDataQueries,
    EmailQueries,
    DecisionQueries,
    PushQueries,
    NumberQueries,
    NumberFigures,
    TemplateQueries,
    FlowQueries,
    FlowValidations,
    MessageBatchQueries,
    PushPreviews,
    QuoteQueries,
    SandboxClockQueries,
):
    pass


@strawberry.type
class Mutation(
    ContactMutations,
    InboundMutations,
    CompanyMutations,
    ListMutations,
    SegmentMutations,
    JourneyMutations,
    JourneyRunMutations,
    CustomerEventMutations,
    SmsMutations,
    RcsMutations,
    EmailMutations,
    PushMutations,
    NumberMutations,
    ConversationMutations,
    MessageBatchMutations,
    MediaMutations,
    TemplateMutations,
    FlowMutations,
    PipelineMutations,
    CardMutations,
    WebhookMutations,
    WalletMutations,
    QuoteMutations,
    CredentialMutations,
    SandboxClockMutations,
    SmppMutations,
    AccountMutations,
):
    pass


schema = strawberry.Schema(
    query=Query,
    mutation=Mutation,
    subscription=Subscription,
    types=[SmsMessage, RcsMessage, EmailMessage, ConversationMessage, *ENTRIES],
    config=StrawberryConfig(scalar_map=SCALARS),
)
graphql_schema = schema._schema  # noqa: SLF001 - what graphql-core executes
resolve_records(graphql_schema)
mark_choices(graphql_schema)
