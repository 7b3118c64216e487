"""The command to send one RCS message, before it is accepted."""

from dataclasses import dataclass
from datetime import datetime

from core import idempotency
from core.foundation.security.caller import Caller
from core.rcs.content import Leaving
from core.rcs.inputs import NewRcs
from core.rcs.price import AskedPrice
from core.sms import Encoded


@dataclass(frozen=True, slots=True)
class RcsSend:
    """A send whose input is valid, before its price is looked at. `left`: the content as it leaves;
    `stands_in`: the SMS that may stand in.
    """

    caller: Caller
    new: NewRcs
    use: idempotency.KeyUse
    left: Leaving
    stands_in: Encoded | None
    id: str
    at: datetime

    @property
    def priced_by(self) -> AskedPrice:
        """What its price is looked up by."""
        segments = self.stands_in.segments if self.stands_in else 0
        return self.caller.organization_id, self.new.route, segments
