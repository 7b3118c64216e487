"""Conversational messages that are taken in together."""
