"""Key rotation: the texts of SMS that wait."""

from core import messaging
from core.sms.sealed_text import renewed


async def renew_texts() -> tuple[int, int]:
    """Put them under the newest key. Answers how many changed, and how many no key of ours opens."""
    return await messaging.renew_texts(renewed)
