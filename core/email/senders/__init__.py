"""Senders: from which addresses an organization may write, and how it shows that they are its own."""

from core.email.senders.choose import WantedSender, sender_for, senders_for

__all__ = ["WantedSender", "sender_for", "senders_for"]
