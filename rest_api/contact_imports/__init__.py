"""Imports of contacts over REST."""
