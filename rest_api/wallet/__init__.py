"""Wallets and prices over REST."""
