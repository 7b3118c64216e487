"""Webhook event types: the closed set that a subscription may name."""

from core.foundation.described_enum import DescribedEnum


class EventType(DescribedEnum):
    """What a subscription may be told of."""

    MESSAGE_SENT = "message.sent", "The platform accepted a message"
    MESSAGE_DELIVERED = "message.delivered", "A message arrived"
    MESSAGE_READ = (
        "message.read",
        "The recipient read a message. It may come without message.delivered, or before it.",
    )
    MESSAGE_FAILED = (
        "message.failed",
        "A message will not arrive, or was called off; `lastError` tells why",
    )
    MESSAGE_RECEIVED = (
        "message.received",
        "Somebody wrote to a number. The answer costs nothing for 24 hours.",
    )
    CAMPAIGN_COMPLETED = (
        "campaign.completed",
        (
            "No message of the tag was sent for 15 minutes, and each one has come to its end or is "
            "older than 72 hours. Once for each campaign, and again after a later send."
        ),
    )
    NUMBER_QUALITY_CHANGED = (
        "number.quality_changed",
        (
            "The platform rates a number otherwise, or lets it open more or fewer conversations in "
            "a day"
        ),
    )
    TEMPLATE_APPROVED = (
        "template.approved",
        "A template may be sent: approved, or no longer held back",
    )
    TEMPLATE_REJECTED = (
        "template.rejected",
        "A template was not approved; `rejectionReason` tells why",
    )
    CONTACT_CREATED = "contact.created", "A contact was created"
    CONTACT_OPTED_OUT = "contact.opted_out", "A contact asked not to receive messages"
    APIKEY_CREATED = "apikey.created", "A key of this environment was issued"
    APIKEY_ROTATED = (
        "apikey.rotated",
        "A key of this environment was replaced; both open until the overlap ends",
    )
    SMS_DELIVERED = "sms.delivered", "The carrier reported that the SMS arrived"
    SMS_FAILED = "sms.failed", "The SMS will not arrive; `reason` tells why"
    SMS_UNDELIVERED = "sms.undelivered", "The carrier gave up; `reason` tells why"
    SMS_RECEIVED = "sms.received", "A recipient replied (MO)"
    EMAIL_DELIVERED = "email.delivered", "A mail server took the e-mail"
    EMAIL_BOUNCED = (
        "email.bounced",
        (
            "The e-mail will not arrive: a mail server gave it back (`bounced`), or it never left "
            "(`failed`)"
        ),
    )
    EMAIL_COMPLAINED = "email.complained", "The recipient reported the e-mail as spam"
    EMAIL_OPENED = (
        "email.opened",
        "The image of an e-mail that was sent with `trackOpens` was loaded: one event each time",
    )
    EMAIL_CLICKED = (
        "email.clicked",
        "A link of an e-mail that was sent with `trackLinks` was opened: one event per click",
    )
    RCS_DELIVERED = "rcs.delivered", "The message arrived; `channel` tells whether by RCS or as SMS"
    RCS_READ = "rcs.read", "The recipient read the message"
    RCS_FAILED = "rcs.failed", "The message will not arrive; `failureReason` tells why"
    SMS_CLICKED = (
        "sms.clicked",
        "A short link of an SMS that was sent with `trackLinks` was opened: one event per click",
    )
    RCS_CLICKED = (
        "rcs.clicked",
        (
            "A short link of an RCS message that was sent with `trackLinks` was opened: one event "
            "per click"
        ),
    )
    WALLET_LOW_BALANCE = (
        "wallet.low_balance",
        "The available balance fell below the line. Once, until it rises 10 % above it again.",
    )
    WALLET_DEPLETED = (
        "wallet.depleted",
        (
            "The balance reached zero, or a send was refused with 402. Once, until there is enough "
            "again."
        ),
    )
    INSTAGRAM_MESSAGE_RECEIVED = (
        "instagram.message.received",
        "Somebody wrote to an Instagram account",
    )
    INSTAGRAM_MESSAGE_SENT = "instagram.message.sent", "Instagram accepted a message"
    INSTAGRAM_MESSAGE_FAILED = (
        "instagram.message.failed",
        "A message on Instagram will not arrive, or was called off",
    )
    JOURNEY_ENTERED = (
        "journey.entered",
        (
            "Contacts entered a journey: one event for each, or one for all where more than a "
            "hundred entered at once"
        ),
    )
    JOURNEY_COMPLETED = (
        "journey.completed",
        (
            "Contacts came to the end of a journey, or to its goal: one event for each, or one "
            "for all where more than a hundred did at once"
        ),
    )
    JOURNEY_PAUSED = (
        "journey.paused",
        "A journey stands still: somebody paused it, or the service did and tells why",
    )
    JOURNEY_CALLED = (
        "journey.called",
        "A contact came to a step of a journey that calls another system; `corpo` is what it posts",
    )


API_VERSION = "2026-11-01"
"""The shape of event bodies that new subscriptions are pinned to."""

PING = "webhook.ping"
"""What endpoints are tried with; no subscription names it."""

COMMON = (
    EventType.MESSAGE_SENT,
    EventType.MESSAGE_DELIVERED,
    EventType.MESSAGE_READ,
    EventType.MESSAGE_RECEIVED,
    EventType.SMS_DELIVERED,
    EventType.SMS_RECEIVED,
    EventType.SMS_CLICKED,
    EventType.RCS_DELIVERED,
    EventType.RCS_READ,
    EventType.RCS_CLICKED,
    EventType.EMAIL_DELIVERED,
    EventType.EMAIL_OPENED,
    EventType.EMAIL_CLICKED,
    EventType.INSTAGRAM_MESSAGE_SENT,
    EventType.INSTAGRAM_MESSAGE_RECEIVED,
    EventType.CONTACT_CREATED,
    EventType.JOURNEY_ENTERED,
    EventType.JOURNEY_COMPLETED,
    EventType.JOURNEY_CALLED,
)
"""The types that messages and contacts have as a rule: there may be as many events as of these."""

UNCOMMON = "type NOT IN ({})".format(", ".join(f"'{type}'" for type in COMMON))
"""The SQL of a condition: what is neither has an index, which what is common costs nothing."""
