"""Reading keys."""

from typing import Any

from tortoise.expressions import Q

from core import webhooks
from core.foundation.clock import now
from core.foundation.database.pages import cursor_after, cut, place_behind
from core.foundation.security.caller import Caller, Scope
from core.organizations.keys.inputs import KeyFilter
from core.organizations.keys.owner import keys_of, the_key
from core.organizations.keys.record import key_record


async def get_key(caller: Caller, id: str) -> dict[str, Any]:
    """One key of the organization, and `webhooks`, the subscriptions created with it. Raises
    NoSuchKey.
    """
    caller.require(Scope.KEYS_MANAGE)
    key = await the_key(keys_of(caller), id)
    return {
        **key_record(key, at=now()),
        "webhooks": await webhooks.subscriptions_of_key(caller, id),
    }


async def list_keys(caller: Caller, filter: KeyFilter) -> dict[str, Any]:
    """A page of the organization's keys of both environments, newest first: `{items, total,
    nextCursor?}`.
    """
    caller.require(Scope.KEYS_MANAGE)
    at = now()
    found = keys_of(caller)
    if filter.env is not None:
        found = found.filter(env=filter.env)
    ended = Q(expires_at__lte=at)
    match filter.status:
        case "revogada":
            found = found.filter(revoked_at__isnull=False)
        case "expirada":
            found = found.filter(ended, revoked_at__isnull=True)
        case "ativa":
            found = found.filter(
                Q(expires_at__isnull=True) | Q(expires_at__gt=at), revoked_at__isnull=True
            )
    total = await found.count()
    if filter.cursor is not None:
        created_at, id = place_behind(filter.cursor)
        # Tortoise refuses a value that is longer than the column.
        found = found.filter(
            Q(created_at__lt=created_at) | Q(created_at=created_at, id__lt=id[:30])
        )
    limit = cut(filter.limit)
    keys = await found.order_by("-created_at", "-id").offset(filter.skip).limit(limit + 1)
    page: dict[str, Any] = {
        "items": [key_record(key, at=at) for key in keys[:limit]],
        "total": total,
    }
    if len(keys) > limit:
        page["nextCursor"] = cursor_after(keys[limit - 1].created_at, keys[limit - 1].id)
    return page
