"""The command to send one SMS, before it is accepted."""

from dataclasses import dataclass, field
from datetime import datetime

from core import wallet
from core.foundation.security.caller import Caller
from core.idempotency import KeyUse
from core.short_links import PlannedLink
from core.smpp import SentBySmpp
from core.sms.encoding import Encoded
from core.sms.inputs import NewSms

KEY_ROUTE = "sms.send"
"""Where the Idempotency-Keys of sends are kept apart from those of other operations."""


@dataclass(slots=True)
class SmsSendRequest:
    """A send whose input is valid, before price, limits and provider are looked at. `smpp`: what
    a client of SMPP said besides; None for all other sends. Not frozen: it is made of each send.
    """

    caller: Caller
    new: NewSms
    use: KeyUse
    encoded: Encoded
    id: str
    at: datetime
    links: tuple[PlannedLink, ...] = ()
    smpp: SentBySmpp | None = None
    owner: wallet.Owner = field(init=False)
    """Whose wallet pays."""
    route: tuple[str, str] = field(init=False)
    """Whose price on which route."""

    def __post_init__(self) -> None:
        self.owner = (self.caller.organization_id, self.caller.env)
        self.route = (self.caller.organization_id, self.new.route)

    @property
    def quote_id(self) -> str | None:
        """The quote whose prices it pays at most."""
        return self.new.quote_id

    @property
    def route_name(self) -> str:
        """The route that it takes."""
        return self.new.route.value

    @property
    def segments(self) -> int:
        """How many the text takes; each is paid."""
        return self.encoded.segments
