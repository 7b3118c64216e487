"""Segments in the schema."""
