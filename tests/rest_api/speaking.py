"""Who the client of a test speaks as."""

from typing import Any

import httpx

from core.foundation.security.caller import Caller
from tests.factories.organizations import a_caller, a_key


async def a_client(rest: httpx.AsyncClient) -> Caller:
    """A caller of a new organization; from now on the client speaks with a sandbox key of it that
    sees masks.
    """
    caller = await a_caller("test")
    await speak_as(rest, organization_id=caller.organization_id)
    return caller


async def speak_as(rest: httpx.AsyncClient, **how: Any) -> None:
    """The client speaks with a new key; `how` is that of `a_key`."""
    rest.headers["Authorization"] = f"Bearer {await a_key(**how)}"


async def speak_from_the_other_side(rest: httpx.AsyncClient, caller: Caller, whose: str) -> None:
    """The client speaks for "another organization", or for "the other environment" of the caller's
    own.
    """
    if whose == "another organization":
        await speak_as(rest)
    else:
        await speak_as(rest, env="live", organization_id=caller.organization_id)
