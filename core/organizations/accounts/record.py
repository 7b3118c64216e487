"""What is shown of an account."""

from typing import Any

from core.foundation.clock import wire_time
from core.foundation.security.masks import mask_email
from core.organizations.models import Account


def account_record(account: Account, *, whole: bool) -> dict[str, Any]:
    """The account for the wire; the e-mail address is masked unless `whole`. Its password never
    shows.
    """
    email = account.email if whole or account.email is None else mask_email(account.email)
    return {
        "id": account.id,
        "organizationId": account.organization_id,
        "name": account.name,
        "email": email,
        "role": account.role.value,
        "status": account.status.value,
        "createdAt": wire_time(account.created_at),
    }
