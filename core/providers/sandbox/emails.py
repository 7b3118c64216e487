"""The sandbox's endings of e-mail: the local part of the recipient chooses the outcome."""

DELIVERED = ("delivered",)
STORIES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("complaint", ("delivered", "complained")),
    ("open", ("delivered", "opened")),
    ("click", ("delivered", "opened", "clicked")),
)
REASONS = {"bounced": "invalid_address", "complained": "complaint"}


def email_story(recipient: str) -> tuple[str, ...]:
    """What becomes of an e-mail to this address, one after the other.

    `bounce` or `bounce+…` bounces; `complaint…` is delivered and complains, `open…` is delivered
    and opened, `click…` is delivered, opened and clicked; any other is delivered.
    """
    local = recipient.rpartition("@")[0].lower()
    if local == "bounce" or local.startswith("bounce+"):
        return ("bounced",)
    return next((story for word, story in STORIES if local.startswith(word)), DELIVERED)
