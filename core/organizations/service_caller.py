"""The service itself at work for an organization, as its settings have it."""

from dataclasses import replace

from core.foundation.security.caller import Caller, Env, system_caller
from core.organizations.ninth_digit import unifies_ninth_digit


async def service_caller(
    organization_id: str, env: Env, *, request_id: str | None = None
) -> Caller:
    """Who stores what people write to an organization: nobody's credential, and the organization's
    setting of the ninth digit.
    """
    caller = system_caller(organization_id, env, request_id=request_id)
    return replace(caller, unifies_ninth_digit=await unifies_ninth_digit(organization_id))
