"""What can be done with RCS."""

from core import rcs
from core.foundation.security.caller import Scope
from core.read_models.messages import MESSAGE
from graphql_api.inputs import choice_of, name_input
from graphql_api.messages.schema import RcsMessage
from graphql_api.mutations import mutation_field, mutation_type

name_input(rcs.NewRcsContent, "RcsContentInput")
name_input(rcs.NewRcsCard, "RcsCardInput")
choice_of(
    rcs.NewRcsButton,
    "RcsButtonInput",
    rcs.RcsButtonKind,
    description="A button of a card; `url` of OPEN_URL, `phone` of CALL.",
)


@mutation_type
class RcsMutations:
    send_rcs: RcsMessage | None = mutation_field(
        rcs.send_message,
        rcs.NewRcs,
        scope=Scope.RCS_SEND,
        keyed=True,
        answers=MESSAGE,
        description=(
            "Send a rich message: it answers once the provider took or refused it; with "
            "scheduledAt at once, as queued. Draw a new key for each new message."
        ),
    )
    cancel_rcs: RcsMessage | None = mutation_field(
        rcs.cancel_message,
        scope=Scope.RCS_SEND,
        ids=("id",),
        answers=MESSAGE,
        description=(
            "Call off an RCS message that still waits; what was held for it is given back."
        ),
    )
