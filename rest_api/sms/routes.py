"""The SMS operations of the interface."""

from typing import Any

from core import sms
from core.foundation.caller import Scope
from rest_api.sms.shapes import SentSms, SmsMessage, SmsPage
from rest_api.support.operations import Operation
from rest_api.support.requests import Call


async def send_message(call: Call) -> dict[str, Any]:
    assert call.idempotency_key is not None
    return await sms.send_message(call.caller, call.body, idempotency_key=call.idempotency_key)


async def list_messages(call: Call) -> dict[str, Any]:
    return await sms.list_messages(call.caller, call.query)


async def get_message(call: Call) -> dict[str, Any]:
    return await sms.get_message(call.caller, call.path["id"])


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
        answer=SmsPage,
    ),
    Operation(
        "POST",
        "/v2/sms/messages",
        send_message,
        Scope.SMS_SEND,
        "Send an SMS",
        "SMS",
        description=(
            "Answers once the provider accepted or refused; delivery is reported later by webhook. With a test key "
            "the last digits of `to` choose the report: 0005 delivered, 0006 undelivered (carrier_rejected), 0008 "
            "failed (invalid_number), 0013 failed (expired), 0018 failed (blacklisted), 0099 no report ever, 0114 "
            "refused at once with 503; any other delivered."
        ),
        errors=(400, 401, 402, 403, 409, 412, 422, 429, 502, 503),
        status=201,
        body=sms.NewSms,
        answer=SentSms,
        needs_key=True,
        examples={
            "premium": {
                "to": "+5511987650005",
                "body": "Olá! Seu pedido saiu para entrega.",
                "route": "premium",
                "metadata": {"order": "A-1042"},
            }
        },
    ),
    Operation(
        "GET",
        "/v2/sms/messages/{id}",
        get_message,
        Scope.SMS_READ,
        "Read one SMS message",
        "SMS",
        errors=(401, 403, 404),
        answer=SmsMessage,
    ),
]
