"""Every channel, by its name."""

from core.channels.registry import BY_NAME, FAILURE_REASONS, MESSAGE_CHANNELS, PACKAGES

__all__ = ["BY_NAME", "FAILURE_REASONS", "MESSAGE_CHANNELS", "PACKAGES"]
