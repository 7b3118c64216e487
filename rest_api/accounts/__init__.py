"""Accounts, sessions and who is calling, over REST."""
