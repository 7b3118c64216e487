"""Two who do the same at the same moment: one link, one last owner."""

import asyncio

import pytest

from core import people
from core.foundation.errors import Forbidden, ValidationFailed
from core.organizations import (
    Acceptance,
    Account,
    NewInvitation,
    PersonChanges,
    Role,
    accept_invitation,
    change_person,
)
from tests.factories.accounts import ADDRESS, a_person

pytestmark = pytest.mark.usefixtures("real_commits")


async def test_of_two_who_accept_at_once_one_does() -> None:
    new = NewInvitation(email="bia@padaria.test", name="Bia")
    link = (await people.invite(await a_person(), new))["link"]
    acceptance = Acceptance(token=link.partition("=")[2], password="a long password")

    outcomes = await asyncio.gather(
        *(accept_invitation(acceptance, address=ADDRESS, request_id=None) for _ in range(2)),
        return_exceptions=True,
    )

    (refused,) = [one for one in outcomes if isinstance(one, BaseException)]
    assert isinstance(refused, ValidationFailed)
    assert refused.meta == {"code": "LINK_INVALIDO"}


async def test_of_two_owners_who_demote_each_other_one_stays() -> None:
    first = await a_person()
    second = await a_person(first.organization_id)
    down = PersonChanges(role=Role.ADMIN)

    outcomes = await asyncio.gather(
        change_person(first, second.account_id or "", down),
        change_person(second, first.account_id or "", down),
        return_exceptions=True,
    )

    (refused,) = [one for one in outcomes if isinstance(one, BaseException)]
    assert isinstance(refused, Forbidden)
    owners = Account.filter(
        organization_id=first.organization_id, role=Role.OWNER, password_hash__isnull=False
    )
    assert await owners.count() == 1
