"""Names for the closed sets of values, so that a client gets one type for each and not one per
place.
"""

from core.audit import ActorKind
from core.cards import ActivityKind, CardOrder, CardOrigin, CardStatus, HistoryKind
from core.companies.models import AttributeType
from core.contact_imports import ImportKey, WhenItExists
from core.contacts.models import (
    CompanyRole,
    ContactFieldKind,
    DebtStatus,
    FieldOrigin,
    OptInStatus,
    OptOutChannel,
    Source,
)
from core.conversations import (
    BatchKind,
    ConversationChannel,
    ConversationStatus,
    ConversationType,
    LinkSource,
    ResendRefusal,
)
from core.conversations.inbound import ReceivedMessageType
from core.conversations.sending.payloads import HeaderKind
from core.customer_events import AttributionChannel
from core.decisions import DecisionChannel, RuleOutcome, Verdict
from core.email import (
    EmailCategory,
    EmailFailureReason,
    EmailStatus,
    RecordCheck,
    SenderMethod,
    SenderStatus,
)
from core.flows import FlowCategory, FlowStatus, MetaStatus
from core.foundation.described_enum import DescribedEnum
from core.foundation.rules import Rule
from core.foundation.security.caller import CredentialKind, Environment
from core.journeys.models import (
    JourneyAtCap,
    JourneyCardStep,
    JourneyChannel,
    JourneyFailure,
    JourneyReentry,
    JourneyStatus,
    RunsOfArchived,
    TriggerKind,
    TriggerMove,
    UnmappedRuns,
)
from core.journeys.runs.models import RunStatus
from core.journeys.runs.record import TrailResult
from core.media import MediaKind
from core.messaging import Channel, Direction, MessagePriority, OriginKind
from core.numbers import (
    HealthSource,
    NameStatus,
    NumberStatus,
    Quality,
    RemovedReason,
    SandboxEventKind,
    Tier,
    UsageBucket,
    UsageWindow,
)
from core.organizations import Capability, KeyStatus
from core.organizations.models import AccountStatus, LetterLanguage, Role
from core.pipelines import Outcome, PipelineKind, StageRequirement
from core.push import DispatchStatus, Platform, PushProvider, QuietException, RateKind
from core.push import Origin as PushOrigin
from core.quotes import QuoteChannel
from core.rcs import RcsButtonKind, RcsFailureReason, RcsPath, RcsRoute, RcsStatus
from core.sandbox_clock import ClockLimit, ClockStatus, ClockStep
from core.segments import SegmentNodeKind, SegmentOperator
from core.smpp import (
    BindMode,
    Charset,
    DeliveryKind,
    LongReplies,
    ReceiptIds,
    Throttle,
    WhichReceipts,
)
from core.smpp import DeliveryStatus as SmppDeliveryStatus
from core.sms import (
    CarrierChannel,
    ProviderName,
    ReceiptType,
    SmsEncoding,
    SmsFailureReason,
    SmsRegion,
    SmsRoute,
    SmsStatus,
)
from core.templates import (
    ButtonKind,
    ComponentType,
    HeaderFormat,
    OtpKind,
    TemplateCategory,
    TemplateLanguage,
    TemplateStatus,
)
from core.wallet.models import Ledger, TransferKind
from core.webhooks import (
    EndpointProblem,
    EventType,
    RevokedReason,
    SignatureStep,
    SubscriptionStatus,
    SubscriptionSwitch,
    WebhookDeliveryStatus,
)
from rest_api.conversations.payload_shapes import FilledComponentType, ReceivedChoice
from rest_api.openapi.scopes import KeyScope
from rest_api.support.problems import ProblemCode

DESCRIBED: tuple[type[DescribedEnum], ...] = (
    AccountStatus,
    ActivityKind,
    ActorKind,
    AttributeType,
    AttributionChannel,
    BatchKind,
    BindMode,
    ButtonKind,
    Capability,
    CardOrder,
    CardOrigin,
    CardStatus,
    CarrierChannel,
    Channel,
    ClockLimit,
    ClockStatus,
    ClockStep,
    Charset,
    CompanyRole,
    ComponentType,
    ContactFieldKind,
    ConversationChannel,
    ConversationStatus,
    ConversationType,
    CredentialKind,
    DebtStatus,
    DecisionChannel,
    DeliveryKind,
    Direction,
    DispatchStatus,
    EmailCategory,
    EmailFailureReason,
    EmailStatus,
    EndpointProblem,
    Environment,
    EventType,
    FieldOrigin,
    FilledComponentType,
    FlowCategory,
    FlowStatus,
    HeaderFormat,
    HeaderKind,
    HealthSource,
    HistoryKind,
    ImportKey,
    JourneyAtCap,
    JourneyCardStep,
    JourneyChannel,
    JourneyFailure,
    JourneyReentry,
    JourneyStatus,
    RunStatus,
    TrailResult,
    KeyScope,
    KeyStatus,
    Ledger,
    LetterLanguage,
    LinkSource,
    LongReplies,
    MediaKind,
    MessagePriority,
    MetaStatus,
    NameStatus,
    NumberStatus,
    OptInStatus,
    OptOutChannel,
    OriginKind,
    OtpKind,
    Outcome,
    PipelineKind,
    Platform,
    ProblemCode,
    ProviderName,
    PushOrigin,
    PushProvider,
    Quality,
    QuoteChannel,
    QuietException,
    RateKind,
    RcsButtonKind,
    RcsFailureReason,
    RcsPath,
    RcsRoute,
    RcsStatus,
    ReceiptType,
    ReceivedChoice,
    ReceivedMessageType,
    RecordCheck,
    RemovedReason,
    ResendRefusal,
    RevokedReason,
    Role,
    Rule,
    RuleOutcome,
    RunsOfArchived,
    SandboxEventKind,
    SegmentNodeKind,
    SegmentOperator,
    SenderMethod,
    SenderStatus,
    SignatureStep,
    SmppDeliveryStatus,
    SmsEncoding,
    SmsFailureReason,
    SmsRegion,
    SmsRoute,
    SmsStatus,
    Source,
    StageRequirement,
    SubscriptionStatus,
    SubscriptionSwitch,
    TemplateCategory,
    TemplateLanguage,
    TemplateStatus,
    Throttle,
    ReceiptIds,
    WhichReceipts,
    Tier,
    TransferKind,
    TriggerKind,
    TriggerMove,
    UnmappedRuns,
    UsageBucket,
    UsageWindow,
    Verdict,
    WebhookDeliveryStatus,
    WhenItExists,
)
"""Sets whose values say what they mean, under the names that they give themselves."""

ENUMS = {one.rest_name: tuple(value.value for value in one) for one in DESCRIBED}
"""The values of each, by its name."""
