"""Use case: revoke webhook subscriptions for which nobody is there any more."""

from datetime import datetime
from typing import cast

from core import webhooks
from core.organizations.models import Organization, OrganizationStatus


async def revoke_unrecoverable_webhooks(*, at: datetime) -> int:
    """Revoke subscriptions that have failed for days, and those of suspended organizations; answers
    how many. A batch at a time; call it until it answers 0.
    """
    suspended = Organization.filter(status=OrganizationStatus.SUSPENDED)
    ids = cast("list[str]", await suspended.values_list("id", flat=True))
    return await webhooks.revoke_unrecoverable(suspended=ids, at=at)
