"""What can be done with RCS."""

from core import rcs
from core.dashboards.messages import MESSAGE
from core.foundation.security.caller import Scope
from graphql_api.inputs import call, spell
from graphql_api.messages.types import RcsMessage, RcsRoute
from graphql_api.mutations import deeds, does

spell(rcs.NewRcs.model_fields["route"].annotation, RcsRoute)
call(rcs.NewRcsContent, "RcsContentInput")
call(rcs.NewRcsCard, "RcsCardInput")


@deeds
class RcsMutations:
    send_rcs: RcsMessage | None = does(
        rcs.send_message,
        rcs.NewRcs,
        scope=Scope.RCS_SEND,
        keyed=True,
        answers=MESSAGE,
        description="Answers once the provider took or refused it. Draw a new key for each new message.",
    )
