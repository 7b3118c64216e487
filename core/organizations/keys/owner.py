"""Whose a key is: an organization administers its keys of both environments at once."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial

from tortoise.queryset import QuerySet

from core.foundation.absent import existing
from core.foundation.database.transactions import after_commit, transaction
from core.foundation.ids import well_formed_id
from core.foundation.security.caller import Caller, system_caller
from core.organizations.authenticate import evict_credential
from core.organizations.errors import NoSuchKey
from core.organizations.models import ApiKey


def keys_of(caller: Caller) -> QuerySet[ApiKey]:
    """The keys of the caller's organization, whatever the environment the caller works in."""
    return ApiKey.filter(organization_id=caller.organization_id)


async def the_key(among: QuerySet[ApiKey], id: str) -> ApiKey:
    """The one that has the id. Raises NoSuchKey."""
    return existing(await among.get_or_none(id=well_formed_id("key", id, NoSuchKey)), NoSuchKey)


@asynccontextmanager
async def key_for_change(caller: Caller, id: str) -> AsyncIterator[ApiKey]:
    """A transaction that holds the key's row; after it this process looks the key up anew.

    Other processes notice within two seconds. Raises NoSuchKey.
    """
    async with transaction():
        key = await the_key(keys_of(caller).select_for_update(), id)
        yield key
    await after_commit(partial(look_up_anew, key))


async def look_up_anew(key: ApiKey) -> None:
    """This process remembers nothing of the key."""
    evict_credential(key.key_hash)


def in_environment_of(caller: Caller, key: ApiKey) -> Caller:
    """The caller where the key works: what happens to it is told there, not where its admin was
    logged in.
    """
    return replace(caller, env=key.env)


async def owner_of_key(id: str) -> Caller:
    """The service at work for the organization of a key: the shell names a key by its id alone.
    Raises NoSuchKey.
    """
    key = await the_key(ApiKey.all(), id)
    return system_caller(key.organization_id, key.env)
