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
        description=(
            "Change one's own name or password; a new password ends the other "
            "sessions of the person. In a session only."
        ),
    )
    add_second_factor: type_of(organizations.NewSecondFactor) | None = mutation_field(
        organizations.add_second_factor,
        organizations.CurrentPasswordOnly,
        scope=None,
        description=(
            "Draw a secret for an app, which counts once it is confirmed. In a session only."
        ),
    )
    confirm_second_factor: type_of(organizations.RecoveryCodes) | None = mutation_field(
        organizations.confirm_second_factor,
        organizations.SecondFactorCode,
        scope=None,
        description=(
            "Show a code of the app: from then on the log-in asks for one. In a session only."
        ),
    )
    remove_second_factor: Deleted | None = mutation_field(
        _remove_second_factor,
        organizations.SecondFactorRemoval,
        scope=None,
        description=(
            "Let the password alone open again; answers the person's id. In a session only."
        ),
    )
    update_organization: Organization | None = mutation_field(
        organizations.change_organization_settings,
        organizations.OrganizationChanges,
        scope=MANAGE,
        answers=ORGANIZATION,
        description=("Change what holds for everybody of the organization. In a session only."),
    )
    invite_account: Invitation | None = mutation_field(
        people.invite,
        organizations.NewInvitation,
        scope=MANAGE,
        description=(
            "Send somebody the link of an invitation, a new one to whoever is invited "
            "already. In a session only."
        ),
    )
    update_account: Account | None = mutation_field(
        organizations.change_person,
        organizations.PersonChanges,
        scope=MANAGE,
        answers=ACCOUNT,
        ids=("id",),
        description=(
            "Change the name or the role of a person, or suspend one: nobody above the own role, nor to a "
            "role above it. In a session only."
        ),
    )
    revoke_session: Deleted | None = mutation_field(
        organizations.end_one_session,
        scope=None,
        answers=Deleted,
        ids=("id",),
        description=(
            "End a log-in: one's own, or with accounts:manage that of another. In a session only."
        ),
    )
