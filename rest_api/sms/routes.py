"""The SMS operations of the interface."""

from core import sms
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.sms import examples
from rest_api.support.operations import Operation
from rest_api.support.requests import Call
from rest_api.support.sample_ids import MESSAGE, REPLY


async def send_message(call: Call[sms.NewSms]) -> sms.SentSms:
    assert call.idempotency_key is not None
    return await sms.send_message(call.caller, call.body, idempotency_key=call.idempotency_key)


async def list_messages(call: Call[None, sms.SmsFilter]) -> WrittenPage[sms.SmsPage]:
    return await sms.list_messages(call.caller, call.query)


async def get_message(call: Call) -> sms.SmsRecord:
    return await sms.get_message(call.caller, call.path["id"])


async def cancel_message(call: Call) -> sms.SmsRecord:
    return await sms.cancel_message(call.caller, call.path["id"])


async def preview_message(call: Call[sms.SmsDraft]) -> sms.SmsPreview:
    return await sms.preview_message(call.caller, call.body)


async def list_replies(call: Call[None, sms.ReplyFilter]) -> WrittenPage[sms.SmsReplyPage]:
    return await sms.list_replies(call.caller, call.query)


async def get_reply(call: Call) -> sms.SmsReplyRecord:
    return await sms.get_reply(call.caller, call.path["id"])


async def reply_in_sandbox(call: Call[sms.SandboxReply]) -> sms.SmsReplyRecord:
    return await sms.reply_in_sandbox(call.caller, call.body)


operations = [
    Operation(
        "GET",
        "/v2/sms/messages",
        list_messages,
        Scope.SMS_READ,
        "List SMS messages, newest first",
        "SMS",
        errors=(401, 403, 422),
        query=sms.SmsFilter,
        answer=sms.SmsPage,
        answers=examples.PAGES,
    ),
    Operation(
        "POST",
        "/v2/sms/messages",
        send_message,
        Scope.SMS_SEND,
        "Send an SMS",
        "SMS",
        description=(
            "Answers once the provider accepted or refused; delivery is reported later by "
            "webhook. With a test key "
            "the last digits of `to` choose the report: 0005 delivered, 0006 undelivered "
            "(carrier_rejected), 0008 "
            "failed (invalid_number), 0013 failed (expired), 0018 failed (blacklisted), 0099 no "
            "report ever, 0114 "
            "refused at once with 503; any other delivered. With `scheduledAt` it "
            "answers `queued`, "
            "with the price held, and the message leaves at that time."
        ),
        errors=(400, 401, 402, 403, 409, 412, 422, 429, 502, 503),
        status=201,
        body=sms.NewSms,
        answer=sms.SentSms,
        answers=examples.SENT_ANSWERS,
        needs_key=True,
        keys_itself=True,
        examples={
            "premium": {
                "to": "+5511987650005",
                "body": "Olá! Seu pedido saiu para entrega.",
                "route": "premium",
                "metadata": {"order": "A-1042"},
            },
            "later": {
                "to": "+5511987650005",
                "body": "Seu código vale até amanhã.",
                "route": "premium",
                "scheduledAt": "2026-12-01T12:00:00Z",
            },
        },
    ),
    Operation(
        "POST",
        "/v2/sms/preview",
        preview_message,
        Scope.SMS_SEND,
        "Preview encoding, segments and price",
        "SMS",
        description="Sends nothing and charges nothing. Without `route` there is no `billing`.",
        errors=(400, 401, 403, 412, 422),
        body=sms.SmsDraft,
        answer=sms.SmsPreview,
        answers=examples.PREVIEW_ANSWERS,
        examples={"accents": {"body": "Promoção de verão", "route": "premium"}},
    ),
    Operation(
        "GET",
        "/v2/sms/messages/{id}",
        get_message,
        Scope.SMS_READ,
        "Read one SMS message",
        "SMS",
        errors=(401, 403, 404),
        answer=sms.SmsRecord,
        answers={"delivered": examples.DELIVERED},
        ids={"id": MESSAGE},
    ),
    Operation(
        "POST",
        "/v2/sms/messages/{id}/cancel",
        cancel_message,
        Scope.SMS_SEND,
        "Cancel an SMS that waits",
        "SMS",
        description=(
            "It fails with the reason `canceled`, and what was held for it is given back. 409 once "
            "it is being sent."
        ),
        errors=(401, 403, 404, 409),
        answer=sms.SmsRecord,
        answers={"canceled": examples.CANCELED},
        ids={"id": MESSAGE},
    ),
    Operation(
        "GET",
        "/v2/sms/replies",
        list_replies,
        Scope.SMS_READ,
        "List replies, newest first",
        "SMS",
        errors=(401, 403, 422),
        query=sms.ReplyFilter,
        answer=sms.SmsReplyPage,
        answers={"one page": examples.REPLIES},
    ),
    Operation(
        "GET",
        "/v2/sms/replies/{id}",
        get_reply,
        Scope.SMS_READ,
        "Read one reply",
        "SMS",
        errors=(401, 403, 404),
        answer=sms.SmsReplyRecord,
        answers={"reply": examples.REPLY_RECORD},
        ids={"id": REPLY},
    ),
    Operation(
        "POST",
        "/v2/sandbox/sms/replies",
        reply_in_sandbox,
        Scope.SMS_SEND,
        "Let the recipient of a sandbox SMS reply",
        "Sandbox",
        description="Test keys only. The reply is stored, charged and published as a real one.",
        errors=(400, 401, 403, 404, 422),
        status=201,
        body=sms.SandboxReply,
        answer=sms.SmsReplyRecord,
        answers={"reply": examples.REPLY_RECORD},
        examples={"yes": {"inReplyTo": MESSAGE, "body": "SIM"}},
    ),
]
