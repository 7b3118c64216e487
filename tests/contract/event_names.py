"""Interface, Events: the closed set of names that a subscription may ask for."""

EVENT_NAMES = (
    "message.sent",
    "message.delivered",
    "message.read",
    "message.failed",
    "message.received",
    "campaign.completed",
    "number.quality_changed",
    "template.approved",
    "template.rejected",
    "contact.created",
    "contact.opted_out",
    "apikey.created",
    "apikey.rotated",
    "sms.delivered",
    "sms.failed",
    "sms.undelivered",
    "sms.received",
    "email.delivered",
    "email.bounced",
    "email.complained",
    "email.opened",
    "email.clicked",
    "rcs.delivered",
    "rcs.read",
    "rcs.failed",
    "sms.clicked",
    "rcs.clicked",
    "wallet.low_balance",
    "wallet.depleted",
    "instagram.message.received",
    "instagram.message.sent",
    "instagram.message.failed",
)

OF_CHANNELS_TO_COME = frozenset(
    name for name in EVENT_NAMES if name.startswith(("message.", "instagram.")) and not name.endswith("received")
)
"""Nothing sends these yet: take the prefix away with the domain that does, and its rows are owed."""
