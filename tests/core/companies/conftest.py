"""Who keeps the companies of these tests."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller, Scope
from core.organizations import Account, AccountStatus
from tests.factories.accounts import an_account
from tests.factories.organizations import a_caller


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    return await a_caller()


async def strangers(caller: Caller) -> list[Caller]:
    """Another organization, and the other environment of the same one."""
    return [await a_caller(), await a_caller("live", organization_id=caller.organization_id)]


async def a_member(caller: Caller, status: AccountStatus = AccountStatus.ACTIVE) -> str:
    """The id of an account of the organization in this status."""
    account = await an_account(caller.organization_id)
    await Account.filter(id=account["id"]).update(status=status)
    return str(account["id"])


def without(caller: Caller, scope: Scope) -> Caller:
    """The same caller with one scope less."""
    return replace(caller, scopes=caller.scopes - {scope})


def told(error: ServiceError) -> list[tuple[str, str]]:
    """(where, code) of every wrong field."""
    return sorted((one.where, one.code) for one in error.errors)


def but_times(record: Mapping[str, Any]) -> dict[str, Any]:
    """A record without what moves when it changes."""
    return {name: value for name, value in record.items() if name not in ("updatedAt", "contagens")}
