"""Decisions, Webhooks: what the `data` of every event holds, as the table there tells it."""

from collections.abc import Mapping

_SMS = "id to route status segments sentAt providerReceipt"
_CLICK = "messageId url clickedAt first bot userAgent"
_RCS = "id to route status"
_EMAIL = "id to subject status"
_MESSAGE = "id channel numberId to type status templateId batchId createdAt sentAt"
_ON_INSTAGRAM = "id channel instagramAccountId to type status createdAt sentAt"
_TEMPLATE = "templateId name language version"
_JOURNEY = "journeyId versao quantidade journeyRunId contactId em"
_KEY = "keyId name env scopes createdById"

OF_ALL = "env"
OF_MESSAGES = "metadata campaignId"
"""What comes back of a message as it was sent, whenever it was sent with it."""

FIELDS: Mapping[str, str] = {
    "message.sent": _MESSAGE,
    "message.delivered": f"{_MESSAGE} deliveredAt",
    "message.read": f"{_MESSAGE} deliveredAt readAt",
    "message.failed": f"{_MESSAGE} failedAt lastError upstreamCode",
    "message.received": "id channel numberId from type payload contactId origemDoLink receivedAt",
    "campaign.completed": "campaignId totals startedAt completedAt",
    "number.quality_changed": "numberId from to",
    "template.approved": _TEMPLATE,
    "template.rejected": f"{_TEMPLATE} rejectionReason",
    "contact.created": "id source externalId tags optIn",
    "contact.opted_out": "id phone channel reason source at",
    "apikey.created": _KEY,
    "apikey.rotated": _KEY,
    "sms.delivered": f"{_SMS} deliveredAt",
    "sms.failed": f"{_SMS} failedAt reason",
    "sms.undelivered": f"{_SMS} failedAt reason",
    "sms.received": "id inReplyTo route from body receivedAt",
    "email.delivered": _EMAIL,
    "email.bounced": f"{_EMAIL} reason",
    "email.complained": f"{_EMAIL} reason",
    "email.opened": f"{_EMAIL} bot",
    "email.clicked": f"{_EMAIL} bot url",
    "rcs.delivered": f"{_RCS} channel",
    "rcs.read": f"{_RCS} channel",
    "rcs.failed": f"{_RCS} failureReason",
    "sms.clicked": _CLICK,
    "rcs.clicked": _CLICK,
    "wallet.low_balance": "saldoCoins limiteCoins",
    "wallet.depleted": "saldoCoins limiteCoins",
    "instagram.message.received": "id channel instagramAccountId from type payload receivedAt",
    "instagram.message.sent": _ON_INSTAGRAM,
    "instagram.message.failed": f"{_ON_INSTAGRAM} failedAt lastError upstreamCode",
    "journey.entered": _JOURNEY,
    "journey.completed": f"{_JOURNEY} motivo",
    "journey.paused": "journeyId versao motivo passo em",
    "journey.called": "journeyId stepId journeyRunId contactId corpo",
}

INSIDE: Mapping[str, Mapping[str, str]] = {
    "campaign.completed": {"totals": "queued sent delivered read failed"},
    "number.quality_changed": {
        "from": "qualityRating messagingTier",
        "to": "qualityRating messagingTier",
    },
    "contact.created": {"optIn": "status"},
}
"""The names inside a field."""

SENT_BY_CUSTOMERS = frozenset(
    name
    for name in FIELDS
    if name.startswith(("sms.", "rcs.", "email.", "message.", "instagram.message."))
    and name not in ("message.received", "instagram.message.received")
)
"""The events about what a customer sent, a reply to it included."""


def owed(name: str) -> set[str]:
    """The names that the data of an event has, where its message was sent with everything it can
    have.
    """
    about = OF_MESSAGES if name in SENT_BY_CUSTOMERS else ""
    return {*FIELDS[name].split(), *OF_ALL.split(), *about.split()}
