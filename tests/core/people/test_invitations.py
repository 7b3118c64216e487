"""Invitations: a letter, or the link in the answer; accepted once, by whoever has the link."""

import re
from datetime import timedelta
from typing import Any

import pytest

from core import people
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import Conflict, Forbidden, ValidationFailed
from core.foundation.security.caller import Caller
from core.organizations import (
    Acceptance,
    Account,
    AccountStatus,
    InvitationRecord,
    LetterLanguage,
    NewInvitation,
    Organization,
    OrganizationStatus,
    PersonChanges,
    Role,
    SettableStatus,
    accept_invitation,
    change_person,
)
from core.organizations.models import AccountToken
from tests.core.people.email_texts import the_letter
from tests.factories.accounts import ADDRESS, a_log_in, a_person, an_account
from tests.factories.organizations import a_caller
from tests.fakes.relay import Relay
from tests.support.refusals import nothing_changed

pytestmark = pytest.mark.usefixtures("clean_slate")

EMAIL = "bia@padaria.test"
PASSWORD = "a new horse battery staple"
LINK = re.compile(r"http://svc\.test/account#accept=([0-9A-Za-z]{43})")
TABLES = ("accounts", "account_tokens", "audit_entries", "messages", "email_letters")


async def invite(caller: Caller, **changes: Any) -> InvitationRecord:
    return await people.invite(caller, NewInvitation(**{"email": EMAIL, "name": "Bia", **changes}))


def token_in(text: str) -> str:
    found = LINK.search(text)
    assert found is not None, text
    return found[1]


async def accept(token: str, **more: Any) -> Any:
    acceptance = Acceptance(token=token, password=PASSWORD, **more)
    return await accept_invitation(acceptance, address=ADDRESS, request_id=None)


async def refuses(token: str) -> bool:
    async with nothing_changed(*TABLES):
        with pytest.raises(ValidationFailed) as refused:
            await accept(token)
    return bool(refused.value.meta == {"code": "LINK_INVALIDO"})


@pytest.mark.usefixtures("a_sender_of_ours")
async def test_an_invitation_goes_out_by_letter_and_its_link_makes_a_person_of_it(
    relay: Relay,
) -> None:
    owner = await a_person()

    invitation = await invite(owner, role=Role.ADMIN)
    letter = await the_letter(relay)
    account = await accept(token_in(letter.get_content()), name="Bia Lima")

    assert "link" not in invitation
    assert (invitation["letter"], invitation["account"]["status"]) == (True, "invited")
    assert (letter["To"], letter["Subject"]) == (EMAIL, "Convite para Padaria")
    assert (account["name"], account["role"], account["status"]) == ("Bia Lima", "admin", "active")
    assert account["organizationId"] == owner.organization_id
    assert (await a_log_in(EMAIL, PASSWORD))["account"]["id"] == account["id"]


@pytest.mark.usefixtures("a_sender_of_ours")
async def test_the_letter_is_english_where_that_is_asked(relay: Relay) -> None:
    await invite(await a_person(), language=LetterLanguage.ENGLISH)

    letter = await the_letter(relay)
    assert letter["Subject"] == "Invitation to Padaria"
    assert "within 72 hours" in letter.get_content()


async def test_without_a_way_for_letters_the_answer_has_the_link() -> None:
    invitation = await invite(await a_person())

    assert invitation["letter"] is False
    assert await db.fetchval("SELECT count(*) FROM email_letters") == 0
    account = await accept(token_in(invitation["link"]))
    assert (account["name"], account["status"]) == ("Bia", "active")


async def test_a_link_works_once_and_seventy_two_hours() -> None:
    invitation = await invite(await a_person())
    token = token_in(invitation["link"])
    ends = (await AccountToken.get()).expires_at
    assert timedelta(hours=71, minutes=59) < ends - now() <= timedelta(hours=72)

    await AccountToken.all().update(expires_at=now() - timedelta(seconds=1))
    assert await refuses(token)
    await AccountToken.all().update(expires_at=ends)
    await accept(token)
    assert await refuses(token)


async def test_whoever_is_invited_again_gets_a_new_link_and_the_older_ends() -> None:
    owner = await a_person()
    older = await invite(owner)

    newer = await invite(owner, name="Bia Lima", role=Role.ADMIN)

    assert newer["account"]["id"] == older["account"]["id"]
    assert (newer["account"]["name"], newer["account"]["role"]) == ("Bia Lima", "admin")
    assert await refuses(token_in(older["link"]))
    await accept(token_in(newer["link"]))


async def test_an_invitation_is_of_its_organization_and_ends_with_it() -> None:
    owner, stranger = await a_person(), await a_person()
    theirs = await invite(stranger)
    token = token_in((await invite(owner))["link"])

    assert (await Account.filter(email=EMAIL).count()) == 2
    account = await accept(token)
    assert account["organizationId"] == owner.organization_id
    await Organization.filter(id=stranger.organization_id).update(
        status=OrganizationStatus.SUSPENDED
    )
    assert await refuses(token_in(theirs["link"]))


async def test_an_invitation_that_is_withdrawn_is_worth_nothing() -> None:
    owner = await a_person()
    invitation = await invite(owner)

    suspended = PersonChanges(status=SettableStatus.SUSPENDED)
    await change_person(owner, invitation["account"]["id"], suspended)

    assert await refuses(token_in(invitation["link"]))


async def test_the_link_of_a_password_accepts_no_invitation() -> None:
    from core.organizations import issue_reset

    account = await Account.get(id=(await an_account())["id"])
    token = await issue_reset(account, request_id=None, at=now())

    assert await refuses(token)


@pytest.mark.parametrize("status", [AccountStatus.ACTIVE, AccountStatus.SUSPENDED])
async def test_whoever_is_there_already_is_not_invited(status: AccountStatus) -> None:
    owner = await a_person()
    await an_account(owner.organization_id, email=EMAIL, status=status)

    async with nothing_changed(*TABLES):
        with pytest.raises(Conflict) as refused:
            await invite(owner, email=EMAIL.upper())

    assert refused.value.meta == {"code": "EMAIL_JA_CADASTRADO"}


async def test_nobody_gives_a_role_above_the_own() -> None:
    owner = await a_person()
    admin = await a_person(owner.organization_id, role="admin")
    await invite(owner, role=Role.OWNER)

    for new in ({"email": "caio@padaria.test", "role": Role.OWNER}, {"role": Role.OPERATOR}):
        async with nothing_changed(*TABLES):
            with pytest.raises(Forbidden) as refused:
                await invite(admin, **new)
        assert refused.value.meta == {"code": "PAPEL_ACIMA_DO_PROPRIO"}
    assert (await invite(admin, email="caio@padaria.test", role=Role.ADMIN))["link"]


async def test_inviting_is_for_whoever_looks_after_people() -> None:
    owner = await a_person()
    operator = await a_person(owner.organization_id, role="operator")

    for caller in (operator, await a_caller()):
        async with nothing_changed(*TABLES):
            with pytest.raises(Forbidden) as refused:
                await invite(caller)
        assert refused.value.meta == {"escopoExigido": "accounts:manage"}


async def test_inviting_and_accepting_are_audited() -> None:
    owner = await a_person(env="test")
    invitation = await invite(owner)
    id = invitation["account"]["id"]
    await accept(token_in(invitation["link"]))

    rows = await db.fetch(
        "SELECT action, actor_id, subject_id, env, facts FROM audit_entries "
        "WHERE action IN ('account.invited', 'account.accepted') ORDER BY at"
    )
    assert [dict(row) for row in rows] == [
        {
            "action": "account.invited",
            "actor_id": owner.account_id,
            "subject_id": id,
            "env": "live",
            "facts": {"role": "operator", "letter": False},
        },
        {
            "action": "account.accepted",
            "actor_id": id,
            "subject_id": id,
            "env": "live",
            "facts": {"role": "operator"},
        },
    ]
