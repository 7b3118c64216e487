"""Applying the platform's notices about numbers: ratings, names, removal of the service."""

from collections.abc import Sequence
from copy import copy
from datetime import datetime, timedelta
from enum import StrEnum
from typing import TypeVar

from tortoise.expressions import Q

from core import webhooks
from core.foundation.validation.phones import canonical_br
from core.numbers.apply_status import apply_status, save_numbers
from core.numbers.models import NameStatus, Number, Quality, RemovedReason, Tier
from core.providers.platform import NumberNotice

REMOVALS = {
    "partner_removed": RemovedReason.REMOVED,
    "app_uninstalled": RemovedReason.APP_UNINSTALLED,
}

ASKED_FOR = ("quality", "tier", "name")
"""Kinds of notices about what the platform also tells when it is asked."""
CLOCK_TOLERANCE = timedelta(seconds=15)
"""Its notices tell whole seconds, and its answer is some time on its way to us."""

SomeEnum = TypeVar("SomeEnum", bound=StrEnum)


async def apply_notices(notices: Sequence[NumberNotice], at: datetime) -> None:
    """Apply notices in the order of their times, in the caller's transaction; each may come again.

    A notice of an account is of every number under it, unless it names a phone. Of unknown numbers,
    and in values that are not the interface's, nothing is learned.
    """
    platform_ids = {notice.platform_id for notice in notices if notice.platform_id is not None}
    accounts = {
        notice.account
        for notice in notices
        if notice.platform_id is None and notice.account is not None
    }
    named = Q(phone_number_id__in=list(platform_ids)) | Q(waba_id__in=list(accounts))
    numbers = await Number.filter(named).select_for_update().order_by("id")
    before = {number.id: copy(vars(number)) for number in numbers}
    events: list[webhooks.NewEvent] = []
    for notice in sorted(notices, key=lambda notice: notice.at):
        for number in numbers:
            if _is_of(notice, number):
                events += apply_notice(number, notice)
    await save_numbers(
        [number for number in numbers if vars(number) != before[number.id]], events, at=at
    )


def apply_notice(number: Number, notice: NumberNotice) -> list[webhooks.NewEvent]:
    """Apply one notice to the (locked) number; answers the event that it calls for. Nothing is
    stored.

    The platform repeats for days what was not acknowledged, so one may be older than what is known:
    it changes nothing.
    """
    value = (notice.value or "").lower()
    if _is_outdated(notice, number):
        return []
    match notice.kind:
        case "quality":
            return apply_status(number, quality=_member(Quality, value), at=notice.at)
        case "tier":
            return apply_status(number, tier=_member(Tier, value), at=notice.at)
        case "name":
            number.name_status = _member(NameStatus, value) or number.name_status
        case "partner_removed" | "app_uninstalled":
            if (
                number.partner_removed_reason != REMOVALS[notice.kind]
            ):  # told again, it keeps its time
                number.partner_removed_at = notice.at
                number.partner_removed_reason = REMOVALS[notice.kind]
        case "partner_restored":
            number.partner_removed_at = None
            number.partner_removed_reason = None
    return []


def _is_outdated(notice: NumberNotice, number: Number) -> bool:
    """Whether the platform was asked, or reported a removal, after what this tells of."""
    if notice.kind in ASKED_FOR:
        return (
            number.last_meta_sync_at is not None
            and notice.at < number.last_meta_sync_at - CLOCK_TOLERANCE
        )
    return number.partner_removed_at is not None and notice.at < number.partner_removed_at


def _is_of(notice: NumberNotice, number: Number) -> bool:
    if notice.platform_id is not None:
        return notice.platform_id == number.phone_number_id
    if notice.account != number.waba_id:
        return False
    # The platform knows old Brazilian mobiles without their ninth digit.
    return notice.phone is None or canonical_br(notice.phone) == canonical_br(number.phone)


def _member(kind: type[SomeEnum], value: str) -> SomeEnum | None:
    return kind(value) if value in list(kind) else None
