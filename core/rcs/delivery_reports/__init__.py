"""Delivery reports on RCS messages: of live providers and of the sandbox, and their effects."""
