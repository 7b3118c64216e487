"""Senders: from which addresses an organization may write, and how it shows that they are its own."""

from core.email.senders.choose import WantedSender, sender_for, senders_for
from core.email.senders.remembered import CHANGED_SQL, remember, remembered

__all__ = ["CHANGED_SQL", "WantedSender", "remember", "remembered", "sender_for", "senders_for"]
