"""Use case: cancel an e-mail that still waits for its time."""

from functools import partial

from core import messaging
from core.email.queries import MESSAGES

cancel_message = partial(messaging.cancel_message, MESSAGES)
"""Once it is in the outbox it is not canceled any more."""
