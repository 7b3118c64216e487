"""What people do about themselves and about others."""

from typing import Any

import strawberry

from core import organizations, people
from core.foundation.security.caller import Caller, Scope
from core.organizations import InvitationRecord
from core.read_models.accounts import ACCOUNT
from core.read_models.organizations import ORGANIZATION
from graphql_api.accounts.schema import Account, Organization
from graphql_api.me.schema import Me
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.records import record_type, type_of

MANAGE = Scope.ACCOUNTS_MANAGE


@record_type(InvitationRecord)
class Invitation:
    """Somebody who was invited. Without an e-mail the answer has the link, to be handed over."""

    account: Account = strawberry.field(
        description="Who was invited; `INVITED` until the link is used"
    )


async def _remove_second_factor(
    caller: Caller, removal: organizations.SecondFactorRemoval
) -> dict[str, Any]:
    await organizations.remove_second_factor(caller, removal)
    return {"id": caller.account_id}


@mutation_type
class AccountMutations:
    update_me: Me | None = mutation_field(
        organizations.change_own_account,
        organizations.OwnChanges,
        scope=None,
        description="In a session only. A new password ends the other sessions of the person.",
    )
    add_second_factor: type_of(organizations.NewSecondFactor) | None = mutation_field(
        organizations.add_second_factor,
        organizations.CurrentPasswordOnly,
        scope=None,
        description="In a session only. A secret for an app, which counts once it is confirmed.",
    )
    confirm_second_factor: type_of(organizations.RecoveryCodes) | None = mutation_field(
        organizations.confirm_second_factor,
        organizations.SecondFactorCode,
        scope=None,
        description="In a session only. From then on the log-in asks for a code.",
    )
    remove_second_factor: Deleted | None = mutation_field(
        _remove_second_factor,
        organizations.SecondFactorRemoval,
        scope=None,
        description=(
            "In a session only. From then on the password alone opens; answers the person's id."
        ),
    )
    update_organization: Organization | None = mutation_field(
        organizations.change_organization_settings,
        organizations.OrganizationChanges,
        scope=MANAGE,
        answers=ORGANIZATION,
        description="In a session only. What holds for everybody of the organization.",
    )
    invite_account: Invitation | None = mutation_field(
        people.invite,
        organizations.NewInvitation,
        scope=MANAGE,
        description="In a session only. Whoever is invited already gets a new link.",
    )
    update_account: Account | None = mutation_field(
        organizations.change_person,
        organizations.PersonChanges,
        scope=MANAGE,
        answers=ACCOUNT,
        ids=("id",),
        description="In a session only. Nobody above the own role, nor to a role above it.",
    )
    revoke_session: Deleted | None = mutation_field(
        organizations.end_one_session,
        scope=None,
        answers=Deleted,
        ids=("id",),
        description=(
            "In a session only. One's own log-ins, or with accounts:manage those of others."
        ),
    )
