"""A send on its way through the intake, and how it can come out."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core import wallet
from core.foundation.security.caller import Caller
from core.foundation.security.rate_limit import Grant
from core.idempotency import KeyUse
from core.short_links import PlannedLink
from core.sms.encoding import Encoded
from core.sms.inputs import NewSms

KEY_ROUTE = "sms.send"
"""Where the Idempotency-Keys of sends are kept apart from those of other operations."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A send whose input is sound, before money and provider had their say."""

    caller: Caller
    new: NewSms
    use: KeyUse
    encoded: Encoded
    id: str
    at: datetime
    links: tuple[PlannedLink, ...] = ()

    @property
    def owner(self) -> wallet.Owner:
        """Whose wallet pays."""
        return (self.caller.organization_id, self.caller.env)

    @property
    def route(self) -> tuple[str, str]:
        """Whose price on which route."""
        return (self.caller.organization_id, self.new.route)


@dataclass(frozen=True, slots=True)
class Taken:
    """The answer to a send: the unmasked record, and whether it is an earlier one said again."""

    record: dict[str, Any]
    replayed: bool
    allowance: Grant | None = None


@dataclass(frozen=True, slots=True)
class Held:
    """Recorded as `sending`, the price held: the provider is to be asked now, with no transaction
    open.
    """

    price: int
    allowance: Grant | None = None


@dataclass(frozen=True, slots=True)
class Unsettled:
    """An earlier send with this key whose outcome is not known yet: its message is the answer."""

    message_id: str


@dataclass(frozen=True, slots=True)
class UnderWay:
    """Another send with the same key has not finished; ask again.

    `elsewhere`: it is not of this batch, so asking again at once is of no use.
    """

    elsewhere: bool


Outcome = Taken | Held | Unsettled | UnderWay
