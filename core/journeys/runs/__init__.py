"""Runs of journeys: people standing on steps, moved in sets."""
