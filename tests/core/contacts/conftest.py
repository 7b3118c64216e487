"""What the tests of contacts share."""

from dataclasses import replace

import pytest

from core.companies.models import Company
from core.foundation.clock import now
from core.foundation.database.tenancy import owned_by
from core.foundation.ids import new_id
from core.foundation.security.caller import DEFAULT_KEY_SCOPES, Caller, Scope
from tests.factories.organizations import a_caller


@pytest.fixture
async def caller(clean_slate: None) -> Caller:
    """A key that sees personal data, of a new organization."""
    return await a_caller()


def as_session(caller: Caller) -> Caller:
    """A person of the organization, logged in."""
    return replace(caller, kind="session", scopes=frozenset(Scope), credential_id="ses_of_the_test")


def without_personal_data(caller: Caller) -> Caller:
    """The same key without pii:full."""
    return replace(caller, scopes=DEFAULT_KEY_SCOPES)


async def strangers(caller: Caller) -> list[Caller]:
    """Another organization, and the other environment of the same one."""
    return [await a_caller(), await a_caller("live", organization_id=caller.organization_id)]


async def a_company_id(caller: Caller) -> str:
    """The id of a company, written as a row."""
    at, id = now(), new_id("emp")
    await Company.create(
        id=id, **owned_by(caller), name="Padaria", attributes={}, created_by_id="acc_of_the_test",
        created_at=at, updated_at=at,
    )  # fmt: skip
    return id
