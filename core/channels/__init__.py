"""Every channel of messages, by its name."""

from core.channels.registry import BY_NAME, MESSAGE_CHANNELS

__all__ = ["BY_NAME", "MESSAGE_CHANNELS"]
