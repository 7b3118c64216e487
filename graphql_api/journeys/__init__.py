"""Journeys in the schema."""
