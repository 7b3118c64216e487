"""SMS that leave later: accepted as queued, claimed when they are due, within the ceiling."""
