"""Reconciliation of live SMS whose outcome is unknown."""

from functools import partial

from core import messaging
from core.messaging import Channel, Status
from core.sms.outgoing import outgoing_of
from core.sms.rows import MARKETING_ROUTE
from core.sms.settle import settle

REPEATABLE = messaging.Repeatable(Channel.SMS, Status.SENDING, MARKETING_ROUTE, outgoing_of)

reconcile = partial(
    messaging.reconcile,
    messaging.Reconciliation(
        REPEATABLE, settle, close=messaging.release_expired_holds, path=Channel.SMS
    ),
)
"""Settle what is due: ask about `sending` messages, release what was held for three days. Answers
how many.
"""
