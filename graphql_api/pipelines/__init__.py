"""Pipelines in the schema."""
