"""Flows in the schema."""
