"""Conversations of the past: the numbers they go by, templates, and threads in both directions."""

from core.seeding.conversations.senders import SENDERS, TEMPLATES, write_numbers, write_templates
from core.seeding.conversations.write import write_conversations

__all__ = ["SENDERS", "TEMPLATES", "write_conversations", "write_numbers", "write_templates"]
