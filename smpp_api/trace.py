"""Traces: what the clients of an account and this service say to each other, PDU by PDU, without texts, passwords
and whole phones, for whoever looks on.

Who looks on leaves a mark in Redis that ends by itself; every process that holds a bind of the account
finds it, and tells each PDU on a channel. Nothing is kept.
"""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Any, Literal, cast

import orjson
import structlog
from redis.asyncio import Redis
from redis.exceptions import RedisError

from core.foundation.clock import real_now, wire_time
from core.foundation.validation.phones import mask_phone
from smpp_api.wire.bodies import (
    Address,
    AnyBody,
    CancelSm,
    DataSm,
    Named,
    QuerySm,
    QuerySmResp,
    ReplaceSm,
    ShortMessage,
    read_body,
)
from smpp_api.wire.commands import Command, CommandStatus, Malformed
from smpp_api.wire.frames import Frame
from smpp_api.wire.parameters import Parameters, Tag

MARK, CHANNEL = "svc:smpp:traced:", "svc:smpp:trace:"
MOST_AT_ONCE = 1_000
"""Lines of an account that wait to be told; above that they are passed over."""
TOLD_WHOLE = frozenset(
    {
        Tag.ADDITIONAL_STATUS_INFO_TEXT,
        Tag.REASON,
        Tag.RECEIPTED_MESSAGE_ID,
        Tag.ROUTE,
    }
)
"""Parameters whose texts are ours."""
NUMBERS = frozenset(
    {
        Tag.MESSAGE_STATE,
        Tag.NETWORK_ERROR_CODE,
        Tag.SAR_MSG_REF_NUM,
        Tag.SAR_SEGMENT_SEQNUM,
        Tag.SAR_TOTAL_SEGMENTS,
        Tag.SC_INTERFACE_VERSION,
        Tag.USER_MESSAGE_REFERENCE,
    }
)

Direction = Literal["in", "out"]
Traced = Callable[[Direction, str | None, Frame], None]
"""Takes a PDU of a bind that is traced."""

log = structlog.get_logger()


class Tracing:
    """The accounts that somebody looks at, and what is to be told of them."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis
        self._accounts: set[str] = set()
        self._lines: dict[str, list[bytes]] = {}

    async def look(self, account_ids: Collection[str]) -> None:
        """Find out who looks on, and tell what has gathered. Without Redis nobody does."""
        lines, self._lines = self._lines, {}
        ids = sorted(account_ids)
        try:
            for id, waiting in lines.items():
                await self._redis.publish(CHANNEL + id, b"\n".join(waiting))
            marks = await self._redis.mget([MARK + id for id in ids]) if ids else []
        except (RedisError, OSError) as error:
            if self._accounts:
                log.warning("smpp_trace_ended", error=type(error).__name__)
            marks = []
        self._accounts = {id for id, mark in zip(ids, marks, strict=False) if mark is not None}

    def of(self, account_id: str) -> Traced | None:
        """What takes the PDUs of an account; None where nobody looks on."""
        if account_id not in self._accounts:
            return None

        def note(direction: Direction, bind_id: str | None, frame: Frame) -> None:
            lines = self._lines.setdefault(account_id, [])
            if len(lines) < MOST_AT_ONCE:
                lines.append(orjson.dumps(line_of(direction, bind_id, frame)))

        return note


async def traced(
    redis: Redis, account_id: str, *, seconds: int, show: Callable[[Mapping[str, Any]], None]
) -> None:
    """Show what is said by the binds of an account for so long, from two seconds after the
    beginning.
    """
    async with redis.pubsub() as pubsub:
        await pubsub.subscribe(CHANNEL + account_id)
        await redis.set(MARK + account_id, b"1", ex=seconds)
        until = real_now().timestamp() + seconds
        try:
            while (left := until - real_now().timestamp()) > 0:
                found = await cast(
                    "Awaitable[Mapping[str, Any] | None]",
                    pubsub.get_message(ignore_subscribe_messages=True, timeout=min(left, 1.0)),
                )
                for line in found["data"].split(b"\n") if found is not None else ():
                    show(orjson.loads(line))
        finally:
            await redis.delete(MARK + account_id)


def line_of(direction: Direction, bind_id: str | None, frame: Frame) -> dict[str, Any]:
    """What is shown of a PDU."""
    is_known = frame.command in Command.__members__.values()
    told: dict[str, Any] = {
        "at": wire_time(real_now()),
        "bind": bind_id,
        "direction": direction,
        "command": Command(frame.command).name.lower() if is_known else f"0x{frame.command:08X}",
        "sequence": frame.sequence,
    }
    if frame.command >= Command.GENERIC_NACK:
        has_name = frame.status in CommandStatus.__members__.values()
        told["status"] = CommandStatus(frame.status).name if has_name else f"0x{frame.status:08X}"
    try:
        body = read_body(frame.command, frame.body)
    except Malformed as malformed:
        return told | {"octets": len(frame.body), "unreadable": malformed.what}
    return told | _shown(body)


def _shown(body: AnyBody) -> dict[str, Any]:
    match body:
        case ShortMessage():
            return _message(body) | {
                "textOctets": len(body.text),
                "scheduleDeliveryTime": body.schedule_delivery_time,
                "validityPeriod": body.validity_period,
            }
        case DataSm():
            return _message(body)
        case Named():
            return {"id": body.name, "parameters": _parameters(body.parameters)}
        case QuerySm() | CancelSm() | ReplaceSm():
            return {"id": body.message_id}
        case QuerySmResp():
            return {"id": body.message_id, "messageState": body.message_state}
    return {}


def _message(body: ShortMessage | DataSm) -> dict[str, Any]:
    return {
        "source": _address(body.source),
        "destination": _address(body.destination),
        "serviceType": body.service_type,
        "esmClass": body.esm_class,
        "dataCoding": body.data_coding,
        "registeredDelivery": body.registered_delivery,
        "parameters": _parameters(body.parameters),
    }


def _address(address: Address) -> str:
    """With its TON and NPI; of a phone what is shown of one."""
    value = address.value
    if any(char.isdigit() for char in value):
        value = mask_phone(value if value.startswith("+") else f"+{value}")
    return f"{address.ton}/{address.npi} {value}"


def _parameters(parameters: Parameters) -> dict[str, str | int]:
    """By their names: those of ours and numbers as they are, of others how long they are."""
    names = {int(tag): tag for tag in Tag}
    told: dict[str, str | int] = {}
    for number, value in parameters.items():
        tag = names.get(number)
        name = f"0x{number:04X}" if tag is None else tag.name.lower()
        if tag in TOLD_WHOLE:
            told[name] = value.rstrip(b"\0").decode("ascii", "replace")
        elif tag in NUMBERS:
            told[name] = int.from_bytes(value[:4])
        else:
            told[name] = f"{len(value)} octets"
    return told
