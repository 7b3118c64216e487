"""Validating an endpoint with a ping before it is subscribed, and the rate limit of that."""

from core.foundation.clock import now
from core.foundation.dry_run import refuse_dry_run
from core.foundation.ids import new_id
from core.foundation.security import rate_limit
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.rate_limit import Allowance, Take
from core.foundation.security.secrets import new_webhook_secret
from core.webhooks.errors import TooManyValidations
from core.webhooks.events.event_types import API_VERSION
from core.webhooks.inputs import EndpointCheck
from core.webhooks.subscriptions.ping import ping
from core.webhooks.subscriptions.record import EndpointVerdict

MAX_PER_MINUTE = 10


async def validate_endpoint(caller: Caller, check: EndpointCheck) -> EndpointVerdict:
    """Ping an address once. A bad address is an answer too.

    The ping is signed with a secret and under a subscription id that exist for it alone. Raises
    TooManyValidations: each one makes a request to a stranger's server. (Interface: Endpoints,
    Webhooks, POST /webhooks/validate.)
    """
    caller.require(Scope.WEBHOOKS_WRITE)
    refuse_dry_run()
    await within_limit(caller)
    result = await ping(
        check.url,
        secrets=[new_webhook_secret()],
        headers={header.key: header.value for header in check.headers or ()},
        subscription_id=new_id("wbh"),
        organization_id=caller.organization_id,
        env=caller.env,
        api_version=API_VERSION,
        at=now(),
    )
    return result.verdict()


async def within_limit(caller: Caller) -> None:
    """Take one of the requests to strangers' servers that an organization has. Raises
    TooManyValidations.
    """
    bucket = Take(
        f"webhooks.validate:{caller.organization_id}",
        MAX_PER_MINUTE / 60,
        count=1,
        burst=MAX_PER_MINUTE,
    )
    (grant,) = await rate_limit.take([bucket])
    rate_limit.note(
        Allowance("webhooks.validate", MAX_PER_MINUTE, grant.left, grant.wait, window=60)
    )
    if not grant.granted:
        raise TooManyValidations(retry_after=grant.wait)
