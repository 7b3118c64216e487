"""The callback address of Amazon's providers: SNS notifications, proved by Amazon's signature.

It is the second way; the queue is the first (docs/amazon.md). Both may tell the same.
"""

import structlog
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from core.foundation.clock import now
from core.foundation.errors import MethodNotAllowed, NotFound, ServiceUnavailable, Unauthorized
from core.foundation.observability.metrics import Counter
from core.foundation.settings import current
from core.providers.amazon.certificates import certificate_at
from core.providers.amazon.confirm import confirm_subscription
from core.providers.amazon.notification import Forged, SnsNotification, open_notification
from core.sms.amazon import apply_told
from rest_api.support.answers import send_json
from rest_api.support.failures import refusal_for
from rest_api.support.problems import send_problem
from rest_api.support.prompt import read_promptly
from rest_api.support.requests import Headers, request_id_of

MAX_BODY_BYTES = 300_000
"""Bytes; SNS sends up to 256 KiB."""

TOPIC = b"x-amz-sns-topic-arn"

REFUSED = Counter(
    "svc_amazon_notifications_refused_total",
    "Notifications that were not taken, by what was wrong with them.",
    ("reason",),
)

log = structlog.get_logger()


class NotAmazons(Unauthorized):
    default_detail = (
        "Only what Amazon SNS signed for one of the topics in SVC_AMAZON_TOPICS is taken here."
    )

    def __init__(self) -> None:
        super().__init__(meta={"motivo": "assinatura"})


class NotYet(ServiceUnavailable):
    default_detail = "The message that this answers is not known yet; send it again later."


class AmazonCallback:
    """The address, as an ASGI application. Without topics there is no such address."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        headers = Headers(scope["headers"])
        request_id = request_id_of(headers)
        structlog.contextvars.bind_contextvars(request_id=request_id)
        try:
            if not current().amazon_topics:
                raise NotFound
            if scope["method"] != "POST":
                raise MethodNotAllowed
            if headers.get(TOPIC) not in current().amazon_topics:
                # Before a body is read of somebody who did not even try.
                raise _refused("topic")
            raw = await read_promptly(receive, headers, limit=MAX_BODY_BYTES)
            await _take(await _opened(raw))
            await send_json(send, 200, {"received": 1}, request_id=request_id)
        except Exception as error:
            refusal = refusal_for(error, "amazon callback")
            await send_problem(send, refusal, scope, request_id=request_id, allow=b"POST")


async def _opened(raw: bytes) -> SnsNotification:
    settings = current()
    try:
        return await open_notification(
            raw,
            topics=settings.amazon_topics,
            allow_sha1=settings.amazon_allow_sha1 == "on",
            certificate_of=certificate_at,
            at=now(),
        )
    except Forged as reason:
        raise _refused(str(reason)) from None


def _refused(reason: str) -> NotAmazons:
    """One line for each, with nothing in it that a stranger wrote."""
    REFUSED.labels(reason).add()
    log.warning("amazon_notification_refused", reason=reason)
    return NotAmazons()


async def _take(notification: SnsNotification) -> None:
    match notification.kind:
        case "Notification":
            (is_done,) = await apply_told([notification.text], at=now())
            if not is_done:
                raise NotYet
        case "SubscriptionConfirmation":
            await confirm_subscription(current(), notification)
            log.info("amazon_subscription_confirmed")
        case "UnsubscribeConfirmation":
            # Events come no more by this way: somebody has to look.
            log.error("amazon_subscription_ended")


routes = [Route("/providers/amazon/events", AmazonCallback())]
