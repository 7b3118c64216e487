"""Rotating the signing secret of a subscription, with an optional overlap."""

from datetime import timedelta

from core import audit
from core.foundation.clock import now, wire_time
from core.foundation.database.transactions import transaction
from core.foundation.security.caller import Caller, Scope
from core.foundation.security.secrets import new_webhook_secret
from core.webhooks.inputs import SecretRotation
from core.webhooks.signing.secret_box import seal_secret
from core.webhooks.subscriptions.lock import lock_subscription
from core.webhooks.subscriptions.record import RevealedSecret


async def rotate_secret(caller: Caller, id: str, rotation: SecretRotation) -> RevealedSecret:
    """Sign with a new secret from now on; it is shown here only.

    The secret so far is invalid at once, unless the rotation overlaps: then it signs too until the
    overlap ends or the next rotation comes. At most two secrets sign. Raises NotFound. (Interface:
    Endpoints, Webhooks, POST /webhooks/{id}/rotate-secret.)
    """
    caller.require(Scope.WEBHOOKS_WRITE)
    secret = new_webhook_secret()
    async with transaction():
        subscription = await lock_subscription(caller, id)
        at = now()
        overlaps = rotation.overlap_seconds > 0
        subscription.previous_secret_cipher = subscription.secret_cipher if overlaps else None
        subscription.previous_secret_until = (
            at + timedelta(seconds=rotation.overlap_seconds) if overlaps else None
        )
        subscription.secret_cipher = seal_secret(id, secret)
        subscription.secret_version += 1
        subscription.updated_at = at
        await subscription.save(update_fields=ROTATED)
        facts = {
            "secretVersion": subscription.secret_version,
            "overlapSeconds": rotation.overlap_seconds,
        }
        await audit.write_entry(caller, "webhook.secret_rotated", id, facts, at=at)
    return {
        "id": id,
        "secret": secret,
        "secretVersion": subscription.secret_version,
        "createdAt": wire_time(at),
    }


ROTATED = (
    "secret_cipher",
    "secret_version",
    "previous_secret_cipher",
    "previous_secret_until",
    "updated_at",
)
