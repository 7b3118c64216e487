"""Senders: from which addresses an organization may write, and how it shows that they are its own."""

from core.email.senders.choose import sender_for

__all__ = ["sender_for"]
