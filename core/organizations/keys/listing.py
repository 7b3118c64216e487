"""Reading keys."""

from core import webhooks
from core.foundation.clock import real_now
from core.foundation.database.where import Where
from core.foundation.records import WrittenPage, newest_records
from core.foundation.security.caller import Caller, Scope
from core.organizations.keys.inputs import KeyFilter
from core.organizations.keys.owner import keys_of, the_key
from core.organizations.keys.record import KEY, KeyPage, KeyWithSubscriptions, key_record
from core.organizations.keys.status import KeyStatus


async def get_key(caller: Caller, id: str) -> KeyWithSubscriptions:
    """One key of the organization with the subscriptions created with it. Raises NoSuchKey."""
    caller.require(Scope.KEYS_MANAGE)
    key = await the_key(keys_of(caller), id)
    return {**key_record(key), "webhooks": await webhooks.subscriptions_of_key(caller, id)}


async def list_keys(caller: Caller, filter: KeyFilter) -> WrittenPage[KeyPage]:
    """A page of the organization's keys of both environments, newest first."""
    caller.require(Scope.KEYS_MANAGE)
    where = Where([caller.organization_id], ["organization_id = $1"])
    narrow_keys(where, env=filter.env, status=filter.status)
    return await newest_records(caller, KEY, "api_keys", where, filter, at=real_now())


def narrow_keys(where: Where, *, env: str | None, status: str | None, of: str = "env") -> None:
    """Those of an environment, which the column `of` holds, and in a status."""
    where.narrow_given((f"{of} = {{}}", env))
    match status:
        case KeyStatus.REVOKED:
            where.narrow("revoked_at IS NOT NULL")
        case KeyStatus.EXPIRED:
            where.narrow("revoked_at IS NULL AND expires_at <= {}", real_now())
        case KeyStatus.ACTIVE:
            where.narrow(
                "revoked_at IS NULL AND (expires_at IS NULL OR expires_at > {})", real_now()
            )
