"""Use cases: register and list Instagram accounts."""

from tortoise.exceptions import IntegrityError

from core import audit
from core.foundation.clock import now, wire_time
from core.foundation.database.tenancy import owned_by
from core.foundation.database.transactions import transaction
from core.foundation.errors import FieldError, ValidationFailed
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.keyring import keyring
from core.numbers.errors import AccountTaken
from core.numbers.inputs import NewInstagramAccount
from core.numbers.lines import note_lines
from core.numbers.models import InstagramAccount
from core.numbers.sender_accounts import context_of
from core.organizations import NoSuchOrganization, Organization


async def create_instagram_account(caller: Caller, new: NewInstagramAccount) -> dict[str, object]:
    """Register an account.

    Raises AccountTaken, NoSuchOrganization, and ValidationFailed for a live one without id and one
    of the sandbox with.
    """
    caller.require(Scope.MESSAGES_SEND)
    if caller.env == "live" and new.instagram_id is None:
        message = "A live account needs the platform's id of it"
        raise ValidationFailed(errors=[FieldError("pointer", "/instagramId", "required", message)])
    if caller.env == "test" and new.instagram_id is not None:
        # What people write to a real account must never arrive in the sandbox.
        message = "An account of the sandbox has no place on the platform"
        raise ValidationFailed(
            errors=[FieldError("pointer", "/instagramId", "not_allowed", message)]
        )
    if not await Organization.is_known(caller.organization_id):
        raise NoSuchOrganization
    at, id = now(), new_id("iga")
    account = InstagramAccount(
        **owned_by(caller),
        id=id,
        instagram_id=new.instagram_id or f"test_{id.removeprefix('iga_')}",
        username=new.username,
        created_at=at,
        updated_at=at,
    )
    if new.token is not None:
        account.credentials = keyring().encrypt(new.token, context=context_of(account))
    try:
        async with transaction():
            if new.instagram_id is not None:
                await note_lines(caller, new.instagram_id, None, AccountTaken)
            await account.save(force_create=True)
            await audit.write_entry(caller, "instagram_account.created", id, at=at)
    except IntegrityError:
        raise AccountTaken from None
    return account_record(account)


async def list_instagram_accounts(caller: Caller) -> dict[str, object]:
    """All accounts of the organization in the environment, the oldest first: `{items}`."""
    caller.require(Scope.NUMBERS_READ)
    return {
        "items": [
            account_record(account)
            for account in await InstagramAccount.visible_to(caller).order_by("created_at", "id")
        ]
    }


def account_record(account: InstagramAccount) -> dict[str, object]:
    """The record; the access token never leaves."""
    return {
        "id": account.id,
        "organizationId": account.organization_id,
        "env": account.env,
        "instagramId": account.instagram_id,
        "username": account.username,
        "createdAt": wire_time(account.created_at),
        "updatedAt": wire_time(account.updated_at),
    }
