"""Conversational messages by the batch, over REST."""
