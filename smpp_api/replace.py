"""replace_sm: another text or another time for a message that waits for its own."""

from core import sms
from core.foundation.clock import now
from core.foundation.errors import PaymentRequired
from core.foundation.ids import is_id, new_id
from core.smpp import SmppClient
from core.sms.inputs import MAX_TEXT_LENGTH
from smpp_api.submit import charset_of, time_of, valid_until, wanted_of
from smpp_api.wire.bodies import ReplaceSm, ShortMessage
from smpp_api.wire.commands import CommandStatus, Malformed
from smpp_api.wire.texts import DEFAULT, read_text


async def replace(client: SmppClient, asked: ReplaceSm) -> None:
    """Change a message of the client's. Raises Malformed, and NotFound."""
    said = ShortMessage(
        schedule_delivery_time=asked.schedule_delivery_time,
        validity_period=asked.validity_period,
        registered_delivery=asked.registered_delivery,
    )
    at = now()
    due_at, valid = time_of(said, at=at), valid_until(said, at=at)
    if not is_id("msg", asked.message_id):
        raise Malformed(CommandStatus.ESME_RREPLACEFAIL, "a part is not replaced")
    new = sms.SmsReplacement(
        _text_of(client, asked.text),
        due_at,
        valid,
        wanted_of(client, said),
        asked.source.value or None,
    )
    caller = client.caller.at_work(new_id("req"))
    try:
        is_replaced = await sms.replace_message(
            caller, asked.message_id, new, smpp_account_id=client.account.id
        )
    except PaymentRequired as refusal:
        raise Malformed(CommandStatus.ESME_RREPLACEFAIL, refusal.detail) from None
    if not is_replaced:
        raise Malformed(CommandStatus.ESME_RREPLACEFAIL, "it does not wait for its time any more")


def _text_of(client: SmppClient, octets: bytes) -> str | None:
    """The text, None where it stays. The PDU does not say its data_coding: it is the default, and
    what looks like UTF-16 is not guessed at.
    """
    if not octets:
        return None
    high = octets[::2]
    if len(octets) % 2 == 0 and 2 * high.count(0) >= len(high):
        raise Malformed(CommandStatus.ESME_RREPLACEFAIL, "a replacement is text of data_coding 0")
    try:
        text = read_text(octets, DEFAULT, charset_of(client))
    except Malformed as malformed:
        raise Malformed(CommandStatus.ESME_RREPLACEFAIL, malformed.what) from None
    if len(text) > MAX_TEXT_LENGTH:
        raise Malformed(CommandStatus.ESME_RREPLACEFAIL, f"more than {MAX_TEXT_LENGTH} characters")
    return text
