"""Delivery reports on SMS: of live providers, of the sandbox, and unmatched ones."""
