"""Every channel of messages, by its name."""

from core.channels.registry import BY_NAME, FAILURE_REASONS, MESSAGE_CHANNELS

__all__ = ["BY_NAME", "FAILURE_REASONS", "MESSAGE_CHANNELS"]
