"""Names for the closed sets of values, so that a client gets one type for each and not one per
place.
"""

from typing import get_args

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
from core.conversations.inputs import ConversationStatus
from core.conversations.sending.send_request import MessageType, Priority
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
from core.smpp import BindMode, Charset, DeliveryKind, Throttle
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
from rest_api.openapi.scopes import KeyScope
from rest_api.support.problems import ProblemCode

DESCRIBED: tuple[type[DescribedEnum], ...] = (
    AccountStatus,
    ActivityKind,
    ActorKind,
    AttributeType,
    AttributionChannel,
    BindMode,
    ButtonKind,
    Capability,
    CardOrder,
    CardOrigin,
    CardStatus,
    CarrierChannel,
    ClockLimit,
    ClockStatus,
    ClockStep,
    Charset,
    CompanyRole,
    ComponentType,
    ContactFieldKind,
    CredentialKind,
    DebtStatus,
    DecisionChannel,
    DeliveryKind,
    DispatchStatus,
    EmailCategory,
    EmailFailureReason,
    EmailStatus,
    EndpointProblem,
    Environment,
    EventType,
    FieldOrigin,
    FlowCategory,
    FlowStatus,
    HeaderFormat,
    HealthSource,
    HistoryKind,
    ImportKey,
    JourneyAtCap,
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
    MediaKind,
    MetaStatus,
    NameStatus,
    NumberStatus,
    OptInStatus,
    OptOutChannel,
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
    RecordCheck,
    RemovedReason,
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

ENUMS: dict[str, tuple[str, ...]] = {
    **{one.rest_name: tuple(value.value for value in one) for one in DESCRIBED},
    "ConversationChannel": ("whatsapp", "instagram"),
    "ConversationStatus": get_args(ConversationStatus),
    "ConversationType": get_args(MessageType),
    "MessagePriority": get_args(Priority),
    "HeaderKind": ("text", "image", "video", "document"),
    "LinkSource": ("google", "meta", "tiktok", "outra"),
    "ExportChannel": ("whatsapp", "sms", "rcs", "email", "instagram"),
    "FilledComponentType": ("header", "body", "button"),
    "JourneyCardStep": ("cardCriar", "cardMover"),
    "MessageBatchKind": ("bulk", "resend"),
    "MessageDirection": ("outbound", "inbound"),
    "ReceivedChoice": ("button_reply", "list_reply"),
    "ReceivedMessageType": ("text", "media", "interactive"),
    "ResendRefusal": ("permanente", "opt_out", "ja_substituida", "antiga", "janela", "indisponivel"),
}  # fmt: skip
