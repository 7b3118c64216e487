"""People who are invited, and accept."""

from dataclasses import replace
from datetime import datetime

from tortoise.exceptions import IntegrityError

from core import audit
from core.foundation.clock import real_now
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller
from core.organizations.accounts.errors import EmailTaken
from core.organizations.accounts.inputs import Acceptance, NewInvitation
from core.organizations.accounts.passwords import hash_password
from core.organizations.accounts.people import note_email
from core.organizations.accounts.ranks import own_role, refuse_above
from core.organizations.accounts.record import AccountRecord, account_record
from core.organizations.accounts.tokens import (
    InvalidLink,
    as_person,
    behind_link,
    issue_token,
    take_token,
)
from core.organizations.models import Account, AccountStatus, TokenKind


async def hold_invitation(
    caller: Caller, new: NewInvitation, *, at: datetime
) -> tuple[Account, str, datetime]:
    """The invited account with the token of its link and the link's end, in the transaction around.

    Whoever is invited already is invited anew, and the older link ends. Raises EmailTaken and
    RoleAboveOwn.
    """
    own = await own_role(caller)
    refuse_above(own, new.role)
    account = await Account.select_for_update().get_or_none(
        organization_id=caller.organization_id, email=new.email
    )
    if account is None:
        account = await _add(caller, new, at)
    elif account.status != AccountStatus.INVITED:
        raise EmailTaken
    else:
        refuse_above(own, account.role)
        account.name, account.role = new.name, new.role
        await account.save(update_fields=["name", "role"])
    token, ends = await issue_token(account, TokenKind.INVITATION, at=at)
    return account, token, ends


async def _add(caller: Caller, new: NewInvitation, at: datetime) -> Account:
    await note_email(new.email, caller.organization_id)
    try:
        async with transaction():  # what fails inside is taken back alone
            return await Account.create(
                id=new_id("acc"),
                organization_id=caller.organization_id,
                name=new.name,
                email=new.email,
                role=new.role,
                status=AccountStatus.INVITED,
                created_at=at,
            )
    except IntegrityError as exc:  # somebody else invited the same person a moment ago
        raise EmailTaken from exc


async def tell_invitation(caller: Caller, account: Account, *, letter: bool, at: datetime) -> None:
    """A person works in both environments; what happens to one is told in the live one."""
    facts = {"role": account.role, "letter": letter}
    await audit.write_entry(
        replace(caller, env="live"), "account.invited", account.id, facts, at=at
    )


async def accept_invitation(
    acceptance: Acceptance, *, address: str | None, request_id: str | None
) -> AccountRecord:
    """Make the account behind a link active, with a password. The link works once.

    Raises InvalidLink, and LogInLocked where too much came from this place.
    """
    async with behind_link(acceptance.token, address):
        account = await _accept(acceptance, request_id)
    return account_record(account, whole=True)


async def _accept(acceptance: Acceptance, request_id: str | None) -> Account:
    at = real_now()
    account = await take_token(acceptance.token, TokenKind.INVITATION, at=at)
    if account.status != AccountStatus.INVITED:
        raise InvalidLink
    account.name = acceptance.name or account.name
    account.status = AccountStatus.ACTIVE
    account.password_hash = await hash_password(acceptance.password)
    await account.save(update_fields=["name", "status", "password_hash"])
    who = as_person(account, request_id)
    await audit.write_entry(who, "account.accepted", account.id, {"role": account.role}, at=at)
    return account
