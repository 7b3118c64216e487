"""Conversational messages over REST."""
