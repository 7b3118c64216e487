"""Handing one live message over to its platform."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any, cast

import structlog

from core import flows, media
from core.conversations.queue.claim import ReadyConversationMessage
from core.conversations.queue.settle import PreSendFailure, Verdict, settlement_of
from core.conversations.reasons import FailureReason
from core.foundation.clock import now
from core.foundation.database.availability import is_outage
from core.foundation.errors import ServiceError
from core.foundation.security.caller import Caller, system_caller
from core.messaging import Settlement
from core.numbers.models import InstagramAccount, Number
from core.numbers.sender_accounts import usable_sender_account
from core.providers.platform import (
    ConversationPlatform,
    MessageKind,
    OutgoingMessage,
    Rejection,
    SenderAccount,
    TemporaryFailure,
    UnknownOutcome,
    UpstreamError,
)

log = structlog.get_logger()

Sender = Number | InstagramAccount

FILE_GONE = PreSendFailure(
    FailureReason.REJECTED, "The file of the message was not there any more when it was to leave."
)
FLOW_GONE = PreSendFailure(
    FailureReason.REJECTED,
    "The flow of the message could not be opened any more when it was to leave.",
)
NUMBER_GONE = PreSendFailure(
    FailureReason.NUMBER_UNAVAILABLE, "The number could not send when it was to leave."
)


async def hand_over(
    ready: ReadyConversationMessage, sender: Sender | None, platform: ConversationPlatform | None
) -> Settlement[Verdict] | None:
    """Hand it over, once and outside any transaction. None: nobody knows whether it left, and it
    stays `sending`.
    """
    verdict = await _verdict(ready, sender, platform)
    return None if verdict is None else settlement_of(ready.queued, verdict, now())


async def _verdict(
    ready: ReadyConversationMessage, sender: Sender | None, platform: ConversationPlatform | None
) -> Verdict | None:
    if sender is None:
        return NUMBER_GONE
    if platform is None:  # closed since the claim
        return TemporaryFailure("no_platform", "No platform is configured to carry the message.")
    row = ready.row
    try:
        account = usable_sender_account(sender)
        payload = await _platform_payload(ready, account)
    except _MissingReference as gone:
        return gone.stop
    except UpstreamError as failure:
        return _not_prepared(failure)
    except Exception as error:
        if not is_outage(error):
            raise
        return TemporaryFailure(
            "unavailable", "The message could not be prepared for the platform."
        )
    kind = cast("MessageKind", row["type"])
    reply = await platform.send(
        account, OutgoingMessage(row["id"], ready.to, kind, payload, ready.reply_to)
    )
    if isinstance(reply, UnknownOutcome):
        log.warning("outcome_unknown", message=row["id"])
    return None if isinstance(reply, UnknownOutcome) else reply


def _not_prepared(failure: UpstreamError) -> Verdict:
    """Nothing was handed over but, perhaps, a file."""
    if failure.retryable:
        return TemporaryFailure(failure.code, failure.error)
    return FILE_GONE if failure.gone else Rejection(failure.code, failure.error)


class _MissingReference(Exception):
    """What the message names is not to be had any more."""

    def __init__(self, stop: PreSendFailure) -> None:
        self.stop = stop


async def _platform_payload(
    ready: ReadyConversationMessage, account: SenderAccount
) -> dict[str, Any]:
    """The payload with the platform's ids of its file and of its flow."""
    row = ready.row
    caller = system_caller(row["organization_id"], row["env"])
    payload: dict[str, Any] = deepcopy(row["content"] or {})
    for file in _files_in(payload):
        file["id"] = await _file_id(caller, account, file["id"])
    if payload.get("kind") == "flow":
        payload["flowId"] = await _flow_id(caller, account, payload["flowId"])
    return payload


def _files_in(payload: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The objects that name a file of ours: of a media message, of a header, of a template's
    header. An `id` anywhere else is a choice of the customer's, whatever it looks like.
    """
    for place in (payload, payload.get("header")):
        if isinstance(place, dict) and "media" in place:
            yield place["media"]
    for component in payload.get("components", ()):
        for parameter in component["parameters"]:
            file = parameter.get(parameter["type"])
            if isinstance(file, dict) and "id" in file:
                yield file


async def _file_id(caller: Caller, account: SenderAccount, id: str) -> str:
    try:
        return await media.platform_id_of(account, await media.file_of_message(caller, id))
    except ServiceError:
        raise _MissingReference(FILE_GONE) from None


async def _flow_id(caller: Caller, account: SenderAccount, id: str) -> str:
    try:
        return (await flows.flow_for_sending(caller, id, account.id)).meta_flow_id or ""
    except ServiceError:
        raise _MissingReference(FLOW_GONE) from None
