"""What can be done with webhooks."""

from typing import get_args

import strawberry

from core import webhooks
from core.foundation.security.caller import Scope
from core.read_models.webhooks import WEBHOOK
from core.webhooks.inputs import ChangedHeader, Header, Retry
from core.webhooks.signing.verify import Step
from core.webhooks.subscriptions.ping import Reason
from graphql_api.enums import wire_enum
from graphql_api.inputs import name_input, register_enum, register_field_enums
from graphql_api.mutations import Deleted, mutation_field, mutation_type, payload_field
from graphql_api.scalars import DateTime
from graphql_api.subscriptions.schema import EventType
from graphql_api.webhooks.schema import Webhook, WebhookDeliveryStatus

WRITE = Scope.WEBHOOKS_WRITE

register_enum(webhooks.EventType, EventType)
register_enum(webhooks.DeliveryStatus, WebhookDeliveryStatus)
register_field_enums(webhooks.SubscriptionChanges, status="ChangedWebhookStatus")
EndpointProblem = wire_enum(
    "EndpointProblem", [reason for some in get_args(Reason) for reason in get_args(some)]
)

SignatureStep = wire_enum("SignatureStep", get_args(Step))

name_input(Header, "WebhookHeaderInput")
name_input(ChangedHeader, "ChangedWebhookHeaderInput")
name_input(Retry, "WebhookRetryInput")


@strawberry.type(description="The signing secret, shown this once.")
class RevealedSecret:
    id: strawberry.ID
    secret: str
    secret_version: int
    created_at: DateTime
    webhook: Webhook | None = payload_field(WEBHOOK, lambda reveal: reveal["id"])


@strawberry.type(description="A new webhook with its secret.")
class NewWebhook:
    webhook: Webhook | None = payload_field(WEBHOOK, lambda made: made["webhook"]["id"], told=True)
    reveal: RevealedSecret


@strawberry.type(description="How an endpoint took a ping; `message` says what to do.")
class EndpointVerdict:
    ok: bool
    status_code: int | None
    latency_ms: int | None
    reason: EndpointProblem | None
    message: str | None


@strawberry.type(
    description="How an endpoint took the sample of an event, and the ids that it was sent with."
)
class SampleVerdict(EndpointVerdict):
    event_id: strawberry.ID
    delivery_id: strawberry.ID


@strawberry.type(description="How many deliveries were queued again.")
class Replayed:
    requested: int


@strawberry.type(
    description="What the check of a request came to; `failingStep` is the first step that fails."
)
class SignatureVerdict:
    ok: bool
    failing_step: SignatureStep | None
    message: str
    subscription_id: strawberry.ID | None
    secret_version: int | None
    signed_at: DateTime | None
    body_bytes: int


@mutation_type
class SignatureQueries:
    webhook_signature: SignatureVerdict | None = mutation_field(
        webhooks.verify_signature,
        webhooks.ReceivedRequest,
        scope=Scope.WEBHOOKS_READ,
        description="Find out why the signature of a request, as it was received, does not fit.",
    )


@mutation_type
class WebhookMutations:
    create_webhook: NewWebhook | None = mutation_field(
        webhooks.subscribe,
        webhooks.NewSubscription,
        scope=WRITE,
        description="Subscribe an address, which is tried first; its secret is shown in this "
        "answer only.",
    )
    update_webhook: Webhook | None = mutation_field(
        webhooks.change_subscription,
        webhooks.SubscriptionChanges,
        scope=WRITE,
        answers=WEBHOOK,
        ids=("id",),
        description="Only what is sent changes; `headers` replaces the whole set.",
    )
    delete_webhook: Deleted | None = mutation_field(
        webhooks.unsubscribe, scope=WRITE, answers=Deleted, ids=("id",)
    )
    rotate_webhook_secret: RevealedSecret | None = mutation_field(
        webhooks.rotate_secret,
        webhooks.SecretRotation,
        scope=WRITE,
        ids=("id",),
        optional=True,
        description="The new secret is shown in this answer only.",
    )
    validate_webhook_endpoint: EndpointVerdict | None = mutation_field(
        webhooks.validate_endpoint,
        webhooks.EndpointCheck,
        scope=WRITE,
        description="Ping an address once. What is wrong with it is the answer, not a refusal.",
    )
    replay_webhook_deliveries: Replayed | None = mutation_field(
        webhooks.replay_deliveries,
        webhooks.Replay,
        heavy=True,
        scope=WRITE,
        ids=("id",),
        description="Send deliveries of a webhook again, under new ids: those named, or those of "
        "a time.",
    )
    send_webhook_sample: SampleVerdict | None = mutation_field(
        webhooks.send_sample,
        webhooks.Sample,
        scope=WRITE,
        ids=("id",),
        description="Send a sample of an event, signed as a delivery is. Nothing is stored.",
    )
