"""Runs of journeys: contacts on steps, moved in batches."""
