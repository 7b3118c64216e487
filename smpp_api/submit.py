"""submit_sm and data_sm: the same send as POST /v2/sms/messages, in the same batches."""

import asyncio
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import orjson

from core import sandbox_clock, smpp, sms
from core.cells import wait_to_write
from core.foundation.clock import now, wire_time
from core.foundation.ids import new_id
from core.smpp import (
    Part,
    PartsOf,
    ReceiptIds,
    SentBySmpp,
    SmppClient,
    Throttle,
    WantedReceipt,
    WhichReceipts,
)
from core.sms.errors import AboveCeiling, OutcomeUnknown
from core.sms.inputs import MAX_TEXT_LENGTH, NewSms
from smpp_api.refusals import Answer, is_for_good
from smpp_api.wire.bodies import Address, DataSm, ShortMessage
from smpp_api.wire.commands import CommandStatus, Malformed
from smpp_api.wire.parameters import Parameters, Tag, number_of, text_of
from smpp_api.wire.parts import Place, content_of
from smpp_api.wire.texts import Charset, read_text
from smpp_api.wire.times import NotATime, read_time

ROUTES = {"PREM": "premium", "OTP": "otp", "DEDIC": "la_dedicada"}
"""By service_type."""
INTERNATIONAL = 1
ALL_RECEIPTS, ALL_KINDS = 1, 3
"""Of registered_delivery: a receipt of every end, and the bits that say of which."""
MAX_METADATA_BYTES = 1024
MAX_DELAY = timedelta(days=30)
"""How far a message may be put off."""
PACE_SECONDS, PACE_STEP_SECONDS = 2.0, 0.05
"""How long a submit of an account that is paced waits for the ceiling, and how often it asks."""


async def submit(client: SmppClient, message: ShortMessage | DataSm) -> Answer:
    """Accept one message, or a part of one, at the time of the client's sandbox where its clock was
    moved. Raises Malformed, pydantic's ValidationError, and what a send raises.
    """
    await wait_to_write(client.caller.organization_id)
    if client.caller.has_clock:
        async with sandbox_clock.time_of(client.caller):
            return await _submit(client, message)
    return await _submit(client, message)


async def _submit(client: SmppClient, message: ShortMessage | DataSm) -> Answer:
    if isinstance(message, ShortMessage) and message.replace_if_present_flag:
        raise Malformed(
            CommandStatus.ESME_RREPLACEFAIL, "a message is replaced by replace_sm, by its id"
        )
    at = now()
    valid_until(message, at=at)
    number_of(message.parameters, Tag.USER_MESSAGE_REFERENCE, 2)  # before anything is sent
    content = content_of(message)
    if content.place is not None:
        return await _submit_part(client, message, content.octets, content.place)
    text = read_text(content.octets, message.data_coding, charset_of(client))
    key = text_of(message.parameters, Tag.IDEMPOTENCY_KEY, longest=64)
    if key is None and (first := await smpp.first_submit(client, message.write())) is not None:
        key, at = first.key, first.at
    by = _sent_by(client, message, [(None, wanted_of(client, message))], at=at)
    return Answer(message_id=await _send(client, message, text, key=key, by=by, at=at))


async def _submit_part(
    client: SmppClient, message: ShortMessage | DataSm, octets: bytes, place: Place
) -> Answer:
    """Keep a part; the last one sends the message, with what it says itself besides the text. Where
    that is refused for good, the others are too.
    """
    # What is wrong is told of the first part already.
    at = now()
    NewSms.model_validate(fields_of(client, message, "x", at=at))
    part = Part(
        message.source.value[:20],
        phone_of(message.destination)[:20],
        *place,
        message.data_coding,
        octets,
        wanted_of(client, message),
    )
    of = PartsOf.client(client)
    taken = await smpp.take_part(of, part)
    if taken.pieces is None:
        return Answer(message_id=taken.message_id or taken.id)
    is_told_of_all = client.account.receipt_ids is ReceiptIds.ALL
    others = taken.others if is_told_of_all else ()
    by = _sent_by(client, message, [*others, (None, part.wanted)], at=at)
    try:
        text = _joined(client, taken.pieces)
        message_id = await _send(client, message, text, key=taken.key, by=by, at=at)
    except Exception as error:
        if is_for_good(error):
            await smpp.refuse_parts(of, part, tells=is_told_of_all)
        raise
    await smpp.note_sent(of, part, message_id)
    return Answer(message_id=message_id)


def charset_of(client: SmppClient) -> Charset:
    """What data_coding 0 means to the client."""
    match client.account.charset:
        case smpp.Charset.GSM:
            return "gsm"
        case smpp.Charset.LATIN1:
            return "latin1"
        case smpp.Charset.ASCII:
            return "ascii"


def wanted_of(client: SmppClient, message: ShortMessage | DataSm) -> int:
    """For which ends a receipt is wanted; 0: for none."""
    match client.account.receipts:
        case WhichReceipts.ALWAYS:
            return ALL_RECEIPTS
        case WhichReceipts.NEVER:
            return 0
    return message.registered_delivery & ALL_KINDS


def _sent_by(
    client: SmppClient,
    message: ShortMessage | DataSm,
    wanted: Sequence[tuple[str | None, int]],
    *,
    at: datetime,
) -> SentBySmpp:
    """The account, and the receipts that are written with the message. `wanted`: for which ends, by
    the ids of its parts, None for the message.
    """
    valid = valid_until(message, at=at)
    if not any(ends for _, ends in wanted):
        return SentBySmpp(client.account.id, (), valid)
    reference = number_of(message.parameters, Tag.USER_MESSAGE_REFERENCE, 2)
    source = message.source.value[:20]
    destination = phone_of(message.destination).removeprefix("+")[:20]
    receipts = tuple(
        WantedReceipt(part_id, ends, source, destination, reference, at)
        for part_id, ends in wanted
        if ends
    )
    return SentBySmpp(client.account.id, receipts, valid)


def _joined(client: SmppClient, pieces: Sequence[tuple[bytes, int]]) -> str:
    """The text of parts. Octets are put together first: a character may be cut by parts."""
    charset = charset_of(client)
    codings = {coding for _, coding in pieces}
    if len(codings) == 1:
        return read_text(b"".join(octets for octets, _ in pieces), codings.pop(), charset)
    return "".join(read_text(octets, coding, charset) for octets, coding in pieces)


async def _send(
    client: SmppClient,
    message: ShortMessage | DataSm,
    text: str,
    *,
    key: str | None,
    by: SentBySmpp,
    at: datetime,
) -> str:
    """The id of the message. Under an unknown outcome too: it may have left. `key`: None where
    nobody sends it again.
    """
    new = NewSms.model_validate(fields_of(client, message, text, at=at))
    request_id = new_id("req")
    caller = client.caller.at_work(request_id)
    key = key or f"smpp-{request_id}"
    deadline = asyncio.get_running_loop().time() + PACE_SECONDS
    while True:
        try:
            record = await sms.send_message(caller, new, idempotency_key=key, by=by)
        except OutcomeUnknown as unknown:
            return str(unknown.meta["messageId"])
        except AboveCeiling:
            is_over = asyncio.get_running_loop().time() >= deadline
            if client.account.throttle is not Throttle.PACE or is_over:
                raise
            await asyncio.sleep(PACE_STEP_SECONDS)
        else:
            return str(record["id"])


def fields_of(
    client: SmppClient, message: ShortMessage | DataSm, text: str, *, at: datetime
) -> dict[str, Any]:
    """The body of the send that a message means, at this time. Raises Malformed."""
    if not 0 < len(text) <= MAX_TEXT_LENGTH:
        raise Malformed(
            CommandStatus.ESME_RINVMSGLEN, f"a text has 1 to {MAX_TEXT_LENGTH} characters"
        )
    fields: dict[str, Any] = {
        "to": phone_of(message.destination),
        "body": text,
        "route": _route_of(message, client.account.route),
    }
    if message.source.value:
        fields["senderId"] = message.source.value
    if (due_at := time_of(message, at=at)) is not None:
        fields["scheduledAt"] = wire_time(due_at)
    if message.parameters:
        said = {
            "campaignId": text_of(message.parameters, Tag.CAMPAIGN_ID, longest=80),
            "contactId": text_of(message.parameters, Tag.CONTACT_ID, longest=30),
            "metadata": _metadata_of(message.parameters),
        }
        fields |= {name: value for name, value in said.items() if value is not None}
    return fields


def time_of(message: ShortMessage | DataSm, *, at: datetime) -> datetime | None:
    """When a message is to leave; None for at once. Raises Malformed."""
    if not isinstance(message, ShortMessage) or not message.schedule_delivery_time:
        return None
    try:
        due_at = read_time(message.schedule_delivery_time, at=at)
    except NotATime:
        raise Malformed(CommandStatus.ESME_RINVSCHED, "schedule_delivery_time is no time") from None
    if due_at is not None and due_at > at + MAX_DELAY:
        raise Malformed(CommandStatus.ESME_RINVSCHED, f"more than {MAX_DELAY.days} days ahead")
    return due_at


def phone_of(address: Address) -> str:
    """A phone as it is written here: international ones with their +, the others in their national
    form, or with the code of Brazil before it.
    """
    digits = address.value.removeprefix("+").removeprefix("00")
    is_brazilian = digits.startswith("55") and len(digits) in (12, 13)
    if address.ton == INTERNATIONAL or address.value.startswith(("+", "00")) or is_brazilian:
        return f"+{digits}"
    return address.value


def valid_until(message: ShortMessage | DataSm, *, at: datetime) -> datetime | None:
    """When a message is not worth sending any more; None where it does not say so. Raises
    Malformed.
    """
    if not isinstance(message, ShortMessage) or not message.validity_period:
        return None
    try:
        valid = read_time(message.validity_period, at=at)
    except NotATime:
        raise Malformed(CommandStatus.ESME_RINVEXPIRY, "validity_period is no time") from None
    if valid is not None and valid <= max(at, time_of(message, at=at) or at):
        raise Malformed(CommandStatus.ESME_RINVEXPIRY, "validity_period is over before it is sent")
    return valid


def _route_of(message: ShortMessage | DataSm, default: str) -> str:
    named = text_of(message.parameters, Tag.ROUTE, longest=16)
    if named is not None:
        return named
    if not message.service_type:
        return default
    route = ROUTES.get(message.service_type)
    if route is None:
        raise Malformed(
            CommandStatus.ESME_RINVSERTYP, f"service_type is one of {', '.join(ROUTES)}"
        )
    return route


def _metadata_of(parameters: Parameters) -> Mapping[str, Any] | None:
    value = parameters.get(Tag.METADATA)
    if value is None:
        return None
    if len(value) > MAX_METADATA_BYTES:
        raise Malformed(CommandStatus.ESME_RINVPARLEN, "metadata")
    try:
        found = orjson.loads(value.removesuffix(b"\0"))
    except orjson.JSONDecodeError:
        raise Malformed(CommandStatus.ESME_RINVOPTPARAMVAL, "metadata is no JSON") from None
    if not isinstance(found, dict):
        raise Malformed(CommandStatus.ESME_RINVOPTPARAMVAL, "metadata is no object")
    return found
