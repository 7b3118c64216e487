"""Contacts over REST."""
