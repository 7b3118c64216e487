"""Pipelines and their stages over REST."""
