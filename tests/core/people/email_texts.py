"""Letters as they arrive."""

from email.message import EmailMessage

from core import email
from core.foundation.clock import now
from tests.fakes.relay import Relay


async def the_letter(relay: Relay) -> EmailMessage:
    """The newest letter, once all that are due were handed over."""
    await email.hand_over_due(at=now())
    return relay.taken[-1].outgoing
