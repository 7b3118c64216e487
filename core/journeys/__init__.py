"""Journeys: automations, stored and validated."""
