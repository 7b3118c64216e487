"""Accounts of SMPP over REST."""
