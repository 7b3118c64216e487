"""What people do about themselves and about others."""

from core import organizations
from graphql_api.me.schema import Me
from graphql_api.mutations import Deleted, mutation_field, mutation_type


@mutation_type
class AccountMutations:
    update_me: Me | None = mutation_field(
        organizations.change_own_account,
        organizations.OwnChanges,
        scope=None,
        description="In a session only. A new password ends the other sessions of the person.",
    )
    revoke_session: Deleted | None = mutation_field(
        organizations.end_one_session,
        scope=None,
        answers=Deleted,
        ids=("id",),
        description="In a session only. One's own log-ins, or with accounts:manage those of others.",
    )
