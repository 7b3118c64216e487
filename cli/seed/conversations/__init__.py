"""Conversations of the past: the numbers they go by, templates, and threads in both directions."""

from cli.seed.conversations.senders import SENDERS, TEMPLATES, write_numbers, write_templates
from cli.seed.conversations.write import write_conversations

__all__ = ["SENDERS", "TEMPLATES", "write_conversations", "write_numbers", "write_templates"]
