"""Numbers and Instagram accounts: where conversational messages leave from and arrive at."""

from core.numbers.create import connect_number, create_number
from core.numbers.errors import NumberUnavailable
from core.numbers.health import get_health
from core.numbers.inputs import (
    NewInstagramAccount,
    NewNumber,
    NumberFilter,
    PlatformIds,
    SandboxEvent,
    UsageQuery,
    UsageSeriesQuery,
)
from core.numbers.instagram import create_instagram_account, list_instagram_accounts
from core.numbers.models import (
    HealthSource,
    InstagramAccount,
    NameStatus,
    Number,
    NumberStatus,
    Quality,
    RemovedReason,
    SandboxEventKind,
    Tier,
    UsageBucket,
    UsageWindow,
)
from core.numbers.notices import apply_notices
from core.numbers.queries import get_number, list_numbers
from core.numbers.record import (
    NumberHealth,
    NumberPage,
    NumberRecord,
    NumberUsage,
    NumberUsageSeries,
    number_record,
)
from core.numbers.renew_credentials import renew_credentials
from core.numbers.sandbox import simulate_event
from core.numbers.sender_accounts import (
    SENDING,
    instagram_for_sending,
    number_for_sending,
    numbers_by_account,
    sender_account_of,
    senders_by_platform_id,
    usable_sender_account,
)

__all__ = [
    "SENDING",
    "HealthSource",
    "InstagramAccount",
    "NameStatus",
    "NewInstagramAccount",
    "NewNumber",
    "Number",
    "NumberFilter",
    "NumberHealth",
    "NumberPage",
    "NumberRecord",
    "NumberStatus",
    "NumberUnavailable",
    "NumberUsage",
    "NumberUsageSeries",
    "PlatformIds",
    "Quality",
    "RemovedReason",
    "SandboxEvent",
    "SandboxEventKind",
    "Tier",
    "UsageBucket",
    "UsageQuery",
    "UsageSeriesQuery",
    "UsageWindow",
    "apply_notices",
    "connect_number",
    "create_instagram_account",
    "create_number",
    "get_health",
    "get_number",
    "instagram_for_sending",
    "list_instagram_accounts",
    "list_numbers",
    "number_for_sending",
    "number_record",
    "numbers_by_account",
    "renew_credentials",
    "sender_account_of",
    "senders_by_platform_id",
    "simulate_event",
    "usable_sender_account",
]
