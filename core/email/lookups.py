"""What is looked up of e-mails before they are accepted: for many at once, by a statement of each kind."""

from collections.abc import Sequence
from dataclasses import dataclass

from core import wallet
from core.email.addresses import Sender
from core.email.rows import EmailSend
from core.email.senders import WantedSender, senders_for
from core.email.suppression import SuppressionCheck, check_suppression
from core.foundation.settings import current


@dataclass(frozen=True, slots=True)
class KnownOfEmail:
    """How its recipient stands, who it is from (None: nobody verified), and what it costs."""

    check: SuppressionCheck
    sender: Sender | None
    coins: int


async def look_up(sends: Sequence[EmailSend]) -> list[KnownOfEmail]:
    """What is known of each of these sends, in their order."""
    checks = await check_suppression([send.addressee for send in sends])
    senders = await senders_for([_wanted(send) for send in sends])
    organizations = {send.caller.organization_id for send in sends}
    prices = await wallet.email_prices(organizations) if current().charges else {}
    return [
        KnownOfEmail(
            checks[send.id],
            senders[_wanted(send)],
            prices.get(send.caller.organization_id, 0),
        )
        for send in sends
    ]


def _wanted(send: EmailSend) -> WantedSender:
    return send.caller.organization_id, send.caller.env, send.new.from_
