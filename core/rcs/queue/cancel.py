"""Use case: cancel an RCS message that still waits."""

from functools import partial

from core import messaging
from core.rcs.queries import MESSAGES

cancel_message = partial(messaging.cancel_message, MESSAGES)
