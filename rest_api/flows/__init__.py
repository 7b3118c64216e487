"""Flows over REST."""
