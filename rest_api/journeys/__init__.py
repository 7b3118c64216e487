"""Journeys over HTTP."""
