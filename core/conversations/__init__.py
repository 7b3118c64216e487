"""The conversational channel: sending, receiving, and what is waiting in between."""
