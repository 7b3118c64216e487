"""Notices about numbers, templates and flows, in the interface's words."""

from collections.abc import Iterator
from datetime import datetime

from core.foundation.json_values import object_of, text_of
from core.providers.meta.untrusted_json import id_of, phone_of, word_of
from core.providers.meta.webhook.changes import PlatformChange
from core.providers.platform import FlowNotice, Notice, NumberNotice, TemplateNotice

TIERS = {
    "TIER_250": "tier_250",
    "TIER_1K": "tier_1k",
    "TIER_2K": "tier_2k",
    "TIER_10K": "tier_10k",
    "TIER_100K": "tier_100k",
    "TIER_UNLIMITED": "unlimited",
}
# The same as numbers of people, as one field still tells them; -1 is no limit.
_COUNTS = {
    250: "tier_250",
    1_000: "tier_1k",
    2_000: "tier_2k",
    10_000: "tier_10k",
    100_000: "tier_100k",
}
_COUNTS |= {-1: "unlimited"}

QUALITIES = {
    "GREEN": "green",
    "YELLOW": "yellow",
    "RED": "red",
    "UNKNOWN": "unknown",
    "NA": "unknown",
}

NAMES = {
    "APPROVED": "approved",
    "AVAILABLE_WITHOUT_REVIEW": "approved",
    "PENDING_REVIEW": "pending",
    "PENDING": "pending",
    "DEFERRED": "pending",
    "DECLINED": "rejected",
    "REJECTED": "rejected",
    "EXPIRED": "expired",
    "NONE": "none",
}

TEMPLATES = {
    "APPROVED": "approved",
    "REINSTATED": "approved",
    "FLAGGED": "approved",  # its quality fell, and it is sent all the same
    "UNLOCKED": "approved",
    "UNARCHIVED": "approved",
    "PENDING": "pending",
    "IN_APPEAL": "pending",
    "REJECTED": "rejected",
    "PAUSED": "paused",
    "LOCKED": "paused",
    "ARCHIVED": "paused",
    "LIMIT_EXCEEDED": "paused",
    "DISABLED": "disabled",
    "PENDING_DELETION": "disabled",
    "DELETED": "disabled",
}

FLOWS = frozenset({"DRAFT", "PUBLISHED", "DEPRECATED", "BLOCKED", "THROTTLED"})

# UNFLAGGED says that the quality is better, not how good; the number's health does.
_FLAGS = {"FLAGGED": "red", "UNFLAGGED": "unknown"}

_PARTNER: dict[str, tuple[str, str | None]] = {
    "PARTNER_REMOVED": ("partner_removed", "PARTNER_REMOVED"),
    "PARTNER_APP_UNINSTALLED": ("app_uninstalled", "PARTNER_APP_UNINSTALLED"),
    "PARTNER_ADDED": ("partner_restored", None),
    "PARTNER_APP_INSTALLED": ("partner_restored", None),
}


def tier_of(value: object) -> str | None:
    """The interface's tier of a limit, which the platform writes as a word or a number."""
    return _COUNTS.get(value) if type(value) is int else TIERS.get(str(value).upper())


def partner_notices(change: PlatformChange, at: datetime) -> Iterator[Notice]:
    """The account was taken from us or given back; whatever else happens to an account has no
    meaning here.
    """
    kind, value = _PARTNER.get(word_of(change.value, "event"), (None, None))
    if kind is not None and change.account is not None:
        yield NumberNotice(kind, None, change.account, value, at)


def quality_notices(change: PlatformChange, at: datetime) -> Iterator[Notice]:
    """A number was flagged, or its limit changed. The platform names the number by its phone."""
    event = word_of(change.value, "event")
    if event in _FLAGS:
        yield from _number(change, "quality", _FLAGS[event], at)
    # With an upgrade of the throughput, `current_limit` speaks of that.
    old = None if event == "THROUGHPUT_UPGRADE" else change.value.get("current_limit")
    tier = tier_of(change.value.get("max_daily_conversations_per_business")) or tier_of(old)
    if tier is not None:
        yield from _number(change, "tier", tier, at)


def name_notices(change: PlatformChange, at: datetime) -> Iterator[Notice]:
    """A display name was decided on."""
    status = NAMES.get(word_of(change.value, "decision"))
    if status is not None:
        yield from _number(change, "name", status, at)


def _number(change: PlatformChange, kind: str, value: str, at: datetime) -> Iterator[Notice]:
    phone = phone_of(change.value, "display_phone_number")
    if change.platform_id is not None:
        yield NumberNotice(kind, change.platform_id, None, value, at)
    elif change.account is not None and phone is not None:
        yield NumberNotice(kind, None, change.account, value, at, phone=phone)


def capability_notices(change: PlatformChange, at: datetime) -> Iterator[Notice]:
    """The limit of a whole account changed."""
    names = ("max_daily_conversations_per_business", "max_daily_conversation_per_phone")
    tier = next((tier for name in names if (tier := tier_of(change.value.get(name)))), None)
    if tier is not None and change.account is not None:
        yield NumberNotice("tier", None, change.account, tier, at)


def template_notices(change: PlatformChange, at: datetime) -> Iterator[Notice]:
    """A template was decided on."""
    status = TEMPLATES.get(word_of(change.value, "event"))
    template_id = id_of(change.value, "message_template_id")
    if status is not None and template_id is not None and change.account is not None:
        reason = rejection_of(change.value, "reason") or text_of(
            object_of(change.value, "rejection_info"), "reason"
        )
        yield TemplateNotice(change.account, template_id, status, reason and reason[:500], at)


def rejection_of(value: object, name: str) -> str | None:
    """Why a template was refused; NONE is no reason."""
    return None if word_of(value, name) == "NONE" else text_of(value, name)


def flow_notices(change: PlatformChange, at: datetime) -> Iterator[Notice]:
    """A flow's status changed; alarms about its endpoint have no meaning here."""
    flow_id, status = id_of(change.value, "flow_id"), word_of(change.value, "new_status")
    if flow_id is not None and status in FLOWS and change.account is not None:
        yield FlowNotice(change.account, flow_id, status, at)
