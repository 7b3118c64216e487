"""What a session can do with accounts of SMPP."""

import strawberry

from core import smpp
from core.foundation.security.caller import Scope
from core.read_models.smpp import SMPP_ACCOUNT
from graphql_api.enums import ENV
from graphql_api.mutations import Deleted, mutation_field, mutation_type
from graphql_api.records import record_type, type_of
from graphql_api.smpp.schema import ROUTE, ROUTE_TEXT, SmppAccount

MANAGE = Scope.KEYS_MANAGE

SmppReplayed = type_of(smpp.SmppReplayed)


@record_type(smpp.SmppCredentials)
class SmppCredentials:
    env: ENV = strawberry.field(description="The environment that it sends in")
    route: ROUTE = strawberry.field(description=ROUTE_TEXT)
    password: str = strawberry.field(description="The password: it cannot be read again")


@mutation_type
class SmppMutations:
    create_smpp_account: SmppCredentials | None = mutation_field(
        smpp.create_account,
        smpp.NewSmppAccount,
        scope=MANAGE,
        description=(
            "Open an account for clients of SMPP; its password is shown in this answer only. "
            "In a session only."
        ),
    )
    update_smpp_account: SmppAccount | None = mutation_field(
        smpp.change_account,
        smpp.SmppAccountChanges,
        scope=MANAGE,
        answers=SMPP_ACCOUNT,
        ids=("id",),
        description=(
            "Change what is sent of an account; binds that are open follow within two "
            "seconds. In a session only."
        ),
    )
    rotate_smpp_account: SmppCredentials | None = mutation_field(
        smpp.rotate_password,
        smpp.SmppPasswordRotation,
        scope=MANAGE,
        ids=("id",),
        optional=True,
        description=("Draw another password; the one before opens for a while. In a session only."),
    )
    revoke_smpp_account: Deleted | None = mutation_field(
        smpp.revoke_account,
        scope=MANAGE,
        answers=Deleted,
        ids=("id",),
        description=("Let nobody bind with an account again; its record stays. In a session only."),
    )
    end_smpp_bind: Deleted | None = mutation_field(
        smpp.end_bind,
        scope=MANAGE,
        answers=Deleted,
        ids=("id",),
        description="Unbind a client, which may bind again. In a session only.",
    )
    replay_smpp_outbox: SmppReplayed | None = mutation_field(
        smpp.replay_outbox,
        smpp.SmppReplay,
        scope=MANAGE,
        description=("Deliver all that waits for an account now, the dead too. In a session only."),
    )
