"""What is looked up of e-mails when they are accepted: of a whole batch at once, by one statement."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from core import wallet
from core.email.addresses import Sender
from core.email.errors import NoVerifiedSender
from core.email.rows import EmailSend, accepted_as, refused, without_relay
from core.email.senders import choose
from core.email.suppression import (
    CHECK,
    CHECK_COLUMNS,
    SuppressionCheck,
    checks_of,
    columns_of,
)
from core.foundation.database import db
from core.foundation.settings import current
from core.messaging import SendRequest


@dataclass(frozen=True, slots=True)
class KnownOfEmail:
    """How its recipient stands, who it is from (None: nobody verified), and what it costs."""

    check: SuppressionCheck
    sender: Sender | None
    coins: int


async def requests_of(sends: Sequence[EmailSend], dates: Sequence[datetime]) -> list[SendRequest]:
    """These sends as they are accepted, each with the date that its e-mail bears."""
    known = await look_up(sends)
    return [await _request_of(*each) for each in zip(sends, known, dates, strict=True)]


async def _request_of(send: EmailSend, known: KnownOfEmail, dated: datetime) -> SendRequest:
    if (refusal := without_relay(send.caller)) is not None:
        return refused(send, refusal)
    if known.sender is None:
        return refused(send, NoVerifiedSender())
    return await accepted_as(send, known.sender, known.check, coins=known.coins, dated=dated)


async def look_up(sends: Sequence[EmailSend]) -> list[KnownOfEmail]:
    """What is known of each of these sends, in their order.

    Whose senders are is asked at each batch: one that was removed, or an address that complained, counts
    at once.
    """
    addressees = [send.addressee for send in sends]
    wanted = [_wanted(send) for send in sends]
    asked = choose.asked_of(wanted)
    rows = await db.fetch_planned(LOOK_UP, *columns_of(addressees), *choose.columns_of(asked))
    checks = checks_of(addressees, [row for row in rows if not row["of_sender"]])
    senders = choose.found_senders(wanted, asked, [row for row in rows if row["of_sender"]])
    organizations = {send.caller.organization_id for send in sends}
    prices = await wallet.recent_unit_prices(organizations) if current().charges else {}
    return [
        KnownOfEmail(
            checks[send.id],
            senders[sender],
            prices[send.caller.organization_id].email if prices else 0,
        )
        for send, sender in zip(sends, wanted, strict=True)
    ]


def _wanted(send: EmailSend) -> choose.WantedSender:
    return send.caller.organization_id, send.caller.env, send.new.from_


LOOK_UP = f"""
SELECT false AS of_sender, place, suppressed, denied, NULL AS first, NULL AS verified FROM ({CHECK}) AS checked
UNION ALL
SELECT true, place, NULL, NULL, first, verified FROM ({choose.find_sql(first=CHECK_COLUMNS + 1)}) AS found
"""
