"""A password that was forgotten: whose link it is, and the new password behind it."""

from dataclasses import dataclass
from datetime import datetime

from core import audit
from core.foundation.clock import real_now
from core.organizations.accounts.change import end_sessions_of
from core.organizations.accounts.inputs import PasswordReset
from core.organizations.accounts.passwords import hash_password
from core.organizations.accounts.people import people_with
from core.organizations.accounts.tokens import (
    InvalidLink,
    as_person,
    behind_link,
    issue_token,
    take_token,
)
from core.organizations.models import (
    Account,
    TokenKind,
)
from core.organizations.sessions.locks import attempt_of, count_attempt, forgive

MAX_ACCOUNTS = 10
"""Of one address that are written to at once, the oldest first."""


@dataclass(frozen=True, slots=True)
class Forgetful:
    """A person who is to get a link."""

    account: Account
    organization_name: str


async def who_forgot(email: str, organization_id: str | None) -> list[Forgetful]:
    """The people with this address who can log in, in one organization or in all."""
    return [
        Forgetful(one.account, one.organization.name)
        for one in (await people_with(email, organization_id))[:MAX_ACCOUNTS]
        if one.organization.is_active
    ]


async def count_reset_request(email: str, address: str | None, *, at: datetime) -> None:
    """Count that somebody asked for an e-mail to this address, whoever has it. Raises LogInLocked."""
    await count_attempt(attempt_of(f"reset of {email}", address), at=at)


async def issue_reset(account: Account, *, request_id: str | None, at: datetime) -> str:
    """The token of a link with which the account gets a new password, in the transaction around."""
    text, _ = await issue_token(account, TokenKind.RESET, at=at)
    there = as_person(account, request_id)
    await audit.write_entry(there, "account.password_reset_asked", account.id, at=at)
    return text


async def reset_password(
    reset: PasswordReset, *, address: str | None, request_id: str | None
) -> None:
    """Set the password of the account behind a link, which works once; its sessions end.

    Raises InvalidLink, and LogInLocked where too much came from this place.
    """
    async with behind_link(reset.token, address):
        await _set_password(reset, request_id, address)


async def _set_password(reset: PasswordReset, request_id: str | None, address: str | None) -> None:
    at = real_now()
    account = await take_token(reset.token, TokenKind.RESET, at=at)
    if not account.is_active:
        raise InvalidLink
    account.password_hash = await hash_password(reset.password)
    await account.save(update_fields=["password_hash"])
    await end_sessions_of(account, at=at)
    if account.email is not None:  # who was locked out for guesses comes in again
        await forgive(attempt_of(account.email, address))
    there = as_person(account, request_id)
    await audit.write_entry(there, "account.password_reset", account.id, at=at)
