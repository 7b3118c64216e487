"""Quotes over REST."""
