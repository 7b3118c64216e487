"""Sending a sample event to a subscription, to see how its endpoint takes it."""

from core.foundation.clock import now, real_now
from core.foundation.dry_run import refuse_dry_run
from core.foundation.http_client import client_for, post
from core.foundation.ids import new_id
from core.foundation.security.caller import Caller, Scope
from core.webhooks.creator import sees_personal_data
from core.webhooks.delivery.unconfirmed import confirm
from core.webhooks.events.payload import body_of
from core.webhooks.events.samples import SAMPLES
from core.webhooks.inputs import Sample
from core.webhooks.models import WebhookSubscription
from core.webhooks.outbound_policy import policy
from core.webhooks.signing.request_headers import headers_of
from core.webhooks.signing.secret_box import open_headers, signing_secrets
from core.webhooks.subscriptions.ping import refusal_of, result_of
from core.webhooks.subscriptions.record import SampleVerdict
from core.webhooks.subscriptions.validate import within_limit


async def send_sample(caller: Caller, id: str, sample: Sample) -> SampleVerdict:
    """Post a sample once, signed as a delivery is.

    Whatever the subscription's status is; nothing is stored, counted or tried again, but an answer
    with 2xx confirms the address. The header `X-SVC-Test: true` tells it from what really happened.
    Raises NotFound, and TooManyValidations: it shares that limit.
    """
    caller.require(Scope.WEBHOOKS_WRITE)
    refuse_dry_run()
    found = await WebhookSubscription.own(caller, "wbh", id)
    await within_limit(caller)
    at = now()
    event_id, delivery_id = new_id("evt"), new_id("dlv")
    body = body_of(
        event_id=event_id,
        type=sample.event,
        occurred_at=at,
        env=found.env,
        organization_id=found.organization_id,
        api_version=found.api_version,
        data={**SAMPLES[sample.event], "env": found.env},
        unmasked=sees_personal_data(vars(found), at=at),
    )
    headers = headers_of(
        secrets=signing_secrets(found, at=at),
        custom=open_headers(id, found.headers),
        subscription_id=id,
        delivery_id=delivery_id,
        event_id=event_id,
        type=sample.event,
        attempt=1,
        body=body,
        at=int(real_now().timestamp()),
    )
    result = refusal_of(found.url) or result_of(
        await post(
            client_for(policy()), found.url, body=body, headers={**headers, "X-SVC-Test": "true"}
        )
    )
    if result.ok:
        await confirm(id, at=now())
    return {**result.verdict(), "eventId": event_id, "deliveryId": delivery_id}
