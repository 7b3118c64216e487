"""The e-mail operations of the interface, and the addresses that stand in e-mails."""

from starlette.routing import Route

from core import email
from core.foundation.records import WrittenPage
from core.foundation.security.caller import Scope
from rest_api.email import examples
from rest_api.email.opened import show_pixel
from rest_api.email.unsubscribe import unsubscribe
from rest_api.support.operations import MEGABYTE, Operation
from rest_api.support.pages import PageEndpoint
from rest_api.support.requests import Call
from rest_api.support.sample_ids import EMAIL_SENDER, MESSAGE

MAX_BODY_BYTES = 20 * MEGABYTE
"""Ten MiB of files in base64, and both bodies."""


async def send_message(call: Call[email.NewEmail]) -> email.SentEmail:
    assert call.idempotency_key is not None
    return await email.send_message(call.caller, call.body, idempotency_key=call.idempotency_key)


async def list_messages(call: Call[None, email.EmailFilter]) -> WrittenPage[email.EmailPage]:
    return await email.list_messages(call.caller, call.query)


async def get_message(call: Call) -> email.EmailRecord:
    return await email.get_message(call.caller, call.path["id"])


async def cancel_message(call: Call) -> email.EmailRecord:
    return await email.cancel_message(call.caller, call.path["id"])


async def list_suppressions(
    call: Call[None, email.SuppressionFilter],
) -> WrittenPage[email.SuppressionPage]:
    return await email.list_suppressions(call.caller, call.query)


async def lift_suppression(call: Call[None, email.SuppressedAddress]) -> None:
    await email.lift_suppression(call.caller, call.query)


async def list_senders(call: Call[None, email.SenderFilter]) -> WrittenPage[email.SenderPage]:
    return await email.list_senders(call.caller, call.query)


async def request_sender(call: Call[email.SenderRequest]) -> email.RequestedSender:
    return await email.request_sender(call.caller, call.body)


async def get_sender(call: Call) -> email.SenderRecord:
    return await email.get_sender(call.caller, call.path["id"])


async def prove_sender(call: Call[email.SenderProof]) -> email.SenderRecord:
    return await email.prove_sender(call.caller, call.path["id"], call.body)


async def remove_sender(call: Call) -> None:
    await email.remove_sender(call.caller, call.path["id"])


operations = [
    Operation(
        "GET",
        "/v2/email/messages",
        list_messages,
        Scope.EMAIL_READ,
        "List e-mails, newest first",
        "Email",
        errors=(400, 401, 403),
        query=email.EmailFilter,
        answer=email.EmailPage,
        answers=examples.PAGES,
    ),
    Operation(
        "POST",
        "/v2/email/messages",
        send_message,
        Scope.EMAIL_SEND,
        "Send an e-mail",
        "Email",
        description=(
            "Answers once the e-mail is accepted; what becomes of it is told by `email.*` "
            "events. An address that "
            "bounced for good or complained answers 201 with status `failed`, reason "
            "`suppressed`, uncharged. With a "
            "test key the local part of `to` chooses what happens: `bounce` bounces, `complaint` "
            "is delivered and "
            "complains, `open` is opened, `click` is clicked; any other is delivered. With "
            "`scheduledAt` the e-mail leaves at that time."
        ),
        errors=(400, 401, 402, 403, 409, 422, 503),
        status=201,
        body=email.NewEmail,
        body_limit=MAX_BODY_BYTES,
        answer=email.SentEmail,
        answers=examples.SENT_ANSWERS,
        needs_key=True,
        keys_itself=True,
        examples=examples.BODIES,
    ),
    Operation(
        "GET",
        "/v2/email/messages/{id}",
        get_message,
        Scope.EMAIL_READ,
        "Read one e-mail",
        "Email",
        description="The body is not among what is read: only its size is kept.",
        errors=(401, 403, 404),
        answer=email.EmailRecord,
        answers={"delivered": examples.DELIVERED},
        ids={"id": MESSAGE},
    ),
    Operation(
        "POST",
        "/v2/email/messages/{id}/cancel",
        cancel_message,
        Scope.EMAIL_SEND,
        "Cancel an e-mail that waits",
        "Email",
        description=(
            "It fails with the reason `canceled`, and what was held for it is given back. 409 for "
            "one without `scheduledAt`, or once its time has come."
        ),
        errors=(401, 403, 404, 409),
        answer=email.EmailRecord,
        answers={"canceled": examples.CANCELED},
        ids={"id": MESSAGE},
    ),
    Operation(
        "GET",
        "/v2/email/suppressions",
        list_suppressions,
        Scope.EMAIL_READ,
        "List the addresses that nothing is sent to, the newest first",
        "Email",
        description=(
            "Those that bounced for good, and those whose owner complained. Of an address only a "
            "keyed hash is kept: "
            "`to` is that of the message that told, and absent once its contact was erased. "
            "People who said no to "
            "marketing are no such addresses: their contacts show `optOuts`."
        ),
        errors=(401, 403, 422),
        query=email.SuppressionFilter,
        answer=email.SuppressionPage,
        answers=examples.SUPPRESSIONS,
    ),
    Operation(
        "DELETE",
        "/v2/email/suppressions",
        lift_suppression,
        Scope.EMAIL_SEND,
        "Send to an address again",
        "Email",
        description=(
            "For an address that works again. Mail servers watch who writes to addresses that do "
            "not: the next hard "
            "bounce or complaint suppresses it anew. What its owner denied stays denied. The "
            "audit trail has "
            "`email.suppression_lifted`."
        ),
        errors=(401, 403, 404, 422),
        status=204,
        query=email.SuppressedAddress,
    ),
    Operation(
        "GET",
        "/v2/email/senders",
        list_senders,
        Scope.EMAIL_READ,
        "List senders, the newest first",
        "Email",
        description="Those that the organization may write from, and those that wait to be verified.",
        errors=(401, 403, 422),
        query=email.SenderFilter,
        answer=email.SenderPage,
        answers=examples.SENDERS,
    ),
    Operation(
        "POST",
        "/v2/email/senders",
        request_sender,
        Scope.EMAIL_SEND,
        "Ask to write from an address or a domain",
        "Email",
        description=(
            "For a domain (`@example.com`) the answer names a TXT record, which is looked for until "
            "`expiresAt`, seven days later. An address gets an e-mail with a code that lives 24 hours "
            "and works once. What waits begins anew, and an older code ends; what is verified stays "
            "so. Each organization and environment shows it for itself. In the sandbox no e-mail "
            "leaves: `sandboxCode` is its code."
        ),
        errors=(400, 401, 403, 409, 422, 429),
        status=201,
        body=email.SenderRequest,
        answer=email.RequestedSender,
        answers=examples.REQUESTED_SENDERS,
        examples={
            "a domain": {"address": "@example.com"},
            "an address": {"address": "loja@example.com", "language": "pt-BR"},
        },
    ),
    Operation(
        "GET",
        "/v2/email/senders/{id}",
        get_sender,
        Scope.EMAIL_READ,
        "Read one sender",
        "Email",
        errors=(401, 403, 404),
        answer=email.SenderRecord,
        answers={"verified": examples.VERIFIED_SENDER},
        ids={"id": EMAIL_SENDER},
    ),
    Operation(
        "POST",
        "/v2/email/senders/{id}/verify",
        prove_sender,
        Scope.EMAIL_SEND,
        "Verify a sender",
        "Email",
        description=(
            "Looks for the TXT record of a domain at once: the sender is `verified`, or stays "
            "`pending` and `lastCheck` tells what was found. An address needs `code`, of the e-mail. "
            "In the sandbox every domain but `unverified.test` has its record."
        ),
        errors=(400, 401, 403, 404, 409, 422, 429),
        body=email.SenderProof,
        body_optional=True,
        answer=email.SenderRecord,
        answers={
            "verified": examples.VERIFIED_SENDER,
            "no such record yet": examples.PENDING_SENDER,
        },
        ids={"id": EMAIL_SENDER},
        examples={"a domain": {}, "an address": {"code": "4fRt6YhJ8kLo0PzX"}},
    ),
    Operation(
        "DELETE",
        "/v2/email/senders/{id}",
        remove_sender,
        Scope.EMAIL_SEND,
        "Remove a sender",
        "Email",
        description="Nothing is accepted from it any more; what was accepted before still leaves.",
        errors=(401, 403, 404),
        status=204,
        ids={"id": EMAIL_SENDER},
    ),
]

routes = [
    Route("/o/{token}", PageEndpoint(show_pixel)),
    Route("/u/{token}", PageEndpoint(unsubscribe, methods=("GET", "POST"))),
]
