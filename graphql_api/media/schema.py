"""Files of conversations: their bytes go beside the gateway, with a ticket of it."""

from core import media
from core.foundation.security.caller import Scope
from graphql_api.mutations import mutation_field, mutation_type
from graphql_api.records import type_of

MediaTicket = type_of(media.MediaTicketRecord)


@mutation_type
class MediaMutations:
    create_media_ticket: MediaTicket | None = mutation_field(
        media.issue_media_ticket,
        media.NewMediaTicket,
        scope=Scope.MEDIA_WRITE,
        ids=("numberId",),
        description=(
            "Ask where one file for messages of a number may be sent to; nothing is stored yet."
        ),
    )
