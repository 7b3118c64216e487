"""What is a channel's own when its sends are accepted; everything else is the same on all of them."""

from dataclasses import dataclass, field

from core.foundation.database.rows_beside import RowsBeside
from core.messaging.errors import RecipientOptedOut
from core.messaging.models import Channel


@dataclass(frozen=True, slots=True)
class Obstacle:
    """What else keeps a send of one channel from being accepted.

    `fate`: what it is called. `sql`: the condition, on the row `r` of the send. `refusal`: what the send
    is answered.
    """

    fate: str
    sql: str
    refusal: type[Exception]


@dataclass(frozen=True, slots=True, eq=False)
class SendChannel:
    """A channel, as far as sends are accepted.

    `key_route`: where its Idempotency-Keys are kept apart from those of other operations. `columns`:
    those of `messages` that its sends fill in (of `MessageRow`). `beside`: what else it writes with
    its messages. `opted_out`: the refusal where the recipient said no to the channel. `keys_since`: the
    column from whose moment on a key is remembered for 24 hours; None: from its acceptance. `keyless`:
    no key is kept of its sends; whoever sends keeps a row of its own that says it was done.

    Compared by identity: statements are remembered by it, and its columns need not be hashed for each
    batch.
    """

    channel: Channel
    key_route: str
    columns: tuple[str, ...]
    beside: tuple[RowsBeside, ...] = ()
    opted_out: type[Exception] = field(default=RecipientOptedOut)
    keys_since: str | None = None
    keyless: bool = False
    asked: tuple[tuple[str, str], ...] = ()
    """The columns, with their SQL types, that its obstacles ask of each send (`SendRequest.asked`)."""
    obstacles: tuple[Obstacle, ...] = ()
    """They are asked after those of all channels, in their order."""


OWN_COLUMNS = (
    "id",
    "organization_id",
    "env",
    "channel",
    "direction",
    "status",
    "route",
    "recipient",
    "region",
    "provider",
    "provider_reference",
    "coins",
    "contact_id",
    "campaign_id",
    "metadata",
    "request_id",
    "created_at",
    "sent_at",
    "failed_at",
    "updated_at",
    "settle_at",
    "decision_facts",
)
"""The columns that every channel fills in."""
