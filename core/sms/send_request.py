"""The command to send one SMS, before it is accepted."""

from dataclasses import dataclass
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


@dataclass(frozen=True, slots=True)
class SmsSendRequest:
    """A send whose input is valid, before price, limits and provider are looked at. `smpp`: what
    a client of SMPP said besides; None for all other sends.
    """

    caller: Caller
    new: NewSms
    use: KeyUse
    encoded: Encoded
    id: str
    at: datetime
    links: tuple[PlannedLink, ...] = ()
    smpp: SentBySmpp | None = None

    @property
    def owner(self) -> wallet.Owner:
        """Whose wallet pays."""
        return (self.caller.organization_id, self.caller.env)

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

    @property
    def route(self) -> tuple[str, str]:
        """Whose price on which route."""
        return (self.caller.organization_id, self.new.route)
