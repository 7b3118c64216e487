"""A password that was forgotten: a letter with a link that works once, and nothing told to others."""

import re
import time
from datetime import timedelta
from typing import Any

import pytest

from core import email, people
from core.foundation.clock import now
from core.foundation.database import db
from core.foundation.errors import RateLimited, ServiceError, ValidationFailed
from core.organizations import (
    Account,
    AccountStatus,
    ForgottenPassword,
    LetterLanguage,
    Organization,
    OrganizationStatus,
    PasswordReset,
    delete_old_sessions,
    reset_password,
)
from core.organizations.models import AccountToken, Session
from core.people import forgotten_password as asking
from tests.core.people.email_texts import the_letter
from tests.factories.accounts import ADDRESS, PASSWORD, a_log_in, a_person, an_account
from tests.fakes.relay import Relay
from tests.support.refusals import nothing_changed

pytestmark = pytest.mark.usefixtures("clean_slate", "relay", "a_sender_of_ours")

NEW = "a new horse battery staple"
LINK = re.compile(r"http://svc\.test/account#reset=([0-9A-Za-z]{43})")


@pytest.fixture(autouse=True)
def answers_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "ANSWER_SECONDS", 0.0)


async def ask(address: str, **more: Any) -> None:
    await people.ask_reset(
        ForgottenPassword(email=address, **more), address=ADDRESS, request_id="req_of_the_test"
    )


async def reset(token: str, password: str = NEW) -> None:
    await reset_password(
        PasswordReset(token=token, password=password), address=ADDRESS, request_id=None
    )


async def the_token(relay: Relay) -> str:
    """What the newest letter carries."""
    text = (await the_letter(relay)).get_content()
    found = LINK.search(text)
    assert found is not None, text
    return found[1]


async def test_the_link_of_the_letter_sets_a_new_password(relay: Relay) -> None:
    account = await an_account(email="ana@padaria.test")

    await ask("ANA@padaria.test")
    letter = await the_letter(relay)
    await reset(await the_token(relay))

    assert (letter["To"], letter["Subject"]) == ("ana@padaria.test", "Nova senha para Padaria")
    assert (await a_log_in("ana@padaria.test", NEW))["account"]["id"] == account["id"]
    with pytest.raises(ServiceError):
        await a_log_in("ana@padaria.test", PASSWORD)


async def test_the_letter_is_english_where_that_is_asked(relay: Relay) -> None:
    await an_account(email="ana@padaria.test")

    await ask("ana@padaria.test", language=LetterLanguage.ENGLISH)

    letter = await the_letter(relay)
    assert letter["Subject"] == "A new password for Padaria"
    assert "Hello Ana," in letter.get_content()


async def test_an_address_that_nobody_has_gets_nothing_and_the_same_answer(relay: Relay) -> None:
    await an_account(email="ana@padaria.test")

    async with nothing_changed("account_tokens", "audit_entries", "messages", "email_letters"):
        await ask("bia@padaria.test")

    assert await email.hand_over_due(at=now()) == 0
    assert relay.taken == []


async def test_the_answer_takes_as_long_for_nobody_as_for_somebody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(asking, "ANSWER_SECONDS", 0.2)
    await an_account(email="ana@padaria.test")

    for address in ("ana@padaria.test", "nobody@padaria.test"):
        started = time.monotonic()
        await ask(address)
        assert time.monotonic() - started >= 0.19


@pytest.mark.parametrize("status", [AccountStatus.INVITED, AccountStatus.SUSPENDED])
async def test_only_who_can_log_in_gets_a_letter(status: AccountStatus) -> None:
    await an_account(email="ana@padaria.test", status=status)

    await ask("ana@padaria.test")

    assert not await AccountToken.exists()


async def test_one_letter_for_each_organization_of_the_address_or_for_one_of_them() -> None:
    first, second = [await an_account(email="ana@agencia.test") for _ in range(2)]

    await ask("ana@agencia.test", organization_id=second["organizationId"])
    assert [token.account_id for token in await AccountToken.all()] == [second["id"]]

    await ask("ana@agencia.test")
    assert {token.account_id for token in await AccountToken.all()} == {first["id"], second["id"]}


async def test_a_link_works_once(relay: Relay) -> None:
    await an_account(email="ana@padaria.test")
    await ask("ana@padaria.test")
    token = await the_token(relay)
    await reset(token)

    async with nothing_changed("accounts", "sessions", "account_tokens", "audit_entries"):
        with pytest.raises(ValidationFailed) as refused:
            await reset(token, "another password")

    assert refused.value.meta == {"code": "LINK_INVALIDO"}


async def test_a_newer_letter_ends_the_link_of_the_older(relay: Relay) -> None:
    await an_account(email="ana@padaria.test")
    await ask("ana@padaria.test")
    older = await the_token(relay)
    await ask("ana@padaria.test")

    with pytest.raises(ValidationFailed):
        await reset(older)
    await reset(await the_token(relay))


async def test_what_makes_a_link_worthless(relay: Relay) -> None:
    account = await an_account(email="ana@padaria.test")
    organization = Organization.filter(id=account["organizationId"])
    await ask("ana@padaria.test")
    token = await the_token(relay)

    async def refuses(token: str = token) -> bool:
        async with nothing_changed("accounts", "account_tokens", "audit_entries"):
            with pytest.raises(ValidationFailed) as refused:
                await reset(token)
        return bool(refused.value.meta == {"code": "LINK_INVALIDO"})

    assert await refuses("x" * 43)
    await Account.filter(id=account["id"]).update(status=AccountStatus.SUSPENDED)
    assert await refuses()
    await Account.filter(id=account["id"]).update(status=AccountStatus.ACTIVE)
    await organization.update(status=OrganizationStatus.SUSPENDED)
    assert await refuses()
    await organization.update(status=OrganizationStatus.ACTIVE)
    await AccountToken.all().update(expires_at=now() - timedelta(seconds=1))
    assert await refuses()


async def test_every_session_ends_with_the_old_password(relay: Relay) -> None:
    person = await a_person(email="ana@padaria.test")
    other = await a_person(person.organization_id)
    await ask("ana@padaria.test")

    await reset(await the_token(relay))

    open_ones = await Session.filter(ended_at__isnull=True)
    assert [session.account_id for session in open_ones] == [other.account_id]


async def test_asking_and_resetting_are_audited_without_personal_data(relay: Relay) -> None:
    account = await an_account(email="ana@padaria.test")
    await ask("ana@padaria.test")
    await reset(await the_token(relay))

    rows = await db.fetch(
        "SELECT action, actor_kind, actor_id, subject_id, env, facts FROM audit_entries "
        "WHERE action LIKE 'account.password%' ORDER BY at"
    )
    told = {"actor_kind": "account", "actor_id": account["id"], "subject_id": account["id"]}
    assert [dict(row) for row in rows] == [
        {"action": action, **told, "env": "live", "facts": {}}
        for action in ("account.password_reset_asked", "account.password_reset")
    ]


async def test_five_in_a_row_are_enough_for_anybody() -> None:
    await an_account(email="ana@padaria.test")
    for address in ("ana@padaria.test", "nobody@padaria.test"):
        for _ in range(5):
            await ask(address)
        with pytest.raises(RateLimited) as refused:
            await ask(address)
        assert refused.value.meta == {"code": "LOGIN_BLOQUEADO"}


async def test_the_letter_costs_nothing_and_its_link_is_kept_nowhere(relay: Relay) -> None:
    await an_account(email="ana@padaria.test")
    await ask("ana@padaria.test")
    token = await the_token(relay)

    assert await db.fetchval("SELECT sum(coins) FROM messages") == 0
    tables = await db.fetch("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
    for row in tables:
        held = await db.fetchval(
            f"SELECT count(*) FROM {row['tablename']} t WHERE t::text LIKE '%' || $1 || '%'", token
        )
        assert held == 0, row["tablename"]


async def test_without_a_sender_or_a_relay_nothing_is_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    from core.foundation import settings

    await an_account(email="ana@padaria.test")
    monkeypatch.delenv("SVC_ACCOUNT_LETTERS_FROM")
    settings.current.cache_clear()

    await ask("ana@padaria.test")

    assert await db.fetchval("SELECT count(*) FROM email_letters") == 0


async def test_links_that_nobody_opened_are_swept_away() -> None:
    await an_account(email="ana@padaria.test")
    await ask("ana@padaria.test")

    await delete_old_sessions(at=now())
    assert await AccountToken.exists()
    await delete_old_sessions(at=now() + timedelta(hours=2))
    assert not await AccountToken.exists()
