"""Sending on the conversational channel."""
