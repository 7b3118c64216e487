"""Handing one live message to its platform."""

from collections.abc import Mapping
from typing import Any

import structlog

from core import flows, media
from core.conversations.claim import Ready
from core.conversations.reasons import Reason
from core.conversations.settle import Settlement, Stopped, Verdict
from core.foundation.caller import Caller, system_caller
from core.foundation.clock import now
from core.foundation.errors import ServiceError
from core.foundation.ids import is_id
from core.numbers.lines import line_to_ask
from core.numbers.models import InstagramAccount, Number
from core.providers.platform import (
    ConversationPlatform,
    Declined,
    Later,
    Line,
    OutgoingMessage,
    Unclear,
    Upstream,
)

log = structlog.get_logger()

Sender = Number | InstagramAccount

FILE_GONE = Stopped(Reason.REJECTED, "The file of the message was not there any more when it was to leave.")
FLOW_GONE = Stopped(Reason.REJECTED, "The flow of the message could not be opened any more when it was to leave.")
NUMBER_GONE = Stopped(Reason.NUMBER_UNAVAILABLE, "The number could not send when it was to leave.")


async def hand_over(ready: Ready, sender: Sender | None, platform: ConversationPlatform | None) -> Settlement | None:
    """Hand it over, once and outside any transaction. None: nobody knows whether it left, and it stays `sending`."""
    verdict = await _verdict(ready, sender, platform)
    return None if verdict is None else Settlement(ready.waiting, verdict, now())


async def _verdict(ready: Ready, sender: Sender | None, platform: ConversationPlatform | None) -> Verdict | None:
    if sender is None:
        return NUMBER_GONE
    if platform is None:  # closed since the claim
        return Later("no_platform", "No platform is configured to carry the message.")
    row = ready.row
    try:
        line = line_to_ask(sender)
        payload = await _platform_payload(ready, line)
    except _Gone as gone:
        return gone.stop
    except Upstream as failure:
        return _not_prepared(failure)
    reply = await platform.send(line, OutgoingMessage(row["id"], ready.to, row["type"], payload, ready.reply_to))
    if isinstance(reply, Unclear):
        log.warning("outcome_unknown", message=row["id"])
    return None if isinstance(reply, Unclear) else reply


def _not_prepared(failure: Upstream) -> Verdict:
    """Nothing was handed over but, perhaps, a file."""
    if failure.retryable:
        return Later(failure.code, failure.error)
    return FILE_GONE if failure.gone else Declined(failure.code, failure.error)


class _Gone(Exception):
    """What the message names is not to be had any more."""

    def __init__(self, stop: Stopped) -> None:
        self.stop = stop


async def _platform_payload(ready: Ready, line: Line) -> dict[str, Any]:
    """The payload with the platform's ids of its file and of its flow."""
    row = ready.row
    caller = system_caller(row["organization_id"], row["env"])
    named = sorted(_named_in(row["content"] or {}))
    theirs = {id: await _platform_id(caller, line, id) for id in named}
    payload: dict[str, Any] = _with(theirs, row["content"] or {})
    return payload


async def _platform_id(caller: Caller, line: Line, id: str) -> str:
    try:
        if is_id("flw", id):
            flow = await flows.flow_for_sending(caller, id, line.id)
            return flow.meta_flow_id or ""
        return await media.platform_id_of(line, await media.file_for_sending(caller, line.id, id))
    except ServiceError:
        raise _Gone(FLOW_GONE if is_id("flw", id) else FILE_GONE) from None


def _named_in(value: Any) -> set[str]:
    """Our ids of files and flows in a payload."""
    match value:
        case Mapping():
            own = {item for key, item in value.items() if key in ("id", "flowId") and _is_ours(item)}
            return own.union(*(_named_in(item) for item in value.values()))
        case list():
            return set().union(*(_named_in(item) for item in value))
    return set()


def _is_ours(value: Any) -> bool:
    return isinstance(value, str) and (is_id("med", value) or is_id("flw", value))


def _with(theirs: Mapping[str, str], value: Any) -> Any:
    match value:
        case Mapping():
            return {
                key: theirs.get(item, item)
                if key in ("id", "flowId") and isinstance(item, str)
                else _with(theirs, item)
                for key, item in value.items()
            }
        case list():
            return [_with(theirs, item) for item in value]
    return value
