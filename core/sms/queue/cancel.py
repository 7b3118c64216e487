"""Use case: cancel an SMS that still waits."""

from functools import partial

from core import messaging
from core.sms.queries import MESSAGES

cancel_message = partial(messaging.cancel_message, MESSAGES)
