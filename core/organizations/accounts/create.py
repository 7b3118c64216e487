"""Adding a person to an organization."""

from tortoise.exceptions import IntegrityError

from core import audit
from core.foundation.clock import real_now
from core.foundation.database.transactions import transaction
from core.foundation.ids import new_id
from core.foundation.security.caller import system_caller
from core.organizations.accounts.errors import EmailTaken
from core.organizations.accounts.inputs import NewAccount
from core.organizations.accounts.passwords import hash_password
from core.organizations.accounts.people import note_email
from core.organizations.accounts.record import AccountRecord, account_record
from core.organizations.errors import NoSuchOrganization
from core.organizations.models import Account, Organization


async def create_account(organization_id: str, new: NewAccount) -> AccountRecord:
    """Add an account, in the shell. Answers its record. Raises NoSuchOrganization, EmailTaken."""
    at = real_now()
    password_hash = await hash_password(new.password) if new.password else None
    try:
        async with transaction():
            if not await Organization.is_known(organization_id):
                raise NoSuchOrganization
            await note_email(new.email, organization_id)
            account = await Account.create(
                id=new_id("acc"),
                organization_id=organization_id,
                name=new.name,
                email=new.email,
                role=new.role,
                status=new.status,
                password_hash=password_hash,
                created_at=at,
            )
            # A person works in both environments; what happens to one is told in the live one.
            await audit.write_entry(
                system_caller(organization_id, "live"),
                "account.created",
                account.id,
                {"role": new.role, "status": new.status, "password": password_hash is not None},
                at=at,
            )
    except IntegrityError as exc:  # the table has no other constraint that could fail
        raise EmailTaken from exc
    return account_record(account, whole=True)
