"""The sandbox's endings of conversations: the last digits of the recipient choose the outcome."""

from typing import TypeAlias

Step: TypeAlias = tuple[str, str | None]
"""A status, and the platform's code of a failure."""

DELIVERED: tuple[Step, ...] = (("delivered", None),)
STORIES: dict[str, tuple[Step, ...]] = {
    "0005": (("delivered", None), ("read", None)),
    "0006": (("failed", "131026"),),
    "0008": (("failed", "131047"),),
    "0099": (),
}
WORDS = {
    "131026": "The recipient is not on this channel.",
    "131047": "The 24 hours after the recipient's last message are over.",
}
"""What the codes mean."""


def conversation_story(recipient: str) -> tuple[Step, ...]:
    """What becomes of a message to this phone or scoped id, one step after the other; delivered
    when the digits say nothing.
    """
    return STORIES.get(recipient[-4:], DELIVERED)
