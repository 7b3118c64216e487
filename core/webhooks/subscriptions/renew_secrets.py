"""Key rotation at rest: encrypting stored secrets and header values anew with the newest key."""

from core.foundation.database.transactions import transaction
from core.foundation.security.secrets import CannotDecrypt
from core.webhooks.models import WebhookSubscription
from core.webhooks.signing.secret_box import renewed_header, renewed_secret

BATCH_SIZE = 200
"""Rows of one transaction: they are locked meanwhile, and so are the outcomes of their deliveries.
"""


async def renew_secrets() -> tuple[int, int]:
    """Put everything under the newest key. Answers how many subscriptions changed, and how many no
    key of ours opens.

    It may be repeated, and it may be cut off: what was done is done.
    """
    renewed = lost = 0
    last = ""
    while True:
        async with transaction():
            batch = (
                await WebhookSubscription.filter(id__gt=last)
                .order_by("id")
                .limit(BATCH_SIZE)
                .select_for_update()
            )
            for subscription in batch:
                try:
                    renewed += await _renew(subscription)
                except CannotDecrypt:
                    lost += 1
        if len(batch) < BATCH_SIZE:
            return renewed, lost
        last = batch[-1].id


async def _renew(subscription: WebhookSubscription) -> bool:
    id, previous = subscription.id, subscription.previous_secret_cipher
    fresh = {
        "secret_cipher": renewed_secret(id, subscription.secret_cipher),
        "previous_secret_cipher": None if previous is None else renewed_secret(id, previous),
        "headers": [renewed_header(id, header) for header in subscription.headers],
    }
    changed = {name: value for name, value in fresh.items() if value != getattr(subscription, name)}
    if changed:
        await subscription.update_from_dict(changed).save(update_fields=list(changed))
    return bool(changed)
