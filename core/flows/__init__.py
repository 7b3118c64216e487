"""Flows: forms inside a conversation."""
