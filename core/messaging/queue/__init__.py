"""The queue of messages that leave later, of every channel."""
