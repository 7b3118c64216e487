"""What can be done with webhooks."""

import strawberry

from core import organizations, webhooks
from core.foundation.security.caller import Scope
from core.read_models.webhooks import WEBHOOK
from core.webhooks.inputs import ChangedHeader, Header, Retry
from graphql_api.inputs import name_input
from graphql_api.mutations import Deleted, mutation_field, mutation_type, payload_field
from graphql_api.records import record_type, type_of
from graphql_api.webhooks.schema import Webhook

WRITE = Scope.WEBHOOKS_WRITE

name_input(Header, "WebhookHeaderInput")
name_input(ChangedHeader, "ChangedWebhookHeaderInput")
name_input(Retry, "WebhookRetryInput")


@record_type(webhooks.RevealedSecret)
class RevealedSecret:
    webhook: Webhook | None = payload_field(
        WEBHOOK, lambda reveal: reveal["id"], description="The webhook whose secret it is"
    )


@record_type(webhooks.NewWebhook)
class NewWebhook:
    webhook: Webhook | None = payload_field(
        WEBHOOK, lambda made: made["webhook"]["id"], told=True, description="The webhook"
    )
    reveal: RevealedSecret = strawberry.field(description="Its secret, shown this once")


EndpointVerdict = type_of(webhooks.EndpointVerdict)
SampleVerdict = type_of(webhooks.SampleVerdict)
Replayed = type_of(webhooks.Replayed)


@record_type(webhooks.SignatureVerdict)
class SignatureVerdict:
    subscription: Webhook | None = payload_field(
        WEBHOOK,
        lambda told: told.get("subscriptionId"),
        description="The webhook whose secret was tried",
    )


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
        organizations.subscribe,
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
        description="Change what is sent of a webhook; `headers` replaces the whole set.",
    )
    delete_webhook: Deleted | None = mutation_field(
        webhooks.unsubscribe,
        scope=WRITE,
        answers=Deleted,
        ids=("id",),
        description="Remove a webhook, its secret and what was queued for it.",
    )
    rotate_webhook_secret: RevealedSecret | None = mutation_field(
        webhooks.rotate_secret,
        webhooks.SecretRotation,
        scope=WRITE,
        ids=("id",),
        optional=True,
        description="Draw a new secret, which is shown in this answer only.",
        of="webhook",
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
        of="webhook",
    )
    send_webhook_sample: SampleVerdict | None = mutation_field(
        webhooks.send_sample,
        webhooks.Sample,
        scope=WRITE,
        ids=("id",),
        description="Send a sample of an event, signed as a delivery is. Nothing is stored.",
        of="webhook",
    )
